import * as errors from "../api/errors/backups.ts";
import { ServiceError } from "../api/errors/service-error.ts";
import { restoresAtOnceMax } from "../api/limits.ts";
import type { Clock } from "../base/clock.ts";
import type { Bytes, KeyRange, Store } from "../storage/store.ts";
import {
  type BackupRow,
  backupWrite,
  isExpired,
  keyOfBackup,
  newBackupId,
  parseBackup,
} from "./backup-row.ts";
import type { Catalog } from "./catalog.ts";
import type { TableDescriptor } from "./descriptor.ts";
import { holdHistory } from "./history.ts";
import { type ClearJob, type Job, type Jobs, jobWrite } from "./jobs.ts";
import {
  allBackups,
  allJobs,
  backupKey,
  backupsOfTable,
  backupsRange,
  counterName,
} from "./layout.ts";
import { afterKey } from "./read.ts";
import { endRestore, type RestoreJob } from "./restore-fill.ts";

const listChunk = 100;

/** Which backups are asked for. */
export interface BackupFilter {
  readonly table?: string | undefined;
  readonly types: readonly BackupRow["type"][];
  /** Made then or later. */
  readonly from?: number | undefined;
  /** Made before then. */
  readonly before?: number | undefined;
}

export interface RestoreRequest {
  /** The new table, without ids for itself; `ids` gives them. */
  readonly target: (firstId: number) => TableDescriptor;
  /** How many ids the table and its indexes need. */
  readonly ids: number;
  /** May refuse the place of the new table, where another one may be. */
  readonly check: (existing: TableDescriptor | undefined) => void;
}

/** Copies of tables, which outlive them, and what becomes of both. */
export class Backups {
  readonly #store: Store;
  readonly #catalog: Catalog;
  readonly #jobs: Jobs;
  readonly #clock: Clock;

  constructor(store: Store, catalog: Catalog, jobs: Jobs, clock: Clock) {
    this.#store = store;
    this.#catalog = catalog;
    this.#jobs = jobs;
    this.#clock = clock;
  }

