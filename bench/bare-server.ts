import type { ChildProcess } from "node:child_process";
import { type Answer, answer } from "../src/server/answer.ts";
import { HttpServer } from "../src/server/http-server.ts";
import type { WireRequest } from "../src/server/protocol.ts";
import { requestId } from "../src/server/request-id.ts";
import type { Children } from "./children.ts";
import { microsecondsSince } from "./cpu-time.ts";
import { freePort, type RunningTarget } from "./targets.ts";
import { Workload } from "./workload.ts";

/** The first argument that makes this program the server below instead of the driver. */
export const bareServerRole = "--bare-server";

/** To look at the clock costs something too. */
const sampledEvery = 7;

interface Report {
  readonly sampled: number;
  readonly microseconds: number;
}

/**
 * The product's HTTP server in front of nothing: every answer is ready-made. What it costs is what
 * receiving and sending cost. It runs in a process of its own, so that its CPU time can be told.
 */
export async function serveBare([port, itemBytes]: readonly string[]): Promise<void> {
  const workload = new Workload({ table: "bench", items: 1, itemBytes: Number(itemBytes) });
  const found = readyMade(JSON.stringify({ Item: workload.item(0) }));
  const nothing = readyMade("{}");
  let requests = 0;
  let sampled = 0;
  let microseconds = 0;
  const respond = (request: WireRequest): Answer => {
    requests += 1;
    if (requests % sampledEvery === 0) {
      const before = process.cpuUsage();
      // The answer is written as soon as it is returned; microtasks come right after that.
      queueMicrotask(() => {
        microseconds += microsecondsSince(before);
        sampled += 1;
      });
    }
    return request.headers["x-amz-target"] === "DynamoDB_20120810.GetItem" ? found : nothing;
  };
  await new HttpServer({ respond }).listen(Number(port), "127.0.0.1");
  process.on("message", () => {
    const report: Report = { sampled, microseconds };
    sampled = 0;
    microseconds = 0;
    process.send?.(report);
  });
  process.on("disconnect", () => process.exit(0));
  process.send?.("ready");
}

function readyMade(body: string): Answer {
  const made = answer(200, requestId(), Buffer.from(body));
  made.headers.push("Content-Type", "application/x-amz-json-1.0");
  return made;
}

export class BareServer {
  readonly server: RunningTarget;

  private constructor(server: RunningTarget) {
    this.server = server;
  }

  static async start(children: Children, itemBytes: number): Promise<BareServer> {
    const port = await freePort();
    const program = process.argv[1] as string;
    const args = [program, bareServerRole, String(port), String(itemBytes)];
    const child = children.start(process.execPath, args, {
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    await message(child);
    const target = {
      label: "bare HTTP server",
      ours: true,
      keeps: "nowhere",
      command: process.execPath,
      args: () => args,
    };
    return new BareServer({ target, port, child, pid: child.pid as number });
  }

  /** CPU microseconds of one sending since the last time this was asked. */
  async sendMicroseconds(): Promise<number> {
    const answered = message(this.server.child);
    this.server.child.send("report");
    const { sampled, microseconds } = (await answered) as Report;
    return sampled === 0 ? 0 : microseconds / sampled;
  }
}

function message(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.once("message", resolve);
    child.once("close", () => reject(new Error("the bare HTTP server ended")));
  });
}
