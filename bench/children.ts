import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const patienceMs = 5_000;
const keptOutput = 4_000;

/** Everything that a run starts or puts on disk, so that nothing of it stays behind. */
export class Children {
  readonly #running = new Set<ChildProcess>();
  readonly #output = new WeakMap<ChildProcess, string>();
  readonly #folders = new Set<string>();

  constructor() {
    process.once("exit", () => this.#killNow());
    for (const [signal, code] of [
      ["SIGINT", 130],
      ["SIGTERM", 143],
      ["SIGHUP", 129],
    ] as const) {
      process.once(signal, () => process.exit(code));
    }
    this.#followParent();
  }

  /** What started this process may be killed by itself; then nobody waits for the result. */
  #followParent(): void {
    const parent = process.ppid;
    setInterval(() => {
      if (process.ppid !== parent) process.exit(143);
    }, 1_000).unref();
  }

  start(command: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess {
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
    this.#running.add(child);
    const keep = (chunk: Buffer): void => {
      const text = (this.#output.get(child) ?? "") + chunk.toString();
      this.#output.set(child, text.slice(-keptOutput));
    };
    child.stdout?.on("data", keep);
    child.stderr?.on("data", keep);
    child.once("error", (error) => keep(Buffer.from(`${error.message}\n`)));
    child.once("close", () => this.#running.delete(child));
    return child;
  }

  /** The last that the process printed. */
  outputOf(child: ChildProcess): string {
    return this.#output.get(child) ?? "";
  }

  /** Runs a command to its end; throws with its output if it fails. */
  async run(command: string, args: readonly string[], options: SpawnOptions = {}): Promise<void> {
    const child = this.start(command, args, options);
    const code = await closed(child);
    if (code !== 0) {
      const output = this.outputOf(child).replaceAll(/\s+/g, " ").trim();
      throw new Error(`${command} ${args[0]} failed: ${output.slice(0, 400)}`);
    }
  }

  async stop(child: ChildProcess): Promise<void> {
    if (!this.#running.has(child)) return;
    const ended = closed(child);
    child.kill("SIGTERM");
    const impatience = setTimeout(() => child.kill("SIGKILL"), patienceMs);
    await ended;
    clearTimeout(impatience);
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.#running].map((child) => this.stop(child)));
    this.#removeFolders();
  }

  folder(): string {
    const path = mkdtempSync(join(tmpdir(), "keywright-bench-"));
    this.#folders.add(path);
    return path;
  }

  #killNow(): void {
    for (const child of this.#running) child.kill("SIGKILL");
    this.#removeFolders();
  }

  #removeFolders(): void {
    for (const path of this.#folders) rmSync(path, { recursive: true, force: true });
    this.#folders.clear();
  }
}

function closed(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.once("close", (code) => resolve(code));
  });
}
