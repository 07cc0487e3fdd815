import type { Bytes, Write } from "../storage/store.ts";
import { backupWrite, parseBackup, withoutReader } from "./backup-row.ts";
import { versionMatches } from "./catalog.ts";
import { hasLocalIndex, type TableDescriptor } from "./descriptor.ts";
import { type HistoryPoint, markOf } from "./history.ts";
import { endHold, type HeldHistory } from "./history-hold.ts";
import { type ItemSource, itemsAt, type PlacedItem } from "./history-read.ts";
import { indexEntry } from "./index-entries.ts";
import { collectionBytes, collectionValue } from "./item-collections.ts";
import {
  breath,
  currentJob,
  cursorOf,
  cursorText,
  forgetJob,
  isRecorded,
  recordJob,
  type StepContext,
  stepLimits,
} from "./job-steps.ts";
import type { ClearJob } from "./jobs.ts";
import {
  backupKey,
  collectionKey,
  counterName,
  hashOfDataKey,
  jobKey,
  placeKey,
  versionKey,
} from "./layout.ts";
import { StoredItem } from "./stored-item.ts";

/** Fills a new table with items of a backup, or of another table's past. Nobody can use it before. */
export interface RestoreJob {
  readonly kind: "restore";
  readonly namespace: string;
  readonly table: string;
  readonly tableId: number;
  readonly from:
    | { readonly backup: string; readonly table: string; readonly dataId: number }
    | (HeldHistory & { readonly historyId: number; readonly time: number });
  /** Items before this place are there; base64. */
  readonly cursor?: string;
  readonly filled?: boolean;
}

/** Answers what is left to do: to clear the history that nobody needs any more. */
export async function fillRestored(
  context: StepContext,
  first: RestoreJob,
): Promise<ClearJob | undefined> {
  const { store, catalog, stopped } = context;
  let job: RestoreJob | undefined = first;
  while (job !== undefined && !stopped()) {
    const table = await catalog.reload(job.namespace, job.table);
    // Whole, or never made.
    if (table?.id !== job.tableId || table.restore === undefined) return endRestore(context, job);
    if (job.filled === true) await complete(context, job);
    else job = await fillSome(context, job, table);
    await breath(store);
  }
  return undefined;
}

/** What the items came from is no longer read. */
export async function endRestore(
  { store, catalog, jobId }: Pick<StepContext, "store" | "catalog" | "jobId">,
  { namespace, from }: RestoreJob,
): Promise<ClearJob | undefined> {
  if (!("backup" in from)) return endHold(store, catalog, jobId, from);
  return store.commit([backupKey(namespace, from.table, from.backup)], ([row]) => ({
    writes: [
      forgetJob(jobId),
      ...(row === undefined ? [] : [backupWrite(withoutReader(parseBackup(row), jobId))]),
    ],
    result: undefined,
  }));
}

function complete({ catalog }: StepContext, { namespace, table: name, tableId }: RestoreJob) {
  return catalog.change(namespace, name, (table) => {
    if (table?.id !== tableId || table.restore === undefined) return { table, result: undefined };
    const { transition: _, restore: __, ...rest } = table;
    return { table: { ...rest, version: table.version + 1 }, result: undefined };
  });
}

/** The job after a step; nothing if another process has ended it. */
async function fillSome(
  { store, jobId }: StepContext,
  job: RestoreJob,
  table: TableDescriptor,
): Promise<RestoreJob | undefined> {
  const source = sourceOf(job, await markOf(store, jobId));
  if (source === undefined) return currentJob(store, jobId);
  const { items, next } = await itemsAt(store, source, cursorOf(job), stepLimits);
  const after: RestoreJob =
    next === undefined ? { ...job, filled: true } : { ...job, cursor: cursorText(next) };
  const fill = fillWrites(table, items);
  const collections = [...fill.collections.values()];
  const isDone = await store.commit(
    [versionKey(table.id), jobKey(jobId), ...collections.map(({ key }) => key)],
    ([version, record, ...sizes]) => {
      if (!versionMatches(table, version) || !isRecorded(job, record)) {
        return { writes: [], result: false };
      }
      const grown = collections.map(
        ({ key, bytes }, i): Write => ({
          kind: "put",
          key,
          value: collectionValue(collectionBytes(sizes[i]) + bytes),
        }),
      );
      return { writes: [recordJob(jobId, after), ...fill.writes, ...grown], result: true };
    },
  );
  return isDone ? after : currentJob(store, jobId);
}

function sourceOf({ from }: RestoreJob, number: number | undefined): ItemSource | undefined {
  if ("backup" in from) return { dataId: from.dataId };
  if (number === undefined) return undefined;
  const point: HistoryPoint = { time: from.time, number };
  return { dataId: from.tableId, history: { id: from.historyId, point } };
}

interface Fill {
  readonly writes: readonly Write[];
  /** By the hash of their partition key: the row of a collection and by how much it grows. */
  readonly collections: ReadonlyMap<string, { readonly key: Bytes; bytes: number }>;
}

/** What puts items into a table that has none of them: themselves, their entries, what is counted. */
export function fillWrites(table: TableDescriptor, items: readonly PlacedItem[]): Fill {
  const writes: Write[] = [];
  const totals = new Map<number, { count: number; bytes: number }>();
  const collections = new Map<string, { readonly key: Bytes; bytes: number }>();
  const counted = hasLocalIndex(table);
  const count = (id: number, bytes: number): void => {
    const sum = totals.get(id);
    if (sum === undefined) totals.set(id, { count: 1, bytes });
    else {
      sum.count += 1;
      sum.bytes += bytes;
    }
  };
  for (const { place, value } of items) {
    const key = placeKey(table.id, place);
    const stored = StoredItem.read(value);
    writes.push({ kind: "put", key, value });
    count(table.id, stored.size);
    let collected = stored.size;
    for (const index of table.indexes) {
      const entry = indexEntry(table, index, stored.item);
      if (entry === undefined) continue;
      const bytes = StoredItem.make(entry.item, entry.size).bytes;
      writes.push({ kind: "put", key: entry.key, value: bytes });
      count(index.id, entry.size);
      if (index.kind === "local") collected += entry.size;
    }
    if (!counted) continue;
    const hash = hashOfDataKey(key);
    const name = Buffer.from(hash).toString("latin1");
    const collection = collections.get(name);
    if (collection !== undefined) collection.bytes += collected;
    else collections.set(name, { key: collectionKey(table.id, hash), bytes: collected });
  }
  for (const [id, sum] of totals) {
    writes.push({ kind: "add", counter: counterName(id), count: sum.count, bytes: sum.bytes });
  }
  return { writes, collections };
}
