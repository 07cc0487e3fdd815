import { tableNotFound } from "../api/errors/table.ts";
import type { Clock } from "../base/clock.ts";
import type { Store } from "../storage/store.ts";
import { type Catalog, isGone } from "./catalog.ts";
import type { HistoryDescriptor, Recovery, TableDescriptor } from "./descriptor.ts";
import { type HeldTable, holdHistory, markOf } from "./history.ts";
import { endHold, type HoldJob } from "./history-hold.ts";
import { recordJob } from "./job-steps.ts";
import { type ClearJob, type Job, type Jobs, jobWrite } from "./jobs.ts";
import { allJobs } from "./layout.ts";

const dayMs = 86_400_000;

/** A table's past that stays as it is until it is released. */
export interface HeldPast {
  /** Names the hold, also after a restart. */
  readonly jobId: number;
  readonly table: HeldTable;
  /** The mark that was made when it was taken: the number of every `HistoryPoint` of this hold. */
  readonly number: number;
}

/** The pasts of tables: how long they are kept, and for whom. */
export class Histories {
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

  /**
   * For whoever reads a table as it is now, or was, while it goes on: read it with `itemsAt` and
   * `changesBetween`. The past of a table without point-in-time recovery begins now. Who does not release
   * it within `forMs` (because he died) has lost it. `check` may refuse the table.
   */
  async hold(
    namespace: string,
    name: string,
    forMs: number,
    check?: (table: TableDescriptor) => void,
  ): Promise<HeldPast> {
    const jobId = await this.#catalog.takeIds(2);
    const table = await this.#catalog.change(namespace, name, (found) => {
      const now = this.#clock.now();
      if (found === undefined || isGone(found, now)) throw tableNotFound(name);
      check?.(found);
      const { table: held, writes } = holdHistory(found, jobId, jobId + 1);
      const until = now + forMs;
      const job: HoldJob = { kind: "hold", namespace, table: name, tableId: found.id, until };
      return { table: held, writes: [...writes, jobWrite(jobId, job)], result: held };
    });
    return { jobId, table, number: (await markOf(this.#store, jobId)) as number };
  }

  async release({ jobId, table }: HeldPast): Promise<void> {
    const { namespace, name, id } = table;
    const held = { namespace, table: name, tableId: id };
    const clear = await endHold(this.#store, this.#catalog, jobId, held);
    if (clear !== undefined) this.#jobs.start(jobId, clear);
  }

  /** Releases what is held for those who died. */
  async releaseOld(): Promise<void> {
    const { entries } = await this.#store.scan(allJobs, {
      limit: Number.MAX_SAFE_INTEGER,
      bytesMax: Number.MAX_SAFE_INTEGER,
    });
    for (const { key, value } of entries) {
      const job = JSON.parse(Buffer.from(value).toString()) as Job;
      if (job.kind !== "hold" || job.until > this.#clock.now()) continue;
      this.#jobs.start(Buffer.from(key).readUInt32BE(1), job);
    }
  }

  /** Point-in-time recovery is enabled from now on, or for another number of days, or disabled. */
  async setRecovery(
    namespace: string,
    name: string,
    days: number | undefined,
    check: (table: TableDescriptor | undefined) => TableDescriptor,
  ): Promise<TableDescriptor> {
    const jobId = await this.#catalog.takeIds(2);
    const change = this.#catalog.change(namespace, name, (found) => {
      const table = check(found);
      const now = this.#clock.now();
      const { after, dropped } = withRecovery(table, days, now, jobId + 1);
      const clear: ClearJob | undefined =
        dropped === undefined ? undefined : { kind: "clear", ids: [], historyId: dropped };
      const writes = clear === undefined ? [] : [recordJob(jobId, clear)];
      return { table: after, writes, result: { table: after, clear } };
    });
    const { table, clear } = await this.#jobs.recorded(jobId, change);
    if (clear !== undefined) this.#jobs.start(jobId, clear);
    return table;
  }
}

function withRecovery(
  table: TableDescriptor,
  days: number | undefined,
  now: number,
  newId: number,
): { readonly after: TableDescriptor; readonly dropped?: number } {
  const { history, ...rest } = table;
  const version = table.version + 1;
  if (days === undefined) {
    if (history?.recovery === undefined) return { after: table };
    const { recovery: _, ...kept } = history;
    if (kept.holds !== undefined) return { after: { ...rest, version, history: kept } };
    return { after: { ...rest, version }, dropped: history.id };
  }
  const before = history?.recovery;
  if (before?.days === days) return { after: table };
  // What fewer days have let go does not come back with more.
  const since = before === undefined ? now : earliestOf(before, now);
  const changed: HistoryDescriptor = { ...(history ?? { id: newId }), recovery: { since, days } };
  return { after: { ...rest, version, history: changed } };
}

/** The earliest moment to which a table can be restored. */
export function earliestOf({ since, days }: Recovery, now: number): number {
  return Math.max(since, now - days * dayMs);
}

/** The latest one, if so many milliseconds of the past are not available yet. */
export function latestOf(recovery: Recovery, now: number, lagMs: number): number {
  return Math.max(earliestOf(recovery, now), now - lagMs);
}
