import type { Caller } from "../workbench/workbench.ts";
import { Checkpoints } from "./checkpoints.ts";
import type { ConsumerOptions } from "./shard-consumer.ts";
import { Signal } from "./signal.ts";
import { StreamConsumer } from "./stream-consumer.ts";
import type { Notes, StreamHandle } from "./stream-source.ts";

/** After a failure of the store. */
const lookAgainMs = 1_000;

/** What one trigger does with one table, through all the streams that the table has in time. */
export class TableFollower {
  readonly #options: Omit<ConsumerOptions, "stream">;
  readonly #notes: Notes;
  readonly #caller: Caller;
  /** When the trigger began. */
  readonly #since: number;
  readonly #signal: Signal;
  /** Streams that are done with, or that had ended before the trigger began. */
  readonly #finished = new Set<string>();
  #consumer: StreamConsumer | undefined;
  #isStopped = false;
  #saidThatNone = false;

  constructor(
    options: Omit<ConsumerOptions, "stream">,
    notes: Notes,
    caller: Caller,
    since: number,
  ) {
    this.#options = options;
    this.#notes = notes;
    this.#caller = caller;
    this.#since = since;
    this.#signal = new Signal(options.clock);
  }

  /** Until it is stopped. */
  async run(): Promise<void> {
    const checkpoints = await this.#checkpoints();
    while (!this.#isStopped) {
      try {
        const stream = await this.#next(checkpoints);
        if (stream === undefined) await this.#signal.wait();
        else await this.#consume(stream, checkpoints);
      } catch (error) {
        const { log, hosted, trigger, clock } = this.#options;
        const text = `the stream of ${trigger.table} cannot be read: ${(error as Error).message}`;
        log.tell(hosted.name, text);
        await this.#signal.wait(clock.now() + lookAgainMs);
      }
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

  /** The oldest stream that is not done with: what came later waits, so that each key stays in order. */
  async #next(checkpoints: Checkpoints): Promise<StreamHandle | undefined> {
    const { source, trigger, log, hosted } = this.#options;
    const streams = await source.streams(trigger.table, this.#caller);
    const known = new Set(streams.map(({ arn }) => arn));
    for (const arn of checkpoints.streams) if (!known.has(arn)) checkpoints.forget(arn);
    for (const stream of streams) {
      if (this.#finished.has(stream.arn)) continue;
      if (!(await this.#isOver(stream, checkpoints))) return stream;
      this.#finished.add(stream.arn);
    }
    if (!this.#saidThatNone && streams.length === 0) {
      this.#saidThatNone = true;
      log.tell(hosted.name, `${trigger.table} has no stream; it is waited for one`);
    }
    return undefined;
  }

  /** A stream that had ended before the trigger began, and that it had not begun with, is none of its concern. */
  async #isOver(stream: StreamHandle, checkpoints: Checkpoints): Promise<boolean> {
    if (stream.createdAt >= this.#since || checkpoints.has(stream.arn)) return false;
    return !(await this.#options.source.describe(stream)).isOpen;
  }

  async #consume(stream: StreamHandle, checkpoints: Checkpoints): Promise<void> {
    const { trigger } = this.#options;
    const isFromLatest = trigger.start === "LATEST" && stream.createdAt < this.#since;
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
