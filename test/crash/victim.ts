import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { ServerOptions } from "../../src/index.ts";
import { type Child, endpointOf, runCli } from "../server/child-support.ts";
import { amzJson, signed } from "../server/wire-support.ts";
import { caller } from "./check.ts";
import type { EmbeddedOptions } from "./embedded-main.ts";
import type { Note } from "./ledger.ts";
import { type Outcome, refusalOf } from "./writer.ts";

/** A process that will be killed. */
export interface Victim {
  readonly alive: boolean;
  /** SIGKILL; resolves when it is gone and all it had said was heard. */
  kill(): Promise<void>;
}

export type Place = Pick<ServerOptions, "data" | "store" | "durability">;

function placeArguments({ data, store, durability }: Place): string[] {
  return [
    ...(data === undefined ? [] : ["--data", data]),
    ...(store === undefined ? [] : ["--store", store]),
    ...(durability === undefined ? [] : ["--durability", durability]),
  ];
}

/** The command itself, in a process of its own, and the way to talk to it. */
export class ServerVictim implements Victim {
  alive = true;
  readonly #child: Child;
  readonly #agent: Agent;
  #endpoint: string | undefined;

  constructor(place: Place, connections: number, more: readonly string[] = []) {
    this.#child = runCli(["start", "--port", "0", ...placeArguments(place), ...more]);
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
    void this.#child.ended.then(() => {
      this.alive = false;
    });
  }

  /** Rejects if it ends before it listens. */
  async ready(): Promise<void> {
    this.#endpoint = await endpointOf(this.#child);
  }

  async kill(): Promise<void> {
    this.#child.process.kill("SIGKILL");
    const ended = await this.#child.ended;
    // Without a database it does not start, and reports why.
    const gaveUp =
      ended === 1 && /^keywright: PostgreSQL (at|closed) /.test(this.#child.written.err);
    if (ended !== "SIGKILL" && !(gaveUp && this.#endpoint === undefined)) {
      throw new Error(`the server had ended by itself (${ended}): ${this.#child.written.err}`);
    }
    this.#agent.destroy();
  }

  async send(operation: string, body: object): Promise<Outcome> {
    const answer = await this.#post(operation, JSON.stringify(body)).catch(() => undefined);
    if (answer === undefined || answer.status >= 500) return "unknown";
    if (answer.status === 200) {
      if (operation === "BatchWriteItem" && answer.text !== '{"UnprocessedItems":{}}') {
        throw new Error(`not all of a batch was written: ${answer.text}`);
      }
      return "acknowledged";
    }
    const { __type = "", message = "" } = JSON.parse(answer.text) as Record<string, string>;
    return refusalOf(__type.split("#")[1] ?? "", message);
  }

  #post(operation: string, body: string): Promise<{ status: number; text: string }> {
    const headers = {
      ...amzJson,
      ...signed(caller.account, caller.region),
      "x-amz-target": `DynamoDB_20120810.${operation}`,
    };
    return new Promise((resolve, reject) => {
      const url = this.#endpoint ?? "";
      const outgoing = request(url, { method: "POST", headers, agent: this.#agent }, (incoming) => {
        let text = "";
        incoming.setEncoding("utf8");
        incoming.on("data", (chunk: string) => {
          text += chunk;
        });
        incoming.on("error", reject);
        incoming.on("end", () => {
          // An answer that broke off is none.
          if (incoming.complete) resolve({ status: incoming.statusCode ?? 0, text });
          else reject(new Error("the answer broke off"));
        });
        incoming.on("close", () => reject(new Error("the answer broke off")));
      });
      outgoing.on("error", reject);
      outgoing.end(body);
    });
  }
}

/** Writer and engine in one process. */
export class EmbeddedVictim implements Victim {
  alive = true;
  readonly #child: ChildProcess;
  readonly #heard: Promise<unknown>;
  readonly #ended: Promise<NodeJS.Signals | number | null>;
  #errors = "";

  constructor(script: string, options: EmbeddedOptions, note: (note: Note) => void) {
    this.#child = spawn(process.execPath, [script, JSON.stringify(options)], {
      stdio: ["ignore", "inherit", "pipe", "pipe"],
    });
    this.#child.stderr?.on("data", (chunk: Buffer) => {
      this.#errors += chunk.toString();
    });
    const lines = createInterface({ input: this.#child.stdio[3] as Readable });
    lines.on("line", (line) => {
      // The last line may be cut off by the kill: then nothing was sent either, or nobody was told.
      if (line.endsWith("}")) note(JSON.parse(line) as Note);
    });
    this.#heard = new Promise((resolve) => lines.on("close", resolve));
    this.#ended = new Promise((resolve) =>
      this.#child.on("exit", (code, signal) => {
        this.alive = false;
        resolve(code ?? signal);
      }),
    );
  }

  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    const ended = await this.#ended;
    await this.#heard;
    if (ended !== "SIGKILL") {
      throw new Error(`the writer had ended by itself (${ended}): ${this.#errors}`);
    }
  }
}

export interface Program {
  readonly script: string;
  remove(): Promise<void>;
}

/** One of the programs of this folder, built inside the project so that it finds node_modules. */
export async function buildProgram(name: "embedded-main" | "power-main"): Promise<Program> {
  const root = fileURLToPath(new URL("../../", import.meta.url));
  await mkdir(`${root}node_modules/.cache`, { recursive: true });
  const script = `${root}node_modules/.cache/${name}-${process.pid}-${performance.now()}.mjs`;
  await build({
    entryPoints: [`${root}test/crash/${name}.ts`],
    outfile: script,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    packages: "external",
    logLevel: "warning",
  });
  return { script, remove: () => rm(script, { force: true }) };
}

/** `keywright verify`, the command itself. */
export async function runVerify({
  data,
  store,
}: Place): Promise<{ readonly code: unknown; readonly text: string }> {
  const place = data === undefined ? ["--store", store ?? ""] : ["--data", data];
  const child = runCli(["verify", ...place]);
  const code = await child.ended;
  return { code, text: child.written.out + child.written.err };
}
