import { unreachable } from "../base/assert.ts";
import { latin1Of } from "../base/bytes.ts";
import { assertWrite } from "./bytes.ts";
import { logKey } from "./log-keys.ts";
import type { Bytes, Totals, Write } from "./store.ts";

/** What a batch does to a key: the value it puts, or null if it deletes the key. */
export interface KeyChange {
  readonly key: Bytes;
  readonly value: Bytes | null;
}

/** What a batch does to a counter: starts again from zero first if `reset`, then adds. */
export interface CounterChange extends Totals {
  readonly counter: Bytes;
  readonly reset: boolean;
}

/** An entry of a log that has no number yet. */
export type Append = Extract<Write, { kind: "append" }>;

/**
 * The writes of many commits that go to disk in one transaction. Later commits read through it, so
 * it keeps the last change of each key only.
 */
export class WriteBatch {
  readonly keys = new Map<string, KeyChange>();
  readonly counters = new Map<string, CounterChange>();
  /** In the order of commits. */
  appends: Append[] = [];
  /** The number after the last that `stamp` gave. */
  nextNumber: number | undefined;
  readonly done: Promise<void>;
  #settle: { readonly resolve: () => void; readonly reject: (error: unknown) => void } | undefined;

  constructor() {
    this.done = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    // Each commit handles the failure of its batch; a batch nobody waits for is no defect.
    this.done.catch(() => {});
  }

  get empty(): boolean {
    return this.keys.size === 0 && this.counters.size === 0 && this.appends.length === 0;
  }

  add(writes: readonly Write[]): void {
    for (const write of writes) assertWrite(write);
    for (const write of writes) {
      switch (write.kind) {
        case "put":
          this.keys.set(latin1Of(write.key), { key: write.key, value: write.value });
          break;
        case "delete":
          this.keys.set(latin1Of(write.key), { key: write.key, value: null });
          break;
        case "add":
          this.#count(write.counter, write);
          break;
        case "append":
          this.appends.push(write);
          break;
        default:
          unreachable(write);
      }
    }
  }

  /** Turns the appends into puts with the numbers from `first` on; answers the next number. */
  stamp(first: number): number {
    if (this.appends.length === 0) return first;
    let number = first;
    for (const { log, value } of this.appends) {
      const key = logKey(log, number);
      this.keys.set(latin1Of(key), { key, value });
      number += 1;
    }
    this.appends = [];
    this.nextNumber = number;
    return number;
  }

  dropTotals(counter: Bytes): void {
    this.counters.set(latin1Of(counter), { counter, reset: true, count: 0, bytes: 0 });
  }

  #count(counter: Bytes, { count, bytes }: Totals): void {
    const name = latin1Of(counter);
    const before = this.counters.get(name);
    this.counters.set(name, {
      counter,
      reset: before?.reset ?? false,
      count: (before?.count ?? 0) + count,
      bytes: (before?.bytes ?? 0) + bytes,
    });
  }

  succeed(): void {
    this.#settle?.resolve();
  }

  fail(error: unknown): void {
    this.#settle?.reject(error);
  }
}
