import type { Write } from "../storage/store.ts";
import { backupWrite, parseBackup } from "./backup-row.ts";
import { markOf } from "./history.ts";
import { endHold, type HeldHistory } from "./history-hold.ts";
import { itemsAt } from "./history-read.ts";
import {
  breath,
  currentJob,
  cursorOf,
  cursorText,
  isRecorded,
  recordJob,
  type StepContext,
  stepLimits,
} from "./job-steps.ts";
import type { ClearJob } from "./jobs.ts";
import { backupKey, counterName, jobKey, placeKey } from "./layout.ts";
import { StoredItem } from "./stored-item.ts";

/**
 * Copies the items of a table as they were when a backup was asked for. The table goes on meanwhile: what is
 * changed is read from the table's history, which is kept until the copy is whole.
 */
export interface CopyJob extends HeldHistory {
  readonly kind: "copy";
  readonly historyId: number;
  readonly backup: string;
  readonly dataId: number;
  /** Items before this place are copied; base64. */
  readonly cursor?: string;
  readonly copied?: boolean;
}

/** Answers what is left to do: to clear the history that nobody needs any more. */
export async function copyBackup(
  context: StepContext,
  first: CopyJob,
): Promise<ClearJob | undefined> {
  const { store, catalog, jobId, stopped } = context;
  let job: CopyJob | undefined = first;
  while (job !== undefined && !stopped()) {
    if (job.copied === true) return endHold(store, catalog, jobId, job);
    job = await copySome(context, job);
    await breath(store);
  }
  return undefined;
}

/** The job after a step; nothing if another process has ended it. */
async function copySome({ store, jobId }: StepContext, job: CopyJob): Promise<CopyJob | undefined> {
  const number = await markOf(store, jobId);
  if (number === undefined) return currentJob(store, jobId);
  const source = { dataId: job.tableId, history: { id: job.historyId, point: { number } } };
  const { items, next } = await itemsAt(store, source, cursorOf(job), stepLimits);
  const after: CopyJob =
    next === undefined ? { ...job, copied: true } : { ...job, cursor: cursorText(next) };
  const writes: Write[] = [recordJob(jobId, after)];
  let bytes = 0;
  for (const { place, value } of items) {
    writes.push({ kind: "put", key: placeKey(job.dataId, place), value });
    bytes += StoredItem.read(value).size;
  }
  const count = items.length;
  if (count > 0) writes.push({ kind: "add", counter: counterName(job.dataId), count, bytes });
  const rowKey = backupKey(job.namespace, job.table, job.backup);
  const isDone = await store.commit([jobKey(jobId), rowKey], ([record, row]) => {
    if (!isRecorded(job, record)) return { writes: [], result: false };
    if (after.copied !== true || row === undefined) return { writes, result: true };
    const available = backupWrite({ ...parseBackup(row), status: "AVAILABLE" });
    return { writes: [...writes, available], result: true };
  });
  return isDone ? after : currentJob(store, jobId);
}