  /** The table as it is at this moment; its items are copied behind the answer. */
  async create(namespace: string, tableName: string, name: string): Promise<BackupRow> {
    const known = await this.#catalog.find(namespace, tableName);
    const size = await this.#store.totals(counterName(known?.id ?? 0));
    const jobId = await this.#catalog.takeIds(3);
    const [dataId, historyId] = [jobId + 1, jobId + 2];
    const change = this.#catalog.change(namespace, tableName, (found) => {
      const now = this.#clock.now();
      if (found === undefined || found.transition?.status === "DELETING" || isNew(found, now)) {
        throw errors.tableOfBackupsNotFound(tableName);
      }
      const { table, writes } = holdHistory(found, jobId, historyId);
      const row: BackupRow = {
        namespace,
        id: newBackupId(now),
        name,
        type: "USER",
        status: "CREATING",
        createdAt: now,
        table: found,
        size,
        dataId,
      };
      const job: Job = {
        kind: "copy",
        namespace,
        table: tableName,
        tableId: found.id,
        historyId: table.history.id,
        backup: row.id,
        dataId,
      };
      return {
        table,
        writes: [...writes, backupWrite(row), jobWrite(jobId, job)],
        result: { row, job },
      };
    });
    const { row, job } = await this.#jobs.recorded(jobId, change);
    this.#jobs.start(jobId, job);
    return row;
  }

  async find(namespace: string, table: string, id: string): Promise<BackupRow | undefined> {
    // Whoever waits for a backup asks here again and again. That a job fails is no failure of this.
    this.#jobs.takeUp().catch(() => {});
    const [bytes] = await this.#store.get([backupKey(namespace, table, id)]);
    const row = bytes === undefined ? undefined : parseBackup(bytes);
    return row === undefined || isExpired(row, this.#clock.now()) ? undefined : row;
  }

  /** In the order of their tables and times, from after the place of one. */
  async list(
    namespace: string,
    { table, types, from = 0, before = Number.POSITIVE_INFINITY }: BackupFilter,
    after: { readonly table: string; readonly id: string } | undefined,
    limit: number,
  ): Promise<readonly BackupRow[]> {
    const range = table === undefined ? backupsRange(namespace) : backupsOfTable(namespace, table);
    const last = after && afterKey(backupKey(namespace, after.table, after.id));
    const start = last !== undefined && Buffer.compare(last, range.start) > 0 ? last : range.start;
    const now = this.#clock.now();
    const rows: BackupRow[] = [];
    for await (const row of this.#rows({ start, end: range.end })) {
      if (!types.includes(row.type) || isExpired(row, now)) continue;
      if (row.createdAt < from || row.createdAt >= before) continue;
      rows.push(row);
      if (rows.length === limit) break;
    }
    return rows;
  }

  /** Answers what it was; nothing if there is no such backup. */
  async delete(
    namespace: string,
    table: string,
    id: string,
    check: (row: BackupRow) => void,
  ): Promise<BackupRow | undefined> {
    const key = backupKey(namespace, table, id);
    const jobId = await this.#catalog.takeIds(1);
    const commit = this.#store.commit([key], ([bytes]) => {
      const row = bytes === undefined ? undefined : parseBackup(bytes);
      if (row === undefined) return { writes: [], result: undefined };
      check(row);
      const clear: ClearJob = { kind: "clear", ids: [row.dataId] };
      return {
        writes: [{ kind: "delete", key }, jobWrite(jobId, clear)],
        result: { row, clear },
      };
    });
    const deleted = await this.#jobs.recorded(jobId, commit);
    if (deleted !== undefined) this.#jobs.start(jobId, deleted.clear);
    return deleted?.row;
  }

  /** Clears backups whose time is over; whoever still reads one has it for longer. */
  async removeExpired(): Promise<void> {
    const now = this.#clock.now();
    for await (const row of this.#rows(allBackups)) {
      if (!isExpired(row, now) || row.readers !== undefined) continue;
      const { namespace, table, id } = row;
      await this.delete(namespace, table.name, id, () => {});
    }
  }

  /** A new table with the items of a backup. `check` may refuse the backup. */
  async restore(
    backup: BackupRow,
    check: (row: BackupRow | undefined) => BackupRow,
    request: RestoreRequest,
  ): Promise<TableDescriptor> {
    const { jobId, target } = await this.#prepare(backup.namespace, request);
    const key = keyOfBackup(backup);
    const job: RestoreJob = {
      ...this.#restoreJob(target),
      from: { backup: backup.id, table: backup.table.name, dataId: backup.dataId },
    };
    const commit = this.#store.commit([key], ([bytes]) => {
      const row = check(bytes === undefined ? undefined : parseBackup(bytes));
      const read = { ...row, readers: [...(row.readers ?? []), jobId] };
      return { writes: [backupWrite(read), jobWrite(jobId, job)], result: undefined };
    });
    await this.#jobs.recorded(jobId, commit);
    return this.#begin(jobId, job, target, request);
  }

  /** A new table with the items of another one as they were. `check` answers to when, or refuses the table. */
  async restorePast(
    namespace: string,
    name: string,
    check: (table: TableDescriptor | undefined) => { table: TableDescriptor; time: number },
    request: RestoreRequest,
  ): Promise<TableDescriptor> {
    const { jobId, target } = await this.#prepare(namespace, request);
    const change = this.#catalog.change(namespace, name, (found) => {
      const { table: source, time } = check(found);
      const { table, writes } = holdHistory(source, jobId, 0);
      const held = { namespace, table: name, tableId: source.id };
      const from = { ...held, historyId: table.history.id, time };
      const job: RestoreJob = { ...this.#restoreJob(target), from };
      return { table, writes: [...writes, jobWrite(jobId, job)], result: job };
    });
    const job = await this.#jobs.recorded(jobId, change);
    return this.#begin(jobId, job, target, request);
  }

  async #prepare(
    namespace: string,
    request: RestoreRequest,
  ): Promise<{ readonly jobId: number; readonly target: TableDescriptor }> {
    const running = (await this.#allJobs()).filter(
      (job) => job.kind === "restore" && job.namespace === namespace,
    );
    if (running.length >= restoresAtOnceMax) throw errors.tooManyRestores(restoresAtOnceMax);
    const jobId = await this.#catalog.takeIds(1 + request.ids);
    return { jobId, target: request.target(jobId + 1) };
  }

  #restoreJob({ namespace, name, id }: TableDescriptor): Omit<RestoreJob, "from"> {
    return { kind: "restore", namespace, table: name, tableId: id };
  }

  /** What the items come from is held by now; if the table cannot be made, it is let go again. */
  async #begin(
    jobId: number,
    job: RestoreJob,
    target: TableDescriptor,
    { check }: RestoreRequest,
  ): Promise<TableDescriptor> {
    const { namespace, name } = target;
    const change = this.#catalog.change(namespace, name, (existing) => {
      check(existing);
      return { table: target, result: undefined };
    });
    try {
      // If only the answer is lost, the job finds out whether there is a table to fill.
      await this.#jobs.recorded(jobId, change);
    } catch (error) {
      if (error instanceof ServiceError) await this.#abandon(jobId, job);
      throw error;
    }
    this.#jobs.start(jobId, job);
    return target;
  }

  async #abandon(jobId: number, job: RestoreJob): Promise<void> {
    const end = endRestore({ store: this.#store, catalog: this.#catalog, jobId }, job);
    // If this fails, the job itself finds that there is no table to fill.
    const clear = await this.#jobs.recorded(jobId, end).catch(() => undefined);
    if (clear !== undefined) this.#jobs.start(jobId, clear);
  }

  async #allJobs(): Promise<Job[]> {
    const { entries } = await this.#store.scan(allJobs, everything);
    return entries.map(({ value }) => JSON.parse(Buffer.from(value).toString()) as Job);
  }

  async *#rows(range: KeyRange): AsyncGenerator<BackupRow> {
    let start: Bytes = range.start;
    while (Buffer.compare(start, range.end) < 0) {
      const page = await this.#store.scan(
        { start, end: range.end },
        { limit: listChunk, bytesMax: Number.MAX_SAFE_INTEGER },
      );
      for (const { value } of page.entries) yield parseBackup(value);
      const last = page.entries.at(-1);
      if (!page.more || last === undefined) return;
      start = afterKey(last.key);
    }
  }
}

const everything = { limit: Number.MAX_SAFE_INTEGER, bytesMax: Number.MAX_SAFE_INTEGER };

function isNew(table: TableDescriptor, now: number): boolean {
  return table.transition?.status === "CREATING" && now < table.transition.until;
}
