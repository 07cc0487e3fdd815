import { createHash } from "node:crypto";
import { attribute, typeOf } from "../item/attribute-value.ts";
import { itemSize } from "../item/size.ts";
import type { Bytes, Entry, KeyRange, Store } from "../storage/store.ts";
import { type BackupRow, parseBackup } from "./backup-row.ts";
import type { KeySchema, TableDescriptor } from "./descriptor.ts";
import { imageOfEntry, placeOfOrderEntry, timeOfEntry } from "./history.ts";
import type { Job } from "./jobs.ts";
import { itemAddress } from "./keys.ts";
import {
  allBackups,
  allHistories,
  allHistoryMarks,
  allJobs,
  counterName,
  dataRange,
  idOfHistoryKey,
  placeOf,
  placeOfUndoKey,
  undoOrderRange,
  undoRange,
} from "./layout.ts";
import { StoredItem } from "./stored-item.ts";

export interface HistoryCheck {
  readonly store: Store;
  readonly problem: (text: string) => void;
  readonly chunks: (range: KeyRange, where: string) => AsyncIterable<readonly Entry[]>;
}

/** Compares what is kept of the past, and backups, with itself and with the jobs that work on it. */
export async function verifyHistories(
  check: HistoryCheck,
  tables: readonly TableDescriptor[],
): Promise<void> {
  const jobs = await jobsOf(check);
  for (const table of tables) await checkTable(check, table, jobs);
  await checkOthers(check, tables, jobs);
  for await (const entries of check.chunks(allHistoryMarks, "marks of histories")) {
    for (const { key } of entries) {
      const id = idOfHistoryKey(key);
      if (!jobs.has(id)) check.problem(`A history is marked for the job ${id}, which is done.`);
    }
  }
  for await (const entries of check.chunks(allBackups, "backups")) {
    for (const { value } of entries) await checkBackup(check, parseBackup(value), jobs);
  }
}

async function jobsOf({ chunks }: HistoryCheck): Promise<ReadonlyMap<number, Job>> {
  const jobs = new Map<number, Job>();
  for await (const entries of chunks(allJobs, "jobs")) {
    for (const { key, value } of entries) {
      jobs.set(idOfHistoryKey(key), JSON.parse(Buffer.from(value).toString()) as Job);
    }
  }
  return jobs;
}

async function checkTable(
  { problem, chunks }: HistoryCheck,
  table: TableDescriptor,
  jobs: ReadonlyMap<number, Job>,
): Promise<void> {
  const { name, history, restore, key } = table;
  if (restore !== undefined) {
    const isFilled = [...jobs.values()].some(
      (job) => job.kind === "restore" && job.tableId === table.id,
    );
    if (!isFilled) problem(`${name}: it is being restored, but no job does it.`);
  }
  if (history === undefined) return;
  for (const hold of history.holds ?? []) {
    if (!jobs.has(hold))
      problem(`${name}: its history is held for the job ${hold}, which is done.`);
  }
  const where = `${name} history`;
  const changes = new Changes();
  for await (const entries of chunks(undoRange(history.id), where)) {
    for (const entry of entries) {
      const place = placeOfUndoKey(entry.key);
      changes.add(place, timeOfEntry(entry.value));
      const image = imageOfEntry(entry.value);
      if (image !== undefined) checkItem(problem, where, key, place, image);
    }
  }
  for await (const entries of chunks(undoOrderRange(history.id), where)) {
    for (const { value } of entries) changes.remove(placeOfOrderEntry(value), timeOfEntry(value));
  }
  if (!changes.isEmpty) problem(`${where}: the changes of items and their order differ.`);
}

/** A sum over changes, whatever their order: it is zero again when each was added and removed. */
class Changes {
  #count = 0;
  #sum = 0;

  add(place: Bytes, time: number): void {
    this.#count += 1;
    this.#sum = (this.#sum + fingerprint(place, time)) >>> 0;
  }

  remove(place: Bytes, time: number): void {
    this.#count -= 1;
    this.#sum = (this.#sum - fingerprint(place, time)) >>> 0;
  }

  get isEmpty(): boolean {
    return this.#count === 0 && this.#sum === 0;
  }
}

function fingerprint(place: Bytes, time: number): number {
  return createHash("sha256").update(place).update(String(time)).digest().readUInt32BE(0);
}

/** There are no histories but those of tables. */
async function checkOthers(
  { store, problem }: HistoryCheck,
  tables: readonly TableDescriptor[],
  jobs: ReadonlyMap<number, Job>,
): Promise<void> {
  const known = new Set(tables.map(({ history }) => history?.id));
  for (const job of jobs.values()) if (job.kind === "clear") known.add(job.historyId);
  for (const [i, range] of allHistories.entries()) {
    let { start } = range;
    for (;;) {
      const { entries } = await store.scan({ start, end: range.end }, { limit: 1, bytesMax: 1 });
      const [first] = entries;
      if (first === undefined) break;
      const id = idOfHistoryKey(first.key);
      if (!known.has(id)) problem(`The history ${id} belongs to no table.`);
      start = (i === 0 ? undoRange(id) : undoOrderRange(id)).end;
    }
  }
}

async function checkBackup(
  { store, problem, chunks }: HistoryCheck,
  row: BackupRow,
  jobs: ReadonlyMap<number, Job>,
): Promise<void> {
  const where = `backup ${row.id} of ${row.table.name}`;
  for (const reader of row.readers ?? []) {
    if (!jobs.has(reader)) problem(`${where}: it is read by the job ${reader}, which is done.`);
  }
  const isCopied = [...jobs.values()].some(
    (job) => job.kind === "copy" && job.dataId === row.dataId,
  );
  if (row.status === "CREATING" && !isCopied) {
    problem(`${where}: it is being made, but no job does it.`);
  }
  const sum = { count: 0, bytes: 0 };
  for await (const entries of chunks(dataRange(row.dataId), where)) {
    for (const { key, value } of entries) {
      sum.count += 1;
      sum.bytes += checkItem(problem, where, row.table.key, placeOf(key), value);
    }
  }
  const { count, bytes } = await store.totals(counterName(row.dataId));
  if (count !== sum.count || bytes !== sum.bytes) {
    problem(
      `${where}: ${sum.count} items of ${sum.bytes} bytes, but ${count} of ${bytes} bytes are counted.`,
    );
  }
}

/** An item can be read, has its size and lies where its key says; answers its size. */
function checkItem(
  problem: HistoryCheck["problem"],
  where: string,
  key: KeySchema,
  place: Bytes,
  value: Bytes,
): number {
  const at = Buffer.from(place).toString("hex");
  try {
    const { item, size } = StoredItem.read(value);
    if (itemSize(item) !== size) problem(`${where}: the item at ${at} has not the recorded size.`);
    const hasKey = [...key.hash, ...key.range].every(({ name, type }) => {
      const found = attribute(item, name);
      return found !== undefined && typeOf(found) === type;
    });
    const address = hasKey ? itemAddress({ id: 0, key }, item).key : undefined;
    if (address === undefined || Buffer.compare(placeOf(address), place) !== 0) {
      problem(`${where}: the item at ${at} belongs elsewhere.`);
    }
    return size;
  } catch (error) {
    problem(`${where}: the item at ${at} cannot be read: ${String(error)}.`);
    return 0;
  }
}
