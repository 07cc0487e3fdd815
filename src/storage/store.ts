import type { MaybePromise } from "../base/maybe-promise.ts";

/** Keys and values are byte strings; keys order by unsigned bytes, a prefix before its extensions. */
export type Bytes = Uint8Array;

/**
 * Keys have one byte at least and so many at most (LMDB sets the bound). The bounds of a range may be
 * empty, or one byte longer so that the place just after a key can be named.
 */
export const keyBytesMax = 1_900;

export type Write =
  | { readonly kind: "put"; readonly key: Bytes; readonly value: Bytes }
  | { readonly kind: "delete"; readonly key: Bytes }
  /**
   * Adds to the totals kept under a counter name. Totals live apart from keys and values: they are
   * never read by `get` or `scan` and never a row that two commits wait for.
   */
  | {
      readonly kind: "add";
      readonly counter: Bytes;
      readonly count: number;
      readonly bytes: number;
    }
  /**
   * Puts the value behind all others of a log: under the key `log · number` (see `logKey`), where the
   * number is the store's to give. The key is like any other to `get`, `scan`, `clear` and deletes, but
   * nobody can know it, or lock it, before it is visible.
   */
  | { readonly kind: "append"; readonly log: Bytes; readonly value: Bytes };

export interface Decision<T> {
  /** Applied all or none, in order. Empty: nothing happens, `result` is still answered. */
  readonly writes: readonly Write[];
  readonly result: T;
}

/** From `start` inclusive to `end` exclusive. */
export interface KeyRange {
  readonly start: Bytes;
  readonly end: Bytes;
}

export interface ScanOptions {
  /** From the end of the range towards its start. */
  readonly reverse?: boolean;
  /** At most so many entries, one at least. */
  readonly limit: number;
  /** Stop after the entry with which the values' bytes reach this sum; one entry always fits. */
  readonly bytesMax: number;
}

export interface Entry {
  readonly key: Bytes;
  readonly value: Bytes;
}

export interface ScanPage {
  readonly entries: readonly Entry[];
  /** False only if the range is known to hold nothing beyond the last entry. */
  readonly more: boolean;
}

export interface Totals {
  readonly count: number;
  readonly bytes: number;
}

/**
 * An ordered, transactional map of bytes to bytes. Promises that every implementation keeps and the
 * contract suite checks:
 *
 * 1. `commit` is serialisable: it behaves as if all commits ran one after the other, in an order that
 *    agrees with the order in which they were acknowledged. In particular two commits that read the
 *    same missing key never both see it missing if one of them puts it. A commit may write keys that
 *    it did not read; but a key whose presence, absence or value matters must be among `readKeys`, and
 *    a shared store answers sooner if the keys that will be written are among them too.
 * 2. `decide` is called with the values of `readKeys`, in that order. It is synchronous and pure; it
 *    may be called more than once (a retry), and only the last call's decision counts. If it throws,
 *    nothing is written and `commit` rejects with what it threw; other commits are not disturbed.
 *    If the store itself fails (a full disk, a lost connection), commits that were running reject; one
 *    whose acknowledgement was lost with the connection may have been applied.
 * 3. A commit that resolved is visible to every later `get`, `scan`, `totals` and `commit`, and (with
 *    durability `flush`) survives the death of the machine; a commit is never half visible.
 * 4. `get` answers all its keys from one snapshot. `scan` answers its page from one snapshot.
 * 5. Bytes handed out belong to the caller for as long as it likes and are never changed; bytes handed
 *    in are not changed by the caller afterwards.
 * 6. `clear` removes a range in chunks, not atomically: others go on in between, and after a crash it
 *    can be called again.
 * 7. The numbers of appended entries follow the order of commits: of two commits of which one was
 *    acknowledged before the other began, or of which one had to wait for the other because of a key in
 *    `readKeys`, the later has the greater numbers; within a commit they rise in the order of its writes.
 *    No number is given twice in a store, whatever the log, nor one again that was ever visible, also not
 *    after a crash. Numbers are safe integers from 1 on; some may be left out.
 * 8. Every entry with a number below `horizon` is settled: a `scan` that begins afterwards sees it, unless it
 *    was deleted, or it never comes. So whoever reads a log up to the horizon, and later goes on from there,
 *    sees each entry once and in order. An acknowledged entry is below the horizon as soon as no commit
 *    that appends is still under way which drew its numbers before: at once on a store with one writer.
 */
export interface Store {
  get(keys: readonly Bytes[]): MaybePromise<readonly (Bytes | undefined)[]>;
  scan(range: KeyRange, options: ScanOptions): MaybePromise<ScanPage>;
  commit<T>(
    readKeys: readonly Bytes[],
    decide: (values: readonly (Bytes | undefined)[]) => Decision<T>,
    /** So many of the first keys are only looked at: a shared store lets others do so meanwhile. */
    sharedKeys?: number,
  ): Promise<T>;
  /** The sums of all `add` writes under the counter; zeros if there was none. */
  totals(counter: Bytes): MaybePromise<Totals>;
  /** Forgets a counter. */
  dropTotals(counter: Bytes): Promise<void>;
  clear(range: KeyRange): Promise<void>;
  /** The number before which the entries of all logs are settled. */
  horizon(): MaybePromise<number>;
  /**
   * Only on a store that other processes may write. Calls `changed` with every key of the range that one
   * of them has written, soon after it became visible, and without a key when some may have been missed.
   * Entries appended to logs are not told of.
   */
  watch?(range: KeyRange, changed: (key: Bytes | undefined) => void): Promise<void>;
  /**
   * Only on a store that keeps what is read in this process's memory. A long job calls it after each of its steps:
   * what the step has looked at need not stay there.
   */
  stepDone?(): void;
  /** Waits for running commits, then releases everything. */
  close(): Promise<void>;
}

/** What acknowledged means: on disk, or handed to the operating system. */
export type Durability = "flush" | "relaxed";
