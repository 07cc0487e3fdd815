import { createHash } from "node:crypto";
import {
  bucketAccessDenied,
  exportedTableGone,
  interrupted,
  noSuchBucket,
  type TransferFailure,
} from "../api/errors/transfer-failures.ts";
import type { Database } from "../engine/database.ts";
import type { TableDescriptor } from "../engine/descriptor.ts";
import { earliestOf } from "../engine/histories.ts";
import type { HistoryPoint } from "../engine/history.ts";
import { changesBetween, itemsAt } from "../engine/history-read.ts";
import { lastChangedAt } from "../engine/history-times.ts";
import { breath } from "../engine/job-steps.ts";
import { tableKeyOf } from "../engine/keys.ts";
import { StoredItem } from "../engine/stored-item.ts";
import { changeLine, itemLine } from "../formats/export-lines.ts";
import type { Item } from "../item/attribute-value.ts";
import type { Bytes } from "../storage/store.ts";
import { type DataFile, ItemFiles } from "./export-files.ts";
import { type ItemFilter, itemFilter } from "./export-filter.ts";
import { Stopped } from "./import-items.ts";
import type { ObjectStore } from "./object-store.ts";
import type { ExportRecord, TransferRecords } from "./transfer-records.ts";

const chunk = { limit: 500, bytesMax: 1024 * 1024 };

/** A new on-demand table has so many partitions in the service; one with little provisioned has one. */
const onDemandFiles = 4;

/** What the service charges for at least, if only changes are exported. */
const incrementalBilledMin = 10_000_000;

export interface ExportSurroundings {
  readonly database: Database;
  readonly records: TransferRecords;
  readonly objects: ObjectStore | undefined;
  readonly stopped: () => boolean;
}

/**
 * Writes a table as it was, or what was changed in it, while it goes on: its past is held for that. Every object
 * has its name only when all of it is there, and the manifest comes last.
 */
export async function runExport(
  { database, records, objects, stopped }: ExportSurroundings,
  record: ExportRecord,
): Promise<void> {
  const fail = (failure: TransferFailure): Promise<void> =>
    end(database, records, record, { failure });
  if (objects === undefined) return fail(interrupted("export"));
  if (!(await objects.hasBucket(record.bucket))) return fail(noSuchBucket(record.id));
  if (record.bucketOwner !== undefined && record.bucketOwner !== record.account) {
    return fail(bucketAccessDenied(record.id));
  }
  const table = await tableOf(database, record);
  if (table === undefined) return fail(exportedTableGone());
  const work = new TableExport(database, objects, record, table, stopped);
  const result = await work.run();
  return result === undefined
    ? fail(exportedTableGone())
    : end(database, records, record, { result });
}

/** The table that is exported, unless it was deleted, with all that was in it, or its past is lost. */
async function tableOf(
  { catalog, clock }: Database,
  { namespace, tableName, tableUuid, hold, time }: ExportRecord,
): Promise<TableDescriptor | undefined> {
  const table = await catalog.reload(namespace, tableName);
  if (table?.uuid !== tableUuid || table.transition?.status === "DELETING") return undefined;
  const { id, holds = [], recovery } = table.history ?? {};
  if (id !== hold.historyId) return undefined;
  if (holds.includes(hold.jobId)) return table;
  // Nobody went on for so long that it was let go.
  const from = time.kind === "full" ? time.at : time.from;
  return recovery !== undefined && earliestOf(recovery, clock.now()) <= from ? table : undefined;
}

async function end(
  database: Database,
  records: TransferRecords,
  record: ExportRecord,
  outcome: Pick<ExportRecord, "failure"> | Pick<ExportRecord, "result">,
): Promise<void> {
  await records.change("export", record.namespace, record.id, (current) => ({
    ...current,
    ...outcome,
    status: "failure" in outcome ? "FAILED" : "COMPLETED",
    endedAt: database.clock.now(),
  }));
  await releasePast(database, record);
}

