import {
  bucketAccessDenied,
  importedTableExists,
  interrupted,
  itemsNotImported,
  noSuchBucket,
  type TransferFailure,
} from "../api/errors/transfer-failures.ts";
import { isGone } from "../engine/catalog.ts";
import type { Database } from "../engine/database.ts";
import type { TableDescriptor } from "../engine/descriptor.ts";
import { collectionRange, counterName, dataRange, queueRange } from "../engine/layout.ts";
import { ItemImport } from "./import-items.ts";
import type { ObjectStore } from "./object-store.ts";
import { type ImportCounts, type ImportRecord, recordWrite } from "./transfer-records.ts";

/** The table reports CREATING until its import ends, whenever that is. */
const never = 8_640_000_000_000_000;

export interface ImportSurroundings {
  readonly database: Database;
  readonly objects: ObjectStore | undefined;
  readonly stopped: () => boolean;
  /** Is told how far it is. */
  readonly counts: (counts: () => ImportCounts) => void;
}

/**
 * Carries out an import from its beginning, also if another process has done some of it. Until its last commit
 * the table cannot be read or written; that commit says how the import ended, too.
 */
export async function runImport(
  surroundings: ImportSurroundings,
  record: ImportRecord,
): Promise<void> {
  const { database, objects, stopped } = surroundings;
  if (objects === undefined) return abandon(database, record, interrupted("import"));
  if (!(await objects.hasBucket(record.bucket))) {
    return abandon(database, record, noSuchBucket(record.id));
  }
  if (record.bucketOwner !== undefined && record.bucketOwner !== record.account) {
    return abandon(database, record, bucketAccessDenied(record.id));
  }
  const made = record.table.id === 0 ? await makeTable(database, record) : record;
  if (made === undefined) return abandon(database, record, importedTableExists(record.table.name));
  const { table } = made;
  if (made === record) await clearTable(database, table);
  const work = new ItemImport(database, objects, made, table, stopped);
  surroundings.counts(() => work.counts);
  const counts = await work.run();
  await finish(database, made, counts);
}

/** Puts the table into the catalogue, and that it is this import's. Nothing if the name is taken. */
async function makeTable(
  database: Database,
  record: ImportRecord,
): Promise<ImportRecord | undefined> {
  const { catalog, clock } = database;
  const { table: draft } = record;
  const firstId = await catalog.takeIds(2 + draft.indexes.length);
  const table: TableDescriptor = {
    ...draft,
    id: firstId,
    indexes: draft.indexes.map((index, place) => ({ ...index, id: firstId + 1 + place })),
    ...(draft.timeToLive !== undefined && {
      timeToLive: { ...draft.timeToLive, queueId: firstId + 1 + draft.indexes.length },
    }),
    createdAt: clock.now(),
    transition: { status: "CREATING", until: never },
  };
  const made: ImportRecord = { ...record, table };
  return catalog.change(record.namespace, table.name, (existing) => {
    if (existing !== undefined && !isGone(existing, clock.now())) {
      return { table: existing, result: undefined };
    }
    return { table, writes: [recordWrite(made)], result: made };
  });
}

/** What an earlier attempt has written. */
async function clearTable(database: Database, table: TableDescriptor): Promise<void> {
  const { store } = database;
  for (const { id } of [table, ...table.indexes]) {
    await store.clear(dataRange(id));
    await store.dropTotals(counterName(id));
  }
  await store.clear(collectionRange(table.id));
  if (table.timeToLive !== undefined) await store.clear(queueRange(table.timeToLive.queueId));
}

function finish(database: Database, record: ImportRecord, counts: ImportCounts): Promise<void> {
  const { table } = record;
  const ended: ImportRecord = {
    ...record,
    status: counts.errors === 0 ? "COMPLETED" : "FAILED",
    endedAt: database.clock.now(),
    ...(counts.errors > 0 && { failure: itemsNotImported() }),
    result: counts,
  };
  return database.catalog.change(record.namespace, table.name, (current) => {
    if (current?.uuid !== table.uuid) {
      return { table: current, writes: [recordWrite(ended)], result: undefined };
    }
    const { transition: _, ...rest } = current;
    return {
      table: { ...rest, version: current.version + 1 },
      writes: [recordWrite(ended)],
      result: undefined,
    };
  });
}

/** The import ends and its table, if there is one, goes with what is in it. */
export async function abandon(
  database: Database,
  record: ImportRecord,
  failure: TransferFailure,
): Promise<void> {
  const { table } = record;
  const ended: ImportRecord = {
    ...record,
    status: "FAILED",
    endedAt: database.clock.now(),
    failure,
    result: { processed: 0, imported: 0, errors: 0, bytes: 0 },
  };
  // First what nobody sees, then the table: if this ends in between, it is done again.
  if (table.id !== 0) await clearTable(database, table);
  await database.catalog.change(record.namespace, table.name, (current) => ({
    table: table.id !== 0 && current?.id === table.id ? undefined : current,
    writes: [recordWrite(ended)],
    result: undefined,
  }));
}
