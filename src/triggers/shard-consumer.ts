import type { Clock } from "../base/clock.ts";
import { verdictOf } from "./batch-response.ts";
import type { Position } from "./checkpoints.ts";
import { writeDiscarded } from "./discarded.ts";
import { filterMatches } from "./filter-pattern.ts";
import type { CallOutcome, HostedFunction } from "./hosted-function.ts";
import { lambdaRecord, streamEvent } from "./lambda-event.ts";
import { Lane, type Step, type Waiting } from "./lane.ts";
import type { TriggerSettings } from "./settings.ts";
import { type ShardPage, ShardReader } from "./shard-reader.ts";
import { Signal } from "./signal.ts";
import type { StreamHandle, StreamRecord, StreamSource } from "./stream-source.ts";
import type { TriggerLog } from "./trigger-log.ts";

export interface ConsumerOptions {
  readonly trigger: TriggerSettings;
  readonly source: StreamSource;
  readonly stream: StreamHandle;
  readonly hosted: Pick<HostedFunction, "call" | "arn" | "name">;
  readonly clock: Clock;
  readonly log: TriggerLog;
}

export interface ShardBeginning {
  readonly shard: string;
  readonly partitionKey: string;
  readonly from: Position;
  /** Nobody has read the shard for this trigger before. */
  readonly isNew: boolean;
  /** Is told how far the shard is done with. */
  readonly moved: (position: Position) => void;
}

/** More than this is not read ahead of the function. */
const aheadBytesMax = 16 * 1_024 * 1_024;
const aheadBatches = 2;
/** Without being told of new records they are looked for this often: another process may write them. */
const lookEveryMs = 1_000;
/** A function that cannot be loaded is asked again after so long, or when it changes. */
const unusableMs = 1_000;

type Discard = Extract<Step, { kind: "discard" }>;

interface LaneLoop {
  readonly lane: Lane;
  readonly signal: Signal;
}

/**
 * Hands the records of one shard to a function, in order: in one lane, or in several between which the
 * partition keys are divided.
 */
export class ShardConsumer {
  readonly #options: ConsumerOptions;
  readonly #shard: string;
  readonly #partitionKey: string;
  readonly #moved: (position: Position) => void;
  readonly #reader: ShardReader;
  readonly #reading: Signal;
  readonly #lanes: readonly LaneLoop[];
  #isStopped = false;
  #isAtEnd = false;

