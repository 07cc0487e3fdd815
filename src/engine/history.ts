import { assert } from "../base/assert.ts";
import { numberOfLogKey } from "../storage/log-keys.ts";
import type { Bytes, Store, Write } from "../storage/store.ts";
import type { HistoryDescriptor, TableDescriptor } from "./descriptor.ts";
import { historyMarkLog, historyMarkRange, placeOf, undoLog, undoOrderLog } from "./layout.ts";
import type { StoredItem } from "./stored-item.ts";

/**
 * The past of a table is a log of what its items were before they were changed, written in the commits that
 * change them. An item as of some moment is the old image of its first change after that moment, else the
 * item as it is: there is no copy of the whole table. `history-read.ts` reads it.
 */

const timeBytes = 8;

/** Keeps what the item was. Both logs get an entry in the same commit, so each leads to the other. */
export function addUndo(
  { id }: HistoryDescriptor,
  key: Bytes,
  before: StoredItem | undefined,
  after: StoredItem | undefined,
  now: number,
  writes: Write[],
): void {
  if (before === undefined) {
    if (after === undefined) return;
  } else if (after !== undefined && Buffer.compare(before.bytes, after.bytes) === 0) return;
  const place = placeOf(key);
  writes.push({ kind: "append", log: undoLog(id, place), value: timed(now, before?.bytes) });
  writes.push({ kind: "append", log: undoOrderLog(id), value: timed(now, place) });
}

function timed(time: number, rest: Bytes | undefined): Bytes {
  const bytes = Buffer.allocUnsafe(timeBytes + (rest?.length ?? 0));
  bytes.writeDoubleBE(time, 0);
  if (rest !== undefined) bytes.set(rest, timeBytes);
  return bytes;
}

/** When the change was made that an entry of either log tells of. */
export function timeOfEntry(value: Bytes): number {
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).readDoubleBE(0);
}

/** The stored item before the change; undefined if there was none. */
export function imageOfEntry(value: Bytes): Bytes | undefined {
  return value.length === timeBytes ? undefined : value.subarray(timeBytes);
}

export const placeOfOrderEntry = (value: Bytes): Bytes => value.subarray(timeBytes);

/**
 * A moment in a table's past. The number is that of a mark, which the store has put between the commits
 * before and after it; so a moment that is hardly over is as sharp as an old one.
 */
export interface HistoryPoint {
  /** Changes after this time are not part of it; undefined: only the mark counts. */
  readonly time?: number;
  readonly number: number;
}

export function isAfter({ time, number }: HistoryPoint, changedAt: number, change: number) {
  return change > number || (time !== undefined && changedAt > time);
}

/**
 * The table with its history kept as it is until the job of this id has ended, and the mark that divides what
 * was before from what comes. To be done in one commit with the job's record. `newId` names the history if
 * there was none.
 */
export function holdHistory(
  table: TableDescriptor,
  jobId: number,
  newId: number,
): { readonly table: HeldTable; readonly writes: readonly Write[] } {
  const history = table.history ?? { id: newId };
  return {
    table: {
      ...table,
      version: table.version + 1,
      history: { ...history, holds: [...(history.holds ?? []), jobId] },
    },
    writes: [{ kind: "append", log: historyMarkLog(jobId), value: nothing }],
  };
}

export type HeldTable = TableDescriptor & { readonly history: HistoryDescriptor };

/** Whoever held it no longer does; the history goes if nobody needs it: then its id is answered. */
export function releaseHistory(
  table: TableDescriptor,
  jobId: number,
): { readonly table: TableDescriptor; readonly dropped?: number } {
  const { history, ...rest } = table;
  if (history?.holds?.includes(jobId) !== true) return { table };
  const { holds: _, ...kept } = history;
  const holds = history.holds.filter((hold) => hold !== jobId);
  const version = table.version + 1;
  if (holds.length > 0) return { table: { ...table, version, history: { ...kept, holds } } };
  if (kept.recovery !== undefined) return { table: { ...table, version, history: kept } };
  return { table: { ...rest, version }, dropped: history.id };
}

const nothing: Bytes = Buffer.alloc(0);

/** The number of the mark that was made for a job; undefined if the job is done. */
export async function markOf(store: Store, jobId: number): Promise<number | undefined> {
  const page = await store.scan(historyMarkRange(jobId), { limit: 2, bytesMax: 1_000 });
  assert(page.entries.length < 2, "a job has one mark");
  const [entry] = page.entries;
  return entry === undefined ? undefined : numberOfLogKey(entry.key);
}
