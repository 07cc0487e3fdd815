import { ServiceError } from "../api/errors/service-error.ts";
import type { Bytes, Store, Write } from "../storage/store.ts";
import { type CopyJob, copyBackup } from "./backup-copy.ts";
import type { Catalog } from "./catalog.ts";
import { versionMatches } from "./catalog.ts";
import type { IndexDescriptor, TableDescriptor } from "./descriptor.ts";
import { endHold, type HoldJob } from "./history-hold.ts";
import { type IndexEntry, indexEntry } from "./index-entries.ts";
import { forgetJob, recordJob, type StepContext } from "./job-steps.ts";
import {
  allJobs,
  collectionRange,
  counterName,
  dataRange,
  jobKey,
  queueRange,
  undoOrderRange,
  undoRange,
  versionKey,
} from "./layout.ts";
import { afterKey } from "./read.ts";
import { fillRestored, type RestoreJob } from "./restore-fill.ts";
import { StoredItem } from "./stored-item.ts";
import { type FillQueueJob, fillQueue } from "./ttl-backfill.ts";

/**
 * Work that goes on behind the answers and survives a crash: its record is written in the commit that
 * makes it necessary and removed when it is done.
 */
export type Job =
  | ClearJob
  | FillQueueJob
  | CopyJob
  | RestoreJob
  | HoldJob
  /** A new index takes in the items that were there before it. */
  | {
      readonly kind: "backfill";
      readonly namespace: string;
      readonly table: string;
      readonly tableId: number;
      readonly indexId: number;
      /** Base keys before this one are done; base64. */
      readonly cursor?: string;
    };

/** The key spaces of a deleted table or index, and of a queue or history that is no longer needed. */
export interface ClearJob {
  readonly kind: "clear";
  readonly ids: readonly number[];
  readonly collectionsOf?: number;
  readonly queueId?: number;
  readonly historyId?: number;
  /** Jobs that still read what is to be cleared. */
  readonly after?: readonly number[];
}

/** Called after entries of these sizes, in bytes, were added to an index that is being built. */
export type Backfilled = (
  table: TableDescriptor,
  index: IndexDescriptor,
  sizes: readonly number[],
) => void;

export interface JobListeners {
  readonly backfilled?: Backfilled;
  /** Is told that items of the table, which were there before, expire from this second on or later. */
  readonly queued?: (table: TableDescriptor, seconds: number) => void;
  /** What time it is. */
  readonly now: () => number;
}

const backfillItems = 100;
const backfillBytes = 256 * 1024;

export const jobWrite = (id: number, job: Job): Write => recordJob(id, job);

export class Jobs {
  readonly #store: Store;
  readonly #catalog: Catalog;
  readonly #running = new Map<number, Promise<void>>();
  /** Jobs that failed, or whose recording did, and how: their records tell whether they are to be done. */
  readonly #unsure = new Map<number, unknown>();
  readonly #listeners: JobListeners;
  #stopped = false;

  constructor(store: Store, catalog: Catalog, listeners: JobListeners) {
    this.#store = store;
    this.#catalog = catalog;
    this.#listeners = listeners;
  }

