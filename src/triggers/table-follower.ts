import type { Caller } from "../workbench/workbench.ts";
import { Checkpoints } from "./checkpoints.ts";
import type { ConsumerOptions } from "./shard-consumer.ts";
import { Signal } from "./signal.ts";
import { StreamConsumer } from "./stream-consumer.ts";
import type { Notes, StreamHandle } from "./stream-source.ts";

/** What one trigger does with one table, through all the streams that the table has in time. */
export class TableFollower {
  readonly #options: Omit<ConsumerOptions, "stream">;
  readonly #notes: Notes;
  readonly #caller: Caller;
  readonly #signal: Signal;
  /** Streams that had ended before the trigger began. */
  readonly #ignored = new Set<string>();
  /** Streams that were there when the trigger began. */
  readonly #old = new Set<string>();
  readonly #finished = new Set<string>();
  #consumer: StreamConsumer | undefined;
  #isStopped = false;
  #saidThatNone = false;

  constructor(options: Omit<ConsumerOptions, "stream">, notes: Notes, caller: Caller) {
    this.#options = options;
    this.#notes = notes;
    this.#caller = caller;
    this.#signal = new Signal(options.clock);
  }

  /**
   * Until it is stopped. `isOld`: the table was there when the trigger began, and so what its stream
   * holds is older than the trigger.
   */
  async run(isOld: boolean): Promise<void> {
    const checkpoints = await this.#checkpoints();
    if (isOld) await this.#lookAtOld(checkpoints);
    while (!this.#isStopped) {
      const stream = await this.#next(checkpoints);
      if (stream === undefined) await this.#signal.wait();
      else await this.#consume(stream, checkpoints);
    }
    await checkpoints.saved();
  }

  #checkpoints(): Promise<Checkpoints> {
    const { trigger, log, hosted } = this.#options;
    const { account, region } = this.#caller;
    const name = ["trigger", hosted.name, account, region, trigger.table].join("/");
    return Checkpoints.open(this.#notes, name, (error) => {
      log.tell(hosted.name, `how far it came cannot be noted: ${(error as Error).message}`);
    });
  }

  async #lookAtOld(checkpoints: Checkpoints): Promise<void> {
    const { source, trigger } = this.#options;
    const streams = await source.streams(trigger.table, this.#caller);
    const known = new Set(streams.map(({ arn }) => arn));
    for (const arn of checkpoints.streams) if (!known.has(arn)) checkpoints.forget(arn);
    for (const stream of streams) {
      this.#old.add(stream.arn);
      if (checkpoints.has(stream.arn)) continue;
      if (!(await this.#isOpen(stream))) this.#ignored.add(stream.arn);
    }
  }

  async #isOpen(stream: StreamHandle): Promise<boolean> {
    return (await this.#options.source.describe(stream)).isOpen;
  }

  /** The oldest stream that is not done with: what came later waits, so that each key stays in order. */
  async #next(checkpoints: Checkpoints): Promise<StreamHandle | undefined> {
    const { source, trigger, log, hosted } = this.#options;
    const streams = await source.streams(trigger.table, this.#caller);
    const next = streams.find(({ arn }) => !this.#ignored.has(arn) && !this.#finished.has(arn));
    if (next === undefined && checkpoints.streams.length === 0 && !this.#saidThatNone) {
      this.#saidThatNone = true;
      log.tell(hosted.name, `${trigger.table} has no stream; it is waited for one`);
    }
    return next;
  }

  async #consume(stream: StreamHandle, checkpoints: Checkpoints): Promise<void> {
    const { trigger } = this.#options;
    const isFromLatest = trigger.start === "LATEST" && this.#old.has(stream.arn);
    const consumer = new StreamConsumer({ ...this.#options, stream }, checkpoints, isFromLatest);
    this.#consumer = consumer;
    if (this.#isStopped) return;
    const ended = await consumer.run();
    this.#consumer = undefined;
    if (ended === "done") this.#finished.add(stream.arn);
  }

  /** The table has changed, or there may be new records. */
  tell(what: "table" | "records"): void {
    this.#consumer?.tell();
    if (what === "table") this.#signal.notify();
  }

  /** The function has changed. */
  hurry(): void {
    this.#consumer?.hurry();
  }

  stop(): void {
    this.#isStopped = true;
    this.#consumer?.stop();
    this.#signal.notify();
  }
}
