import { monitorEventLoopDelay } from "node:perf_hooks";
import { startServer } from "../src/server/start-server.ts";
import type { Children } from "./children.ts";
import { Connection } from "./connection.ts";
import { type Measurement, must, runPhase } from "./phase.ts";
import { freePort, type RunningTarget, type Target } from "./targets.ts";
import type { Workload } from "./workload.ts";

/** The first argument that makes this program the server below. */
export const watchedServerRole = "--watched-server";

/** Where a table's deletion stands when something is measured. */
export type Moment = "before" | "while it is cleared" | "afterwards";

export interface DeletionPhase {
  readonly moment: Moment;
  readonly operation: "get" | "put";
  readonly measured: Measurement;
  /** The longest that the server's event loop stood still. */
  readonly stallMs: number;
}

export interface Deletion {
  readonly items: number;
  readonly answeredMs: number;
  readonly clearedMs: number;
  readonly phases: readonly DeletionPhase[];
}

type Question = "idle" | "stall";
interface Reply {
  readonly question: Question;
  readonly value: number;
}

/** The product's server, which also tells when its background work is done and how long it stood still. */
export async function serveWatched([port, folder]: readonly string[]): Promise<void> {
  const server = await startServer({ port: Number(port), data: folder as string });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const answer = (reply: Reply): void => void process.send?.(reply);
  process.on("message", (question: Question) => {
    if (question === "stall") {
      answer({ question, value: delay.max / 1e6 });
      delay.reset();
    } else {
      void server.workbench.idle().then(() => answer({ question, value: performance.now() }));
    }
  });
  process.on("disconnect", () => process.exit(0));
  process.on("SIGTERM", () => void server.close().then(() => process.exit(0)));
  process.send?.("ready");
}

class WatchedServer {
  readonly running: RunningTarget;

  private constructor(running: RunningTarget) {
    this.running = running;
  }

  static async start(children: Children, folder: string): Promise<WatchedServer> {
    const port = await freePort();
    const program = process.argv[1] as string;
    const args = [program, watchedServerRole, String(port), folder];
    const child = children.start(process.execPath, args, {
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    await new Promise((resolve, reject) => {
      child.once("message", resolve);
      child.once("exit", () => reject(new Error(children.outputOf(child).trim())));
    });
    const target: Target = {
      label: "keywright",
      ours: true,
      keeps: "flushed to disk",
      command: process.execPath,
      args: () => args,
    };
    return new WatchedServer({ target, port, child, pid: child.pid as number });
  }

  ask(question: Question): Promise<number> {
    const { child } = this.running;
    return new Promise((resolve) => {
      const listen = (reply: Reply): void => {
        if (reply.question !== question) return;
        child.off("message", listen);
        resolve(reply.value);
      };
      child.on("message", listen);
      child.send(question);
    });
  }
}

export interface DeletionOptions {
  readonly folder: string;
  readonly doomed: { readonly table: string; readonly items: number };
  /** Of the table that is used meanwhile. */
  readonly workload: Workload;
  readonly connections: number;
  readonly seconds: number;
  readonly distinct: number;
}

/** Reads and writes one table before, while and after another one is deleted. */
export async function measureDeletion(
  children: Children,
  options: DeletionOptions,
  say: (text: string) => void,
): Promise<Deletion> {
  const server = await WatchedServer.start(children, options.folder);
  const phases: DeletionPhase[] = [];
  const both = async (moment: Moment): Promise<void> => {
    for (const operation of ["get", "put"] as const) {
      phases.push(await phaseOf(server, options, moment, operation));
    }
  };
  await both("before");
  const connection = new Connection(server.running.port);
  const began = performance.now();
  await must(connection, server.running, {
    operation: "DeleteTable",
    body: { TableName: options.doomed.table },
  });
  const answeredMs = performance.now() - began;
  connection.close();
  let clearedMs: number | undefined;
  const cleared = server.ask("idle").then(() => {
    clearedMs = performance.now() - began;
  });
  while (clearedMs === undefined) await both("while it is cleared");
  await cleared;
  say(`the deleted table was cleared in ${(clearedMs / 1_000).toFixed(1)} s`);
  await both("afterwards");
  await children.stop(server.running.child);
  return { items: options.doomed.items, answeredMs, clearedMs, phases };
}

async function phaseOf(
  server: WatchedServer,
  { workload, connections, seconds, distinct }: DeletionOptions,
  moment: Moment,
  operation: "get" | "put",
): Promise<DeletionPhase> {
  await server.ask("stall");
  const phase = { operation, connections, seconds, warmUpSeconds: 0.2, distinct };
  const measured = await runPhase(server.running, workload, phase);
  if ("unsupported" in measured) throw new Error(measured.unsupported);
  return { moment, operation, measured, stallMs: await server.ask("stall") };
}
