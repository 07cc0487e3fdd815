import { randomBytes, randomUUID } from "node:crypto";
import { type Failure, FunctionThread, failureOf, type Outcome } from "./function-thread.ts";
import { moduleFiles, signatureOf } from "./module-files.ts";
import type { FunctionSettings } from "./settings.ts";
import { syntaxErrorPlace } from "./syntax-error-place.ts";

export type CallOutcome =
  /** And how long the function took, in milliseconds. */
  | (Outcome & { readonly ms: number })
  /** The module cannot be loaded, so nothing was called; it is tried again when a file changes, or then. */
  | { readonly kind: "unusable" };

export interface HostOptions {
  readonly function: FunctionSettings;
  readonly env: Readonly<Record<string, string>>;
  readonly arn: string;
  /** Is told what the function prints. */
  readonly output: (text: string) => void;
  /** Is told of changes of the module, and why it cannot be loaded. */
  readonly told: (text: string) => void;
}

/** How often files are looked at for changes while nothing is called. */
const lookEveryMs = 250;
/** Before a call they are looked at, too, but not more often than this. */
const lookAgainMs = 20;
/** A thread that nobody needed for so long is ended; the last one is kept for longer. */
const idleMs = 30_000;
const lastIdleMs = 300_000;
/** A module that could not be loaded is tried again after so long even if it did not change. */
const unusableMs = 10_000;

interface Idle {
  readonly thread: FunctionThread;
  readonly since: number;
}

/**
 * A function that can be called, in as many threads as calls run at a time. When one of its files has
 * changed, the next call is one of the new code; calls that are running end in the old one.
 */
export class HostedFunction {
  readonly #options: HostOptions;
  readonly #looking: NodeJS.Timeout;
  readonly #changed = new Set<() => void>();
  readonly #queue: (() => void)[] = [];
  readonly #running = new Set<FunctionThread>();
  #idle: Idle[] = [];
  #calls = 0;
  #files: readonly string[];
  #signature: string;
  #lookedAt = performance.now();
  /** Raised with every change: threads of an older one are not used again. */
  #generation = 0;
  #unusable: { readonly text: string; readonly at: number } | undefined;
  #isClosed = false;

  constructor(options: HostOptions) {
    this.#options = options;
    this.#files = moduleFiles(options.function.file);
    this.#signature = signatureOf(this.#files);
    this.#looking = setInterval(() => this.#look(), lookEveryMs).unref();
  }

  get name(): string {
    return this.#options.function.name;
  }

  get arn(): string {
    return this.#options.arn;
  }

  /** Calls `listener` when the module has changed. */
  onChange(listener: () => void): void {
    this.#changed.add(listener);
  }

  /** Loads the module before it is needed: the first call is quick, and errors are told at once. */
  async warm(): Promise<void> {
    // The module may change while it is loaded; the thread then has code that nobody wants any more.
    const generation = this.#generation;
    const thread = await this.#thread();
    if (thread !== undefined) this.#release(thread, generation);
  }

  /** Answers in any case, and with what went wrong rather than by throwing. */
  async call(event: string): Promise<CallOutcome> {
    await this.#turn();
    try {
      return await this.#call(event);
    } finally {
      this.#calls -= 1;
      this.#queue.shift()?.();
    }
  }

  /** Waits until one of the calls that may run at a time is over. */
  async #turn(): Promise<void> {
    while (this.#calls >= this.#options.function.concurrency) {
      await new Promise<void>((next) => this.#queue.push(next));
    }
    this.#calls += 1;
  }

