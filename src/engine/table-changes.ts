import type { Write } from "../storage/store.ts";
import { backupOfDeleted, backupWrite } from "./backup-row.ts";
import {
  hasLocalIndex,
  type IndexDescriptor,
  type TableDescriptor,
  type TimeToLive,
} from "./descriptor.ts";
import type { Job } from "./jobs.ts";
import { closeStream } from "./stream-changes.ts";
import { fillQueueJob } from "./ttl-backfill.ts";

/** A descriptor after a change, with what has to be done in the background on account of it. */
export interface TableChange {
  readonly table: TableDescriptor | undefined;
  readonly jobs: readonly Job[];
  readonly writes: readonly Write[];
}

/**
 * The table goes, at once or (so that it can be seen going) later; its items go at once, its stream can
 * still be read. With point-in-time recovery its items become a backup of the service's.
 */
export function deleteTableChange(
  table: TableDescriptor,
  now: number,
  transitionMs: number,
): TableChange {
  const { stream, timeToLive, history, ...rest } = table;
  const isKept = history?.recovery !== undefined;
  const job: Job = {
    kind: "clear",
    ids: [...(isKept ? [] : [table.id]), ...table.indexes.map((index) => index.id)],
    ...(hasLocalIndex(table) && { collectionsOf: table.id }),
    ...(timeToLive !== undefined && { queueId: timeToLive.queueId }),
    ...(history !== undefined && { historyId: history.id }),
    // Who is copying the table goes on.
    ...(history?.holds !== undefined && { after: history.holds }),
  };
  const going =
    transitionMs === 0
      ? undefined
      : {
          ...rest,
          version: table.version + 1,
          // Global indexes are gone before the table is.
          indexes: table.indexes.filter((index) => index.kind === "local"),
          ...(stream !== undefined && { formerStreamLabel: stream.label }),
          transition: { status: "DELETING" as const, until: now + transitionMs },
        };
  const writes = [
    ...(stream === undefined ? [] : closeStream(table, stream, now, transitionMs)),
    ...(isKept ? [backupWrite(backupOfDeleted(table, now))] : []),
  ];
  return { table: going, jobs: [job], writes };
}

/** Items expire from now on, or no longer: a queue for that is filled, or removed. */
export function timeToLiveChange(
  table: TableDescriptor,
  timeToLive: TimeToLive | undefined,
  now: number,
): TableChange {
  const { timeToLive: before, ...rest } = table;
  const changed = { ...rest, version: table.version + 1, timeToLiveChangedAt: now };
  if (timeToLive !== undefined) {
    const jobs = [fillQueueJob(table, timeToLive)];
    return { table: { ...changed, timeToLive }, jobs, writes: [] };
  }
  const clear: Job[] =
    before === undefined ? [] : [{ kind: "clear", ids: [], queueId: before.queueId }];
  return { table: changed, jobs: clear, writes: [] };
}

/** The entries of an index that is no longer in the descriptor. */
export const clearIndexJob = (index: IndexDescriptor): Job => ({ kind: "clear", ids: [index.id] });

/** The items that were there before the index; those to come are the writers' concern. */
export const backfillJob = (table: TableDescriptor, index: IndexDescriptor): Job => ({
  kind: "backfill",
  namespace: table.namespace,
  table: table.name,
  tableId: table.id,
  indexId: index.id,
});