/** Its past is no longer needed; what a table that is gone had goes with it. */
export async function releasePast(database: Database, record: ExportRecord): Promise<void> {
  const table = await database.catalog.reload(record.namespace, record.tableName);
  const { hold } = record;
  const history = { id: hold.historyId };
  const held = { namespace: record.namespace, name: record.tableName, id: hold.tableId, history };
  await database.histories.release({
    jobId: hold.jobId,
    number: hold.number,
    table: { ...(table as TableDescriptor), ...held },
  });
}

class TableExport {
  readonly #database: Database;
  readonly #objects: ObjectStore;
  readonly #record: ExportRecord;
  readonly #table: TableDescriptor;
  readonly #stopped: () => boolean;
  readonly #filter: ItemFilter | undefined;
  #items = 0;
  #bytes = 0;

  constructor(
    database: Database,
    objects: ObjectStore,
    record: ExportRecord,
    table: TableDescriptor,
    stopped: () => boolean,
  ) {
    this.#database = database;
    this.#objects = objects;
    this.#record = record;
    this.#table = table;
    this.#stopped = stopped;
    this.#filter = record.filter === undefined ? undefined : itemFilter(table, record.filter);
  }

  /** Nothing if the table was deleted meanwhile. */
  async run(): Promise<ExportRecord["result"]> {
    const { bucket, id, format, time } = this.#record;
    const root = rootOf(this.#record);
    await this.#put(`${root}/${id}/_started`, "");
    const folder = time.kind === "full" ? `${root}/${id}/data` : `${root}/data`;
    const count = this.#table.billingMode === "PAY_PER_REQUEST" ? onDemandFiles : 1;
    const files = await ItemFiles.open(this.#objects, bucket, folder, id, format, count);
    let made: readonly DataFile[];
    try {
      if (time.kind === "full") await this.#writeItems(files, time.at);
      else await this.#writeChanges(files, time);
      // What was read before this look at the table was all there.
      if ((await tableOf(this.#database, this.#record)) === undefined) {
        await files.abandon();
        return undefined;
      }
      made = await files.finish();
    } catch (error) {
      await files.abandon();
      throw error;
    }
    const billed = time.kind === "full" ? this.#bytes : Math.max(incrementalBilledMin, this.#bytes);
    return this.#writeManifests(`${root}/${id}`, made, billed);
  }

  async #writeItems(files: ItemFiles, at: number): Promise<void> {
    const { hold, format } = this.#record;
    const point = { time: at, number: hold.number };
    const source = { dataId: hold.tableId, history: { id: hold.historyId, point } };
    let from: Bytes | undefined;
    do {
      const { items, next } = await itemsAt(this.#database.store, source, from, chunk);
      for (const { place, value } of items) {
        const stored = StoredItem.read(value);
        const line = this.#lineOf(stored, format);
        if (line === undefined) continue;
        this.#items += 1;
        this.#bytes += stored.size;
        await files.add(place[0] as number, line);
      }
      from = next;
      await this.#breath();
    } while (from !== undefined);
  }

  /** The item is stored as it is written: nothing has to be made of it, unless it is filtered. */
  #lineOf(stored: StoredItem, format: ExportRecord["format"]): Uint8Array | undefined {
    if (this.#filter === undefined && format === "DYNAMODB_JSON") {
      return Buffer.concat([lineStart, stored.json, lineEnd]);
    }
    if (this.#filter === undefined) return Buffer.from(itemLine(format, stored.item));
    if (!this.#filter.passes(stored.item)) return undefined;
    return Buffer.from(itemLine(format, this.#filter.projected(stored.item)));
  }

  async #writeChanges(
    files: ItemFiles,
    { from: since, to: until, view }: Extract<ExportRecord["time"], { kind: "incremental" }>,
  ): Promise<void> {
    const { hold, format } = this.#record;
    const { store } = this.#database;
    const source = { dataId: hold.tableId, historyId: hold.historyId };
    // From the first moment on, and before the second.
    const to: HistoryPoint = { time: until - 1, number: hold.number };
    const moments = { from: { time: since - 1, number: hold.number }, to };
    let from: Bytes | undefined;
    do {
      const { changes, next } = await changesBetween(store, source, moments, from, chunk);
      for (const { place, before, after } of changes) {
        const images = this.#imagesOf(before, after);
        if (images === undefined) continue;
        const time = await lastChangedAt(store, hold.historyId, place, to);
        const line = changeLine(format, {
          keys: images.keys,
          before: view === "NEW_IMAGE" ? undefined : images.before,
          after: images.after,
          writtenAt: (time ?? since) * 1_000,
        });
        this.#items += 1;
        await files.add(place[0] as number, Buffer.from(line));
      }
      from = next;
      await this.#breath();
    } while (from !== undefined);
  }

  /** Nothing if there was no such item at either moment, or none that is asked for. */
  #imagesOf(
    beforeBytes: Bytes | undefined,
    afterBytes: Bytes | undefined,
  ):
    | { readonly keys: Item; readonly before: Item | undefined; readonly after: Item | undefined }
    | undefined {
    const before = beforeBytes && StoredItem.read(beforeBytes);
    const after = afterBytes && StoredItem.read(afterBytes);
    const item = (after ?? before)?.item;
    if (item === undefined) return undefined;
    // That the last image counts is a guess: filters of incremental exports are not documented.
    if (this.#filter?.passes(item) === false) return undefined;
    this.#bytes += (before?.size ?? 0) + (after?.size ?? 0);
    const image = (stored: StoredItem | undefined): Item | undefined =>
      stored && (this.#filter?.projected(stored.item) ?? stored.item);
    const keys = tableKeyOf(this.#table, item);
    return { keys, before: image(before), after: image(after) };
  }

  async #writeManifests(
    folder: string,
    files: readonly DataFile[],
    billedBytes: number,
  ): Promise<NonNullable<ExportRecord["result"]>> {
    const filesKey = `${folder}/manifest-files.json`;
    const list = files.map((file) => `${JSON.stringify(file)}\n`).join("");
    await this.#put(filesKey, list);
    await this.#put(`${folder}/manifest-files.md5`, md5Of(list));
    const summary = JSON.stringify(this.#summary(filesKey, billedBytes));
    await this.#put(`${folder}/manifest-summary.md5`, md5Of(summary));
    const manifest = `${folder}/manifest-summary.json`;
    await this.#put(manifest, summary);
    return { items: this.#items, billedBytes, manifest };
  }

  #summary(manifestFilesS3Key: string, billedSizeBytes: number): object {
    const { account, region, tableName, id, time, ...record } = this.#record;
    const tableArn = `arn:aws:dynamodb:${region}:${account}:table/${tableName}`;
    const common = {
      exportArn: `${tableArn}/export/${id}`,
      startTime: isoTime(record.startedAt),
      endTime: isoTime(this.#database.clock.now()),
      tableArn,
      tableId: record.tableUuid,
    };
    const place = {
      s3Bucket: record.bucket,
      s3Prefix: record.prefix ?? null,
      s3SseAlgorithm: record.encryption,
      s3SseKmsKeyId: record.encryptionKey ?? null,
      manifestFilesS3Key,
      billedSizeBytes,
      itemCount: this.#items,
      outputFormat: record.format,
    };
    if (time.kind === "full") {
      return {
        version: "2020-06-30",
        ...common,
        exportTime: isoTime(time.at),
        ...place,
        exportType: "FULL_EXPORT",
      };
    }
    return {
      version: "2023-08-01",
      ...common,
      exportFromTime: isoTime(time.from),
      exportToTime: isoTime(time.to),
      ...place,
      outputView: time.view,
      exportType: "INCREMENTAL_EXPORT",
    };
  }

  async #put(key: string, text: string): Promise<void> {
    const writer = await this.#objects.write(this.#record.bucket, key, "NONE");
    await writer.write(text);
    await writer.finish();
  }

  async #breath(): Promise<void> {
    if (this.#stopped()) throw new Stopped();
    await breath(this.#database.store);
  }
}

const lineStart = Buffer.from('{"Item":');
const lineEnd = Buffer.from("}\n");

const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString();

const md5Of = (text: string): string => createHash("md5").update(text).digest("base64");

/** Below the prefix, which is joined with a slash. */
export function rootOf({ prefix }: Pick<ExportRecord, "prefix">): string {
  if (prefix === undefined) return "AWSDynamoDB";
  return prefix.endsWith("/") ? `${prefix}AWSDynamoDB` : `${prefix}/AWSDynamoDB`;
}
