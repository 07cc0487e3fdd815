import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { loadSecondsMax } from "./limits.ts";

/** What the thread is told when it starts. */
export interface ThreadStart {
  readonly file: string;
  readonly exportName: string;
}

export interface Call {
  /** JSON. */
  readonly event: string;
  /** Milliseconds since the epoch, on the machine's clock. */
  readonly deadline: number;
  /** The plain members of the context. */
  readonly context: Readonly<Record<string, string>>;
}

/** An error as it is to be read. */
export interface Failure {
  readonly type: string;
  /** With its stack. */
  readonly text: string;
}

export type FromThread =
  | { readonly kind: "output"; readonly text: string }
  | { readonly kind: "ready" }
  | ({ readonly kind: "unusable" } & Failure)
  | { readonly kind: "answered"; readonly json: string }
  | ({ readonly kind: "failed" } & Failure);

export type Outcome = Extract<FromThread, { kind: "answered" | "failed" }>;

export interface ThreadOptions extends ThreadStart {
  readonly memoryMegabytes: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Is told what the function prints. */
  readonly output: (text: string) => void;
}

/** One thread with the function's module in it, for one call at a time. */
export class FunctionThread {
  readonly #worker: Worker;
  readonly #output: (text: string) => void;
  #alive = true;
  /** Whoever waits for the thread: for its module, then for its answer. */
  #waiting: ((message: Exclude<FromThread, { kind: "output" }>) => void) | undefined;
  /** Undefined when the function can be called; else why not. */
  readonly loaded: Promise<Failure | undefined>;

  constructor({ file, exportName, memoryMegabytes, env, output }: ThreadOptions) {
    this.#output = output;
    const start: ThreadStart = { file, exportName };
    this.#worker = new Worker(workerFile(), {
      workerData: start,
      env: { ...env },
      // Node's own flags, such as those of a test runner, are not the function's.
      execArgv: ["--enable-source-maps"],
      resourceLimits: { maxOldGenerationSizeMb: memoryMegabytes },
    });
    // What the server does decides when the process ends.
    this.#worker.unref();
    this.#worker.on("message", (message: FromThread) => this.#hear(message));
    this.#worker.on("error", (error: unknown) => this.#die(failureOf(error)));
    this.#worker.on("exit", (code) => {
      this.#die({ type: "Runtime.ExitError", text: `the function ended its thread (${code})` });
    });
    this.loaded = this.#load();
  }

  get alive(): boolean {
    return this.#alive;
  }

  async #load(): Promise<Failure | undefined> {
    const text = `the module was not loaded after ${loadSecondsMax} seconds`;
    const message = await this.#within(loadSecondsMax * 1_000, { type: "Runtime.InitError", text });
    return message.kind === "ready" ? undefined : (message as Failure);
  }

  /** Answers in any case: with a failure after the time is over, or if the thread dies. */
  async call(call: Call, timeoutMs: number): Promise<Outcome> {
    this.#worker.postMessage(call);
    const text = `Task timed out after ${(timeoutMs / 1_000).toFixed(2)} seconds`;
    const message = await this.#within(timeoutMs, { type: "Sandbox.Timedout", text });
    return message as Outcome;
  }

  terminate(): void {
    this.#alive = false;
    void this.#worker.terminate();
  }

  /** The next message; a thread that sends none in time is ended. */
  #within(timeoutMs: number, tooLate: Failure): Promise<Exclude<FromThread, { kind: "output" }>> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#die(tooLate), timeoutMs);
      this.#waiting = (message) => {
        clearTimeout(timer);
        this.#waiting = undefined;
        resolve(message);
      };
    });
  }

  #hear(message: FromThread): void {
    if (message.kind === "output") this.#output(message.text);
    else this.#waiting?.(message);
  }

  #die(failure: Failure): void {
    const wasAlive = this.#alive;
    this.terminate();
    if (this.#waiting !== undefined) this.#waiting({ kind: "failed", ...failure });
    // Something that a call had left behind; nobody else will tell it.
    else if (wasAlive) this.#output(`${failure.text}\n`);
  }
}

export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { type: typeof error, text: String(error) };
  return { type: error.name, text: error.stack ?? error.message };
}

/** Beside this module; built into a chunk, it is one folder further down. */
function workerFile(): string {
  const beside = fileURLToPath(new URL("./handler-worker.mjs", import.meta.url));
  return existsSync(beside)
    ? beside
    : fileURLToPath(new URL("../handler-worker.mjs", import.meta.url));
}
