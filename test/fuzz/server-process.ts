import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Command, Report } from "./server-main.ts";

/**
 * The server in a process of its own: there an endless loop is seen as silence, a crash as an exit,
 * and its memory and its standard error belong to it alone.
 */
export class ServerProcess {
  readonly port: number;
  /** All that it has written to standard output and standard error. */
  readonly written: string[] = [];
  exited = false;
  readonly #child: ChildProcess;
  readonly #bundle: string;

  private constructor(child: ChildProcess, bundle: string, port: number) {
    this.#child = child;
    this.#bundle = bundle;
    this.port = port;
    child.stdout?.on("data", (chunk: Buffer) => this.written.push(chunk.toString()));
    child.stderr?.on("data", (chunk: Buffer) => this.written.push(chunk.toString()));
    child.on("exit", () => {
      this.exited = true;
    });
  }

  /** `data`: the folder to keep data in; in memory without one. */
  static async start(data?: string): Promise<ServerProcess> {
    const root = fileURLToPath(new URL("../../", import.meta.url));
    await mkdir(`${root}node_modules/.cache`, { recursive: true });
    // Inside the project, so that the bundle finds node_modules.
    const bundle = `${root}node_modules/.cache/fuzz-${process.pid}-${performance.now()}.mjs`;
    await build({
      entryPoints: [`${root}test/fuzz/server-main.ts`],
      outfile: bundle,
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node20.19",
      packages: "external",
      sourcemap: "inline",
      logLevel: "warning",
    });
    const child = spawn(
      process.execPath,
      ["--enable-source-maps", "--expose-gc", bundle, ...(data === undefined ? [] : [data])],
      { stdio: ["ignore", "pipe", "pipe", "ipc"] },
    );
    const { port } = await answerOf<{ port: number }>(child);
    return new ServerProcess(child, bundle, port);
  }

  /** What the server says of itself. Rejects if it does not in time. */
  report(command: Command): Promise<Report> {
    const report = answerOf<Report>(this.#child);
    this.#child.send({ command });
    return report;
  }

  async stop(): Promise<void> {
    if (!this.exited) {
      const exit = new Promise((resolve) => this.#child.once("exit", resolve));
      this.#child.kill("SIGKILL");
      await exit;
    }
    await rm(this.#bundle, { force: true });
  }
}

function answerOf<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => settle(() => reject(new Error("the server is stuck"))), 60_000);
    const settle = (how: () => void): void => {
      clearTimeout(timer);
      child.off("message", onMessage);
      child.off("exit", onExit);
      how();
    };
    const onMessage = (message: unknown): void => settle(() => resolve(message as T));
    const onExit = (): void => settle(() => reject(new Error("the server has ended")));
    child.on("message", onMessage);
    child.on("exit", onExit);
  });
}
