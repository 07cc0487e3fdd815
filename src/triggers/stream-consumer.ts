import type { Checkpoints, Position } from "./checkpoints.ts";
import { type ConsumerOptions, ShardConsumer } from "./shard-consumer.ts";
import { Signal } from "./signal.ts";
import type { ShardDescription, StreamDescription } from "./stream-source.ts";

/** A stream whose shards are all read is looked at again after so long: new ones may have begun. */
const lookEveryMs = 1_000;

/**
 * Hands the records of one stream to a function: those of a shard after those of its parent, shards
 * that have nothing to do with each other side by side.
 */
export class StreamConsumer {
  readonly #options: ConsumerOptions;
  readonly #checkpoints: Checkpoints;
  readonly #isFromLatest: boolean;
  readonly #running = new Map<string, ShardConsumer>();
  readonly #signal: Signal;
  readonly #since: number;
  #isStopped = false;

  /** `isFromLatest`: what is in the stream already is not wanted. */
  constructor(options: ConsumerOptions, checkpoints: Checkpoints, isFromLatest: boolean) {
    this.#options = options;
    this.#checkpoints = checkpoints;
    this.#isFromLatest = isFromLatest && !checkpoints.has(options.stream.arn);
    this.#signal = new Signal(options.clock);
    this.#since = options.clock.now();
  }

  /** Resolves when the stream is done with to its end, is gone, or when it was stopped. */
  async run(): Promise<"done" | "stopped"> {
    const { arn } = this.#options.stream;
    let isFirst = true;
    const running = new Set<Promise<void>>();
    while (!this.#isStopped) {
      const description = await this.#describe();
      if (description === "gone") break;
      if (description !== undefined) {
        if (isFirst && this.#isFromLatest) this.#skipOld(description);
        this.#checkpoints.begin(arn);
        for (const shard of this.#ready(description, isFirst)) {
          const run = this.#start(shard, description).finally(() => running.delete(run));
          running.add(run);
        }
        isFirst = false;
        if (this.#isDone(description)) break;
      }
      // A shard that ends wakes this; without one, somebody may have begun with a new one.
      const isIdle = this.#running.size === 0;
      await this.#signal.wait(isIdle ? this.#options.clock.now() + lookEveryMs : undefined);
    }
    for (const consumer of this.#running.values()) consumer.stop();
    await Promise.all(running);
    if (this.#isStopped) return "stopped";
    this.#checkpoints.forget(arn);
    return "done";
  }

  /** There may be new records. */
  tell(): void {
    for (const consumer of this.#running.values()) consumer.tell();
    if (this.#running.size === 0) this.#signal.notify();
  }

  /** The function has changed. */
  hurry(): void {
    for (const consumer of this.#running.values()) consumer.hurry();
  }

  stop(): void {
    this.#isStopped = true;
    for (const consumer of this.#running.values()) consumer.stop();
    this.#signal.notify();
  }

  async #describe(): Promise<StreamDescription | "gone" | undefined> {
    const { source, stream, log, hosted } = this.#options;
    try {
      return await source.describe(stream);
    } catch (error) {
      if (error instanceof Error && error.name === "ResourceNotFoundException") return "gone";
      log.tell(hosted.name, `${stream.arn} cannot be described: ${(error as Error).message}`);
      return undefined;
    }
  }

  /** Begins at the end: closed shards are done with, of open ones the old records are not wanted. */
  #skipOld({ shards }: StreamDescription): void {
    const { arn } = this.#options.stream;
    for (const { id, isClosed } of shards) {
      const position: Position = isClosed
        ? { kind: "done" }
        : { kind: "since", since: this.#since };
      this.#checkpoints.set(arn, id, position);
    }
  }

  /** The shards that can be begun: those whose parents are done with, or forgotten by the stream. */
  #ready(
    { shards }: StreamDescription,
    isFirst: boolean,
  ): (ShardDescription & { readonly isNew: boolean })[] {
    const { arn } = this.#options.stream;
    const ids = shards.map(({ id }) => id);
    this.#checkpoints.keepShards(arn, ids);
    const listed = new Set(ids);
    const isDone = (id: string): boolean => this.#checkpoints.position(arn, id)?.kind === "done";
    return shards
      .filter(({ id }) => !this.#running.has(id) && !isDone(id))
      .filter(({ parent }) => parent === undefined || !listed.has(parent) || isDone(parent))
      .map((shard) => ({ ...shard, isNew: isFirst && this.#isFromLatest }));
  }

  #isDone({ isOpen, shards }: StreamDescription): boolean {
    const { arn } = this.#options.stream;
    return (
      !isOpen && shards.every(({ id }) => this.#checkpoints.position(arn, id)?.kind === "done")
    );
  }

  async #start(
    { id, isNew }: ShardDescription & { readonly isNew: boolean },
    { partitionKey }: StreamDescription,
  ): Promise<void> {
    const { arn } = this.#options.stream;
    const consumer = new ShardConsumer(this.#options, {
      shard: id,
      partitionKey,
      from: this.#checkpoints.position(arn, id) ?? { kind: "start" },
      isNew,
      moved: (position) => this.#checkpoints.set(arn, id, position),
    });
    this.#running.set(id, consumer);
    const ended = await consumer.run();
    if (ended === "done") this.#checkpoints.set(arn, id, { kind: "done" });
    this.#running.delete(id);
    this.#signal.notify();
  }
}
