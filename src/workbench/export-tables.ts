import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { RawJson } from "../api/response-json.ts";
import { csvRow, csvRowOf } from "../formats/csv-text.ts";
import { itemLine } from "../formats/export-lines.ts";
import type { Item } from "../item/attribute-value.ts";
import { FileWriter } from "./folder-objects.ts";
import { describeForExport, type Execute, type TableDefinition } from "./table-definition.ts";

export const exportFormat = "keywright-export-1";
export const exportManifest = "keywright-export.json";

export type FileFormat = "dynamodb-json" | "ion" | "csv";

/** A table that somebody wants to have, and who answers for it. */
export interface TableSource {
  readonly name: string;
  readonly execute: Execute;
}

export interface ExportTablesOptions {
  readonly to: string;
  readonly format: FileFormat;
  readonly compression: "none" | "gzip";
  /** An earlier export may be in the way. */
  readonly replace: boolean;
  /** How many items of how many, as far as that is known. */
  readonly progress?: (table: string, done: number, total: number) => void;
}

/** What the manifest says of a table. */
export interface ExportedTable extends TableDefinition {
  readonly account: string;
  readonly region: string;
  readonly format: FileFormat;
  readonly compression: "none" | "gzip";
  readonly items: number;
  /** Of the items, as text. */
  readonly bytes: number;
  /** Read capacity units that were used. */
  readonly units: number;
  /** Below the manifest's folder. */
  readonly file: string;
}

/** What is in the way, or was not found: the user's to mend. */
export class ExportError extends Error {}

const unfinished = ".keywright-unfinished";
const replaced = ".keywright-replaced";

/** Writes tables into a folder that has its name only when all of them are there. */
export async function exportTables(
  sources: readonly TableSource[],
  options: ExportTablesOptions,
): Promise<readonly ExportedTable[]> {
  await checkPlace(options);
  const folder = options.to + unfinished;
  // Of an attempt that was interrupted.
  await rm(folder, { recursive: true, force: true });
  const tables: ExportedTable[] = [];
  try {
    await mkdir(folder, { recursive: true });
    for (const [place, source] of sources.entries()) {
      tables.push(await exportTable(folder, place, source, options));
    }
    const text = `${JSON.stringify({ format: exportFormat, tables }, undefined, 2)}\n`;
    const manifest = await FileWriter.open(join(folder, exportManifest), "NONE");
    await manifest.write(text);
    await manifest.finish();
    await putInPlace(folder, options.to);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  return tables;
}

/** Only what an export has written is ever replaced. */
async function checkPlace({ to, replace }: ExportTablesOptions): Promise<void> {
  const found = await stat(to).catch(() => undefined);
  if (found === undefined) return;
  if (!found.isDirectory()) throw new ExportError(`${to} is a file.`);
  const names = await readdir(to);
  if (names.length === 0) return;
  if (!names.includes(exportManifest)) {
    throw new ExportError(`${to} holds something else than an export.`);
  }
  if (!replace) throw new ExportError(`${to} holds an export; --replace replaces it.`);
}

async function putInPlace(folder: string, to: string): Promise<void> {
  const old = to + replaced;
  await rm(old, { recursive: true, force: true });
  const wasThere = await rename(to, old).then(
    () => true,
    () => false,
  );
  try {
    await rename(folder, to);
  } catch (error) {
    if (wasThere) await rename(old, to);
    throw error;
  }
  await rm(old, { recursive: true, force: true });
}

const extensions = { "dynamodb-json": "json", ion: "ion", csv: "csv" } as const;

async function exportTable(
  folder: string,
  place: number,
  { name, execute }: TableSource,
  options: ExportTablesOptions,
): Promise<ExportedTable> {
  const { format, compression } = options;
  const { definition, arn, itemCount } = await describeForExport(execute, name);
  const [, , , region = "", account = ""] = arn.split(":");
  // Two tables may differ in nothing but the case of letters, which not every disk knows.
  const file = `tables/${String(place + 1).padStart(3, "0")}-${name.slice(0, 100)}.${extensions[format]}${compression === "gzip" ? ".gz" : ""}`;
  await mkdir(join(folder, "tables"), { recursive: true });
  const columns = format === "csv" ? await columnsOf(execute, name) : [];
  const writer = await FileWriter.open(
    join(folder, file),
    compression === "gzip" ? "GZIP" : "NONE",
  );
  const counts = { items: 0, bytes: 0, units: 0 };
  try {
    if (format === "csv") await writer.write(csvRow(columns));
    for await (const page of pages(execute, name)) {
      const lines = page.items.map((item) => lineOf(format, item, columns));
      const text = Buffer.concat(lines);
      counts.items += lines.length;
      counts.bytes += text.length;
      counts.units += page.units;
      if (text.length > 0) await writer.write(text);
      options.progress?.(name, counts.items, Math.max(counts.items, itemCount));
    }
    await writer.finish();
  } catch (error) {
    await writer.abandon();
    throw error;
  }
  return { ...definition, account, region, format, compression, ...counts, file };
}

interface ItemsPage {
  readonly items: readonly (Item | RawJson)[];
  readonly units: number;
}

async function* pages(execute: Execute, name: string): AsyncGenerator<ItemsPage> {
  let start: unknown;
  do {
    const answer = (await execute("Scan", {
      TableName: name,
      ConsistentRead: true,
      ReturnConsumedCapacity: "TOTAL",
      ...(start !== undefined && { ExclusiveStartKey: start }),
    })) as {
      Items?: readonly (Item | RawJson)[];
      LastEvaluatedKey?: object;
      ConsumedCapacity?: { CapacityUnits?: number };
    };
    yield { items: answer.Items ?? [], units: answer.ConsumedCapacity?.CapacityUnits ?? 0 };
    start = answer.LastEvaluatedKey;
  } while (start !== undefined);
}

const lineStart = Buffer.from('{"Item":');
const lineEnd = Buffer.from("}\n");

function lineOf(format: FileFormat, item: Item | RawJson, columns: readonly string[]): Uint8Array {
  if (format === "dynamodb-json" && item instanceof RawJson) {
    return Buffer.concat([lineStart, item.bytes, lineEnd]);
  }
  const parsed = itemOf(item);
  if (format === "csv") return Buffer.from(csvRowOf(parsed, columns));
  return Buffer.from(itemLine(format === "ion" ? "ION" : "DYNAMODB_JSON", parsed));
}

const itemOf = (item: Item | RawJson): Item =>
  item instanceof RawJson ? (JSON.parse(Buffer.from(item.bytes).toString("utf8")) as Item) : item;

const columnsMax = 10_000;

/** The header comes first, so all items are looked at before any is written. */
async function columnsOf(execute: Execute, name: string): Promise<readonly string[]> {
  const names = new Set<string>();
  for await (const { items } of pages(execute, name)) {
    for (const item of items) for (const column of Object.keys(itemOf(item))) names.add(column);
    if (names.size > columnsMax) {
      throw new ExportError(`${name} has more than ${columnsMax} attributes, too many for CSV.`);
    }
  }
  return [...names];
}
