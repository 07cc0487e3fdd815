import { assert } from "../base/assert.ts";
import { payloadBytesMax } from "./limits.ts";

/** A record that waits for its call: where it is in its shard, how old it is, and the JSON of it. */
export interface Waiting {
  readonly sequence: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly json: string;
  /** Of the JSON. */
  readonly bytes: number;
}

export interface LanePolicy {
  readonly batchSize: number;
  readonly windowMs: number;
  readonly bisect: boolean;
  /** How often a batch is tried again; undefined: without end. */
  readonly retries: number | undefined;
  readonly maxAgeMs: number;
}

export type DiscardReason = "RetryAttemptsExhausted" | "RecordAgeExceeded";

export type Step =
  | { readonly kind: "call"; readonly records: readonly Waiting[]; readonly calls: number }
  | {
      readonly kind: "discard";
      readonly records: readonly Waiting[];
      readonly reason: DiscardReason;
      /** How often the function was called with them. */
      readonly calls: number;
    }
  /** Until then, or until something happens. */
  | { readonly kind: "wait"; readonly until: number | undefined };

interface Batch {
  readonly records: readonly Waiting[];
  /** Failed calls that count against the retries: those that were answered by splitting do not. */
  readonly attempts: number;
  readonly calls: number;
  readonly notBefore: number;
}

/** `{"Records":[]}`, and a comma for each record. */
const eventFrameBytes = 14;

const backoffFirstMs = 200;
const backoffMaxMs = 10_000;

/**
 * The records of one shard, or of a part of its keys, on their way to a function: one batch at a time, in
 * order. It decides and does nothing: the caller asks for the next step, takes it, and tells how it went.
 */
export class Lane {
  readonly #policy: LanePolicy;
  /** Records that no batch holds yet. */
  #queue: Waiting[] = [];
  /** The first is next. More than one after a batch was split. */
  #batches: Batch[] = [];
  #busy = false;
  /** When the window opened in which the queue gathers. */
  #windowFrom = 0;
  #count = 0;
  #bytes = 0;

  constructor(policy: LanePolicy) {
    this.#policy = policy;
  }

  get count(): number {
    return this.#count;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The oldest record that is not done with. */
  get first(): Waiting | undefined {
    return this.#batches[0]?.records[0] ?? this.#queue[0];
  }

  push(record: Waiting, now: number): void {
    if (this.#queue.length === 0) this.#windowFrom = now;
    this.#queue.push(record);
    this.#count += 1;
    this.#bytes += record.bytes;
  }

  /** What to do now. After a call or a discard, tell how it went before asking again. */
  step(now: number): Step {
    assert(!this.#busy, "a lane takes one step at a time");
    if (this.#batches.length === 0) {
      const opens = this.#formBatch(now);
      if (opens !== now) return { kind: "wait", until: opens };
    }
    const batch = this.#head();
    const step = this.#discardOf(batch, now) ?? this.#callOf(batch, now);
    this.#busy = step.kind !== "wait";
    return step;
  }

  /** Makes a batch of what waits, if it is time; answers when it is: now, later, or not known. */
  #formBatch(now: number): number | undefined {
    if (this.#queue.length === 0) return undefined;
    const { batchSize, windowMs } = this.#policy;
    const length = this.#batchLength();
    const isFull = length === batchSize || length < this.#queue.length;
    const until = this.#windowFrom + windowMs;
    if (!isFull && until > now) return until;
    const records = this.#queue.slice(0, length);
    this.#queue = this.#queue.slice(length);
    this.#windowFrom = now;
    this.#batches = [{ records, attempts: 0, calls: 0, notBefore: 0 }];
    return now;
  }

  /** As many as fit into a batch and its event; one always does. */
  #batchLength(): number {
    const most = Math.min(this.#policy.batchSize, this.#queue.length);
    let bytes = eventFrameBytes;
    for (let length = 0; length < most; length += 1) {
      bytes += (this.#queue[length] as Waiting).bytes + 1;
      if (bytes > payloadBytesMax && length > 0) return length;
    }
    return most;
  }

  #discardOf(batch: Batch, now: number): Step | undefined {
    const { retries, maxAgeMs } = this.#policy;
    const { records, attempts, calls } = batch;
    if (retries !== undefined && attempts > retries) {
      return { kind: "discard", records, reason: "RetryAttemptsExhausted", calls };
    }
    // Records are in the order of their age.
    const young = records.findIndex(({ createdAt }) => now - createdAt <= maxAgeMs);
    if (young === 0) return undefined;
    const old = young === -1 ? records : records.slice(0, young);
    return { kind: "discard", records: old, reason: "RecordAgeExceeded", calls };
  }

  #callOf({ records, calls, notBefore }: Batch, now: number): Step {
    return notBefore > now
      ? { kind: "wait", until: notBefore }
      : { kind: "call", records, calls: calls + 1 };
  }

  /** The whole batch is done with. */
  succeeded(now: number): void {
    this.#take();
    this.#remove(this.#head().records.length, now);
  }

  /** So many records, which were to be discarded, are. */
  discarded(count: number, now: number): void {
    this.#take();
    this.#remove(count, now);
  }

  /** The function failed: the batch is split, or tried again later. */
  failed(now: number): void {
    this.#take();
    const batch = this.#head();
    const { records, attempts, notBefore } = batch;
    const calls = batch.calls + 1;
    if (this.#policy.bisect && records.length > 1) {
      const middle = Math.ceil(records.length / 2);
      const halves = [records.slice(0, middle), records.slice(middle)];
      const split = halves.map((half) => ({ records: half, attempts, calls, notBefore }));
      this.#batches.splice(0, 1, ...split);
    } else this.#again(batch, now);
  }

  /** The function did the records before this one, and reported it. */
  failedFrom(index: number, now: number): void {
    this.#take();
    const batch = this.#head();
    this.#remove(index, now);
    if (index < batch.records.length) this.#again(this.#head(), now);
  }

  /** The function could not be called: that is no attempt. */
  postponed(until: number): void {
    this.#take();
    this.#batches[0] = { ...this.#head(), notBefore: until };
  }

  /** The function has changed: what waits to be tried again need not wait. */
  hurry(): void {
    const [head] = this.#batches;
    if (head !== undefined && !this.#busy) this.#batches[0] = { ...head, notBefore: 0 };
  }

  #again(batch: Batch, now: number): void {
    const attempts = batch.attempts + 1;
    const notBefore = now + Math.min(backoffFirstMs * 2 ** (attempts - 1), backoffMaxMs);
    this.#batches[0] = { ...batch, attempts, calls: batch.calls + 1, notBefore };
  }

  /** Takes the first records of the head batch away. */
  #remove(count: number, now: number): void {
    const { records, ...rest } = this.#head();
    for (const { bytes } of records.slice(0, count)) this.#bytes -= bytes;
    this.#count -= count;
    if (count < records.length) this.#batches[0] = { ...rest, records: records.slice(count) };
    else this.#batches.shift();
    // The next window opens when a batch is done with.
    if (this.#batches.length === 0) this.#windowFrom = now;
  }

  #take(): void {
    assert(this.#busy, "a step was taken");
    this.#busy = false;
  }

  #head(): Batch {
    const [head] = this.#batches;
    assert(head !== undefined, "there is a batch");
    return head;
  }
}