  constructor(
    options: ConsumerOptions,
    { shard, partitionKey, from, isNew, moved }: ShardBeginning,
  ) {
    this.#options = options;
    this.#shard = shard;
    this.#partitionKey = partitionKey;
    this.#moved = moved;
    this.#reader = new ShardReader(options, shard, from, isNew);
    this.#reading = new Signal(options.clock);
    const { parallel, policy } = options.trigger;
    this.#lanes = Array.from({ length: parallel }, () => ({
      lane: new Lane(policy),
      signal: new Signal(options.clock),
    }));
  }

  /** Resolves when the shard is done with to its end, or when it was stopped and no call is running. */
  async run(): Promise<"done" | "stopped"> {
    await Promise.all([this.#read(), ...this.#lanes.map((loop) => this.#hand(loop))]);
    return this.#isAtEnd && this.#lanes.every(({ lane }) => lane.count === 0) ? "done" : "stopped";
  }

  /** There may be new records. */
  tell(): void {
    this.#reading.notify();
  }

  /** The function has changed. */
  hurry(): void {
    for (const { lane, signal } of this.#lanes) {
      lane.hurry();
      signal.notify();
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.#wakeAll();
  }

  #wakeAll(): void {
    this.#reading.notify();
    for (const { signal } of this.#lanes) signal.notify();
  }

  async #read(): Promise<void> {
    const { clock } = this.#options;
    while (!this.#isStopped && !this.#isAtEnd) {
      if (!this.#hasRoom()) {
        await this.#reading.wait();
        continue;
      }
      const page = await this.#reader.next().catch((error: unknown) => this.#complain(error));
      for (const record of page.records) this.#take(record);
      this.#isAtEnd = page.isEnd;
      if (!page.isEmpty) this.#note();
      else if (!page.isEnd) await this.#reading.wait(clock.now() + lookEveryMs);
    }
    this.#wakeAll();
  }

  /** A failure to read is no end: it is tried again. */
  #complain(error: unknown): ShardPage {
    if (!this.#isStopped) this.#tell(`cannot be read: ${(error as Error).message}`);
    return { records: [], isEmpty: true, isEnd: false };
  }

  #hasRoom(): boolean {
    const { parallel, policy } = this.#options.trigger;
    let count = 0;
    let bytes = 0;
    for (const { lane } of this.#lanes) {
      count += lane.count;
      bytes += lane.bytes;
    }
    return bytes < aheadBytesMax && count < aheadBatches * parallel * policy.batchSize;
  }

  #take(record: StreamRecord): void {
    const { trigger, stream, clock } = this.#options;
    const event = lambdaRecord(record, stream.arn);
    const { filters } = trigger;
    if (filters.length > 0 && !filters.some((filter) => filterMatches(filter, event))) return;
    const { SequenceNumber, ApproximateCreationDateTime } = record.dynamodb;
    const json = JSON.stringify(event);
    const loop = this.#loopOf(record);
    loop.lane.push(
      {
        sequence: SequenceNumber,
        createdAt: ApproximateCreationDateTime * 1_000,
        json,
        bytes: Buffer.byteLength(json),
      },
      clock.now(),
    );
    loop.signal.notify();
  }

  /** Records of one partition key always take the same lane. */
  #loopOf({ dynamodb: { Keys } }: StreamRecord): LaneLoop {
    const lanes = this.#lanes;
    const [first] = lanes as [LaneLoop];
    if (lanes.length === 1) return first;
    const key = JSON.stringify(Keys[this.#partitionKey]) ?? "";
    let hash = 0;
    for (let i = 0; i < key.length; i += 1) hash = (Math.imul(hash, 31) + key.charCodeAt(i)) | 0;
    return lanes[Math.abs(hash) % lanes.length] ?? first;
  }

  /** Tells how far the shard is done with: up to the oldest record that is not. */
  #note(): void {
    let first: string | undefined;
    for (const { lane } of this.#lanes) {
      const sequence = lane.first?.sequence;
      if (sequence !== undefined && (first === undefined || isBefore(sequence, first))) {
        first = sequence;
      }
    }
    if (first !== undefined) this.#moved({ kind: "at", sequence: first });
    else if (this.#reader.last !== undefined) {
      this.#moved({ kind: "after", sequence: this.#reader.last });
    }
  }

  async #hand({ lane, signal }: LaneLoop): Promise<void> {
    const { clock } = this.#options;
    while (!this.#isStopped && !(this.#isAtEnd && lane.count === 0)) {
      const step = lane.step(clock.now());
      if (step.kind === "wait") {
        await signal.wait(step.until);
        continue;
      }
      if (step.kind === "discard") await this.#discard(lane, step);
      else await this.#call(lane, step.records, step.calls);
      this.#note();
      this.#reading.notify();
    }
  }

  async #call(lane: Lane, records: readonly Waiting[], calls: number): Promise<void> {
    const { hosted, clock } = this.#options;
    const outcome = await hosted.call(streamEvent(records));
    if (outcome.kind === "unusable") return lane.postponed(clock.now() + unusableMs);
    // A call that was ended with the server says nothing about the function.
    if (outcome.kind === "failed" && this.#isStopped) return lane.postponed(clock.now());
    const { ms } = outcome;
    const count = records.length === 1 ? "1 record" : `${records.length} records`;
    const result = this.#settle(lane, records, outcome);
    const again = calls > 1 ? `, call ${calls}` : "";
    this.#tell(`${count}, ${ms} ms${again}: ${result}`);
    if (outcome.kind === "failed") this.#options.log.print(hosted.name, outcome.text);
  }

  /** Tells the lane how a call went, and answers it in a word. */
  #settle(
    lane: Lane,
    records: readonly Waiting[],
    outcome: Exclude<CallOutcome, { kind: "unusable" }>,
  ): string {
    const now = this.#options.clock.now();
    if (outcome.kind === "failed") {
      lane.failed(now);
      return `failed with ${outcome.type}`;
    }
    const sequences = records.map(({ sequence }) => sequence);
    const verdict = this.#options.trigger.reportItemFailures
      ? verdictOf(outcome.json, sequences)
      : ({ kind: "done" } as const);
    if (verdict.kind === "done") {
      lane.succeeded(now);
      return "ok";
    }
    if (verdict.kind === "failed-from") {
      lane.failedFrom(verdict.index, now);
      return `failed from record ${verdict.index + 1} on, as reported`;
    }
    lane.failed(now);
    return "failed, because batchItemFailures cannot be understood";
  }

  async #discard(lane: Lane, { records, reason, calls }: Discard): Promise<void> {
    const { trigger, hosted, stream, clock } = this.#options;
    const now = clock.now();
    const why = reason === "RecordAgeExceeded" ? "too old" : "no retries are left";
    const count = records.length === 1 ? "1 record" : `${records.length} records`;
    this.#tell(`${count} given up: ${why}`);
    if (trigger.onFailure !== undefined) {
      const told = { records, reason, calls, functionArn: hosted.arn, now };
      await writeDiscarded(trigger.onFailure, {
        ...told,
        streamArn: stream.arn,
        shard: this.#shard,
      }).catch((error: unknown) => {
        this.#tell(`${trigger.onFailure} cannot be written: ${(error as Error).message}`);
      });
    }
    lane.discarded(records.length, now);
  }

  #tell(text: string): void {
    const { log, hosted, trigger } = this.#options;
    log.tell(hosted.name, `${trigger.table} ${shortShard(this.#shard)}: ${text}`);
  }
}

/** The end of a shard's id is what differs. */
export const shortShard = (shard: string): string => shard.replace(/^shardId-0*/, "shard ");

/** Sequence numbers are whole numbers of any length. */
function isBefore(a: string, b: string): boolean {
  return a.length === b.length ? a < b : a.length < b.length;
}