  async #call(event: string): Promise<CallOutcome> {
    if (performance.now() - this.#lookedAt >= lookAgainMs) this.#look();
    const generation = this.#generation;
    const thread = await this.#thread();
    if (thread === undefined) return { kind: "unusable" };
    const { timeoutMs } = this.#options.function;
    const call = { event, deadline: Date.now() + timeoutMs, context: this.#context() };
    this.#running.add(thread);
    const began = performance.now();
    const outcome = await thread.call(call, timeoutMs);
    const ms = Math.round(performance.now() - began);
    this.#running.delete(thread);
    this.#release(thread, generation);
    return { ...outcome, ms };
  }

  #context(): Readonly<Record<string, string>> {
    const { name, memoryMegabytes } = this.#options.function;
    return {
      functionName: name,
      functionVersion: "$LATEST",
      invokedFunctionArn: this.#options.arn,
      memoryLimitInMB: String(memoryMegabytes),
      awsRequestId: randomUUID(),
      logGroupName: `/aws/lambda/${name}`,
      logStreamName: this.#options.env.AWS_LAMBDA_LOG_STREAM_NAME ?? "",
    };
  }

  /** A thread with the module loaded; undefined if it cannot be. */
  async #thread(): Promise<FunctionThread | undefined> {
    if (this.#isClosed) return undefined;
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (idle.thread.alive) return idle.thread;
    }
    const unusable = this.#unusable;
    if (unusable !== undefined && performance.now() - unusable.at < unusableMs) return undefined;
    return this.#newThread();
  }

  async #newThread(): Promise<FunctionThread | undefined> {
    const { function: settings, env, output } = this.#options;
    const { file, exportName, memoryMegabytes } = settings;
    const generation = this.#generation;
    let thread: FunctionThread | undefined;
    let failure: Failure | undefined;
    try {
      thread = new FunctionThread({ file, exportName, memoryMegabytes, env, output });
      failure = await thread.loaded;
    } catch (error) {
      // The system gives no more threads, or no memory for one.
      failure = failureOf(error);
    }
    if (failure === undefined && !this.#isClosed) {
      if (generation === this.#generation) this.#unusable = undefined;
      return thread;
    }
    thread?.terminate();
    // Of code that has been replaced meanwhile nobody wants to hear.
    if (failure !== undefined && generation === this.#generation) await this.#blame(failure);
    return undefined;
  }

  async #blame(failure: Failure): Promise<void> {
    const known = this.#unusable?.text;
    this.#unusable = { text: failure.text, at: performance.now() };
    if (known === failure.text) return;
    const place = failure.type === "SyntaxError" ? await syntaxErrorPlace(this.#files) : undefined;
    const text = place ?? failure.text;
    this.#options.told(`cannot be loaded and is tried again when it changes\n${text}`);
  }

  #release(thread: FunctionThread, generation: number): void {
    if (!thread.alive) return;
    if (this.#isClosed || generation !== this.#generation) thread.terminate();
    else this.#idle.push({ thread, since: performance.now() });
  }

  #look(): void {
    const now = performance.now();
    this.#lookedAt = now;
    this.#endIdle(now);
    const signature = signatureOf(this.#files);
    if (signature === this.#signature) return;
    this.#files = moduleFiles(this.#options.function.file);
    this.#signature = signatureOf(this.#files);
    this.#generation += 1;
    this.#unusable = undefined;
    for (const { thread } of this.#idle.splice(0)) thread.terminate();
    this.#options.told("has changed and is loaded anew");
    for (const listener of this.#changed) listener();
    void this.warm();
  }

  #endIdle(now: number): void {
    // The one that was used last is at the end.
    const last = this.#idle.at(-1);
    this.#idle = this.#idle.filter((idle) => {
      const isKept = now - idle.since <= (idle === last ? lastIdleMs : idleMs);
      if (!isKept) idle.thread.terminate();
      return isKept;
    });
  }

  /** Ends all threads, also those that are in a call: it answers with a failure. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#looking);
    for (const { thread } of this.#idle.splice(0)) thread.terminate();
    for (const thread of this.#running) thread.terminate();
  }
}

/** One instance of the function, as far as its log is concerned. */
export function logStreamName(now: number): string {
  const date = new Date(now).toISOString().slice(0, 10).replaceAll("-", "/");
  return `${date}/[$LATEST]${randomBytes(16).toString("hex")}`;
}
