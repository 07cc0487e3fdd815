import type { Bytes, Entry, Store, Write } from "../storage/store.ts";
import { type Catalog, versionMatches } from "./catalog.ts";
import type { TableDescriptor, TimeToLive } from "./descriptor.ts";
import { dataRange, queueKey, versionKey } from "./layout.ts";
import { afterKey } from "./read.ts";
import { StoredItem } from "./stored-item.ts";
import { expiryOf, nothing } from "./ttl-queue.ts";

/** A new queue takes in the items that were there before it; those to come are the writers' concern. */
export interface FillQueueJob {
  readonly kind: "fill-queue";
  readonly namespace: string;
  readonly table: string;
  readonly tableId: number;
  readonly queueId: number;
  /** Keys of items before this one are done; base64. */
  readonly cursor?: string;
}

export const fillQueueJob = (table: TableDescriptor, { queueId }: TimeToLive): FillQueueJob => ({
  kind: "fill-queue",
  namespace: table.namespace,
  table: table.name,
  tableId: table.id,
  queueId,
});

export interface FillQueueContext {
  readonly store: Store;
  readonly catalog: Catalog;
  readonly stopped: () => boolean;
  /** Records how far the job has come. */
  readonly record: (job: FillQueueJob) => Write;
  /** Is told that nothing was put into the queue for an earlier second. */
  readonly queued: (table: TableDescriptor, seconds: number) => void;
}

const chunk = { limit: 100, bytesMax: 256 * 1024 };

/** True when nothing is left to do; false if it was stopped before. */
export async function fillQueue(context: FillQueueContext, first: FillQueueJob): Promise<boolean> {
  const { store, catalog } = context;
  let job = first;
  while (!context.stopped()) {
    const table = await catalog.reload(job.namespace, job.table);
    const timeToLive = table?.timeToLive;
    // It may have been disabled meanwhile, or the table deleted.
    if (table?.id !== job.tableId || timeToLive?.queueId !== job.queueId) return true;
    const range = dataRange(table.id);
    const start = job.cursor === undefined ? range.start : Buffer.from(job.cursor, "base64");
    const page = await store.scan({ start, end: range.end }, chunk);
    const last = page.entries.at(-1);
    if (last === undefined) {
      // A commit whose answer was lost has told nothing of what it did.
      context.queued(table, 0);
      return true;
    }
    const next = { ...job, cursor: Buffer.from(afterKey(last.key)).toString("base64") };
    const done = await fillSome(store, table, timeToLive, page.entries, context.record(next));
    store.stepDone?.();
    if (done === undefined) continue;
    if (done < Number.POSITIVE_INFINITY) context.queued(table, done);
    job = next;
  }
  return false;
}

/** The first second that was put into the queue; undefined if the table has changed meanwhile. */
async function fillSome(
  store: Store,
  table: TableDescriptor,
  timeToLive: TimeToLive,
  entries: readonly Entry[],
  record: Write,
): Promise<number | undefined> {
  const expiring: { readonly key: Bytes; readonly value: Bytes; readonly seconds: number }[] = [];
  for (const { key, value } of entries) {
    const seconds = expiryOf(timeToLive, StoredItem.read(value).item);
    if (seconds !== undefined) expiring.push({ key, value, seconds });
  }
  const readKeys = [versionKey(table.id), ...expiring.map(({ key }) => key)];
  return store.commit(
    readKeys,
    (values) => {
      if (!versionMatches(table, values[0])) return { writes: [], result: undefined };
      const writes: Write[] = [record];
      let earliest = Number.POSITIVE_INFINITY;
      for (const [i, { key, value, seconds }] of expiring.entries()) {
        const current = values[1 + i];
        // An item that was changed or removed since the scan is the writer's concern: every writer knows
        // the queue by now.
        if (current === undefined || Buffer.compare(current, value) !== 0) continue;
        writes.push({
          kind: "put",
          key: queueKey(timeToLive.queueId, seconds, key),
          value: nothing,
        });
        earliest = Math.min(earliest, seconds);
      }
      return { writes, result: earliest };
    },
    1,
  );
}