  /** The indexes that are being built, and from which key on they still have to be. */
  async backfills(): Promise<{ readonly indexId: number; readonly cursor: Bytes | undefined }[]> {
    const page = await this.#store.scan(allJobs, {
      limit: Number.MAX_SAFE_INTEGER,
      bytesMax: Number.MAX_SAFE_INTEGER,
    });
    return page.entries
      .map(({ value }) => parse(value))
      .filter((job) => job.kind === "backfill")
      .map(({ indexId, cursor }) => ({
        indexId,
        cursor: cursor === undefined ? undefined : Buffer.from(cursor, "base64"),
      }));
  }

  /** Takes up what an earlier process left. */
  async resume(): Promise<void> {
    const page = await this.#store.scan(allJobs, {
      limit: Number.MAX_SAFE_INTEGER,
      bytesMax: Number.MAX_SAFE_INTEGER,
    });
    for (const { key, value } of page.entries) {
      const id = Buffer.from(key).readUInt32BE(1);
      this.start(id, parse(value));
    }
  }

  /** Waits for the commit that records a job. If only its answer is lost, the job is not. */
  async recorded<T>(id: number, commit: Promise<T>): Promise<T> {
    try {
      return await commit;
    } catch (error) {
      if (!(error instanceof ServiceError)) this.#unsure.set(id, error);
      throw error;
    }
  }

  /** The job's record must have been written. */
  start(id: number, job: Job): void {
    const run = this.#run(id, job)
      .catch((error: unknown) => {
        // The record stays: somebody who asks, or the next process, takes the job up again.
        this.#unsure.set(id, error);
      })
      .finally(() => this.#running.delete(id));
    this.#running.set(id, run);
  }

  #run(id: number, job: Job): Promise<void> {
    switch (job.kind) {
      case "clear":
        return this.#clear(id, job);
      case "backfill":
        return this.#backfill(id, job);
      case "fill-queue":
        return this.#fillQueue(id, job);
      case "copy":
        return this.#thenClear(id, copyBackup(this.#steps(id), job));
      case "restore":
        return this.#thenClear(id, fillRestored(this.#steps(id), job));
      case "hold":
        return this.#thenClear(id, this.#endOld(id, job));
    }
  }

  /** Whoever held a history is gone if his time is over. */
  async #endOld(id: number, job: HoldJob): Promise<ClearJob | undefined> {
    const now = this.#listeners.now();
    return job.until > now ? undefined : endHold(this.#store, this.#catalog, id, job);
  }

  #steps(jobId: number): StepContext {
    const stopped = (): boolean => this.#stopped;
    return { store: this.#store, catalog: this.#catalog, jobId, stopped };
  }

  async #thenClear(id: number, job: Promise<ClearJob | undefined>): Promise<void> {
    const clear = await job;
    if (clear !== undefined) await this.#clear(id, clear);
  }

  /** Begins again with jobs that failed. */
  async takeUp(): Promise<void> {
    for (const id of [...this.#unsure.keys()]) {
      const [record] = await this.#store.get([jobKey(id)]);
      // Another call may have been faster.
      if (this.#stopped || !this.#unsure.delete(id)) continue;
      if (record !== undefined) this.start(id, parse(record));
    }
  }

  /** Waits until no job is running or left; rejects if one fails again. */
  async idle(): Promise<void> {
    await this.#ended();
    await this.takeUp();
    await this.#ended();
    for (const failure of this.#unsure.values()) throw failure;
  }

  async #ended(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#running.values());
  }

  async #clear(id: number, job: ClearJob): Promise<void> {
    for (const reader of job.after ?? []) await this.#gone(reader);
    for (const space of job.ids) {
      await this.#store.clear(dataRange(space));
      await this.#store.dropTotals(counterName(space));
    }
    if (job.collectionsOf !== undefined) {
      await this.#store.clear(collectionRange(job.collectionsOf));
    }
    if (job.queueId !== undefined) await this.#store.clear(queueRange(job.queueId));
    if (job.historyId !== undefined) {
      await this.#store.clear(undoRange(job.historyId));
      await this.#store.clear(undoOrderRange(job.historyId));
    }
    return this.#forget(id);
  }

  /** Waits until a job has ended. If it failed, or another process is at it, this one has to wait longer. */
  async #gone(id: number): Promise<void> {
    await this.#running.get(id);
    const [record] = await this.#store.get([jobKey(id)]);
    const isOver = record === undefined || parse(record).kind === "clear";
    if (!isOver) throw new Error(`job ${id} is still reading`);
  }

  async #fillQueue(id: number, job: FillQueueJob): Promise<void> {
    const done = await fillQueue(
      {
        store: this.#store,
        catalog: this.#catalog,
        stopped: () => this.#stopped,
        record: (next) => jobWrite(id, next),
        queued: (table, seconds) => this.#listeners.queued?.(table, seconds),
      },
      job,
    );
    if (done) await this.#forget(id);
  }

  async #backfill(id: number, first: Extract<Job, { kind: "backfill" }>): Promise<void> {
    let job = first;
    while (!this.#stopped) {
      const table = await this.#catalog.reload(job.namespace, job.table);
      const index = table?.indexes.find((candidate) => candidate.id === job.indexId);
      if (table === undefined || table.id !== job.tableId || index === undefined) {
        return this.#forget(id);
      }
      const range = dataRange(table.id);
      const start = job.cursor === undefined ? range.start : Buffer.from(job.cursor, "base64");
      const page = await this.#store.scan(
        { start, end: range.end },
        { limit: backfillItems, bytesMax: backfillBytes },
      );
      const last = page.entries.at(-1);
      if (last === undefined) return this.#complete(id, job);
      const next = { ...job, cursor: Buffer.from(afterKey(last.key)).toString("base64") };
      if (await this.#backfillChunk(id, next, table, index, page.entries)) job = next;
      this.#store.stepDone?.();
    }
  }

  /** True if the chunk is done, false if the table has changed meanwhile. */
  async #backfillChunk(
    id: number,
    next: Job,
    table: TableDescriptor,
    index: IndexDescriptor,
    entries: readonly { readonly key: Bytes; readonly value: Bytes }[],
  ): Promise<boolean> {
    const candidates: {
      readonly base: Bytes;
      readonly value: Bytes;
      readonly entry: IndexEntry;
    }[] = [];
    for (const { key, value } of entries) {
      const entry = indexEntry(table, index, StoredItem.read(value).item);
      if (entry !== undefined) candidates.push({ base: key, value, entry });
    }
    const readKeys: Bytes[] = [versionKey(table.id)];
    for (const { base, entry } of candidates) readKeys.push(base, entry.key);
    const sizes = await this.#store.commit(
      readKeys,
      (values) => {
        if (!versionMatches(table, values[0])) return { writes: [], result: undefined };
        const writes: Write[] = [jobWrite(id, next)];
        const added: number[] = [];
        let bytes = 0;
        for (let i = 0; i < candidates.length; i += 1) {
          const { value, entry } = candidates[i] as (typeof candidates)[number];
          const current = values[1 + 2 * i];
          // An item that was changed or removed since the scan is the writer's concern: every writer
          // knows the index by now.
          if (current === undefined || Buffer.compare(current, value) !== 0) continue;
          if (values[2 + 2 * i] !== undefined) continue;
          writes.push({
            kind: "put",
            key: entry.key,
            value: StoredItem.make(entry.item, entry.size).bytes,
          });
          added.push(entry.size);
          bytes += entry.size;
        }
        const count = added.length;
        if (count > 0) writes.push({ kind: "add", counter: counterName(index.id), count, bytes });
        return { writes, result: added };
      },
      1,
    );
    if (sizes !== undefined) this.#listeners.backfilled?.(table, index, sizes);
    return sizes !== undefined;
  }

  #complete(id: number, job: Extract<Job, { kind: "backfill" }>): Promise<void> {
    return this.#catalog.change(job.namespace, job.table, (table) => {
      const writes: Write[] = [forgetJob(id)];
      const isOurs = (index: IndexDescriptor): boolean => index.id === job.indexId;
      // The index, or the whole table, may have been deleted meanwhile.
      if (table === undefined || !table.indexes.some(isOurs)) {
        return { table, writes, result: undefined };
      }
      const indexes = table.indexes.map((index) =>
        isOurs(index) ? { ...index, ready: true } : index,
      );
      return {
        table: { ...table, version: table.version + 1, indexes },
        writes,
        result: undefined,
      };
    });
  }

  #forget(id: number): Promise<void> {
    return this.#store.commit([], () => ({
      writes: [forgetJob(id)],
      result: undefined,
    }));
  }
}

function parse(record: Bytes): Job {
  return JSON.parse(Buffer.from(record).toString()) as Job;
}
