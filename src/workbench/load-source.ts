import { createHash } from "node:crypto";
import { readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { InputFormat } from "../formats/record-reader.ts";
import type { Compression } from "../transfers/object-store.ts";
import {
  type ExportedTable,
  exportFormat,
  exportManifest,
  type FileFormat,
} from "./export-tables.ts";
import type { TableDefinition } from "./table-definition.ts";

/** A table that can be loaded, and where its items are. */
export interface LoadableTable {
  readonly definition: TableDefinition;
  /** Whose it was, if that is known. */
  readonly account?: string;
  readonly region?: string;
  /** Below the folder: a file, or how the names of files begin. */
  readonly prefix: string;
  readonly format: InputFormat;
  readonly compression: Compression;
  /** How many items there should be, if that is known. */
  readonly items?: number;
}

export interface LoadSource {
  readonly folder: string;
  /** Names the folder: a load that was interrupted goes on with the same one only. */
  readonly bucket: string;
  readonly tables: readonly LoadableTable[];
}

/** What is wrong with what shall be loaded: the user's to mend. */
export class LoadError extends Error {}

/** An option is wrong, or one is missing that this source needs. */
export class LoadOptionError extends LoadError {}

export interface LoadSourceOptions {
  /** Of an export: only this table. Of other files: what the table shall be called. */
  readonly table?: string | undefined;
  /** Of other files: the key of the table, such as `pk:S sk:N`. */
  readonly key?: string | undefined;
  readonly format?: FileFormat | undefined;
}

const formats: Readonly<Record<FileFormat, InputFormat>> = {
  "dynamodb-json": "DYNAMODB_JSON",
  ion: "ION",
  csv: "CSV",
};

/** What is at a path: an export of ours, one of the service, or a file of items. */
export async function readLoadSource(
  path: string,
  options: LoadSourceOptions,
): Promise<LoadSource> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new LoadError(`There is nothing at ${path}.`);
  const whole = await realpath(path);
  if (!found.isDirectory()) {
    return source(dirname(whole), [fileTable(basename(whole), options)]);
  }
  const manifest = await readFile(join(whole, exportManifest), "utf8").catch(() => undefined);
  if (manifest !== undefined) return source(whole, chosen(parseManifest(path, manifest), options));
  const summary = await readFile(join(whole, "manifest-summary.json"), "utf8").catch(
    () => undefined,
  );
  if (summary === undefined) {
    throw new LoadError(`${path} has neither ${exportManifest} nor manifest-summary.json in it.`);
  }
  return source(whole, [serviceTable(path, summary, options)]);
}

function source(folder: string, tables: readonly LoadableTable[]): LoadSource {
  const name = createHash("sha256").update(folder).digest("hex").slice(0, 16);
  return { folder, bucket: `load-${name}`, tables };
}

function parseManifest(path: string, text: string): readonly ExportedTable[] {
  const file = join(path, exportManifest);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new LoadError(`${file} is not JSON: ${(error as Error).message}.`);
  }
  const { format, tables } = parsed as { format?: unknown; tables?: unknown };
  if (format !== exportFormat || !Array.isArray(tables)) {
    throw new LoadError(`${file} is not of the format ${exportFormat}.`);
  }
  for (const table of tables as readonly Partial<ExportedTable>[]) {
    const { create, file: data } = table;
    if (typeof create?.TableName !== "string" || typeof data !== "string" || escapes(data)) {
      throw new LoadError(`${file} has a table without a name or a file below its folder.`);
    }
  }
  return tables as readonly ExportedTable[];
}

const escapes = (path: string): boolean =>
  path.includes("\\") ||
  path.split("/").some((part) => part === "" || part === "." || part === "..");

function chosen(
  tables: readonly ExportedTable[],
  { table: wanted, key, format }: LoadSourceOptions,
): readonly LoadableTable[] {
  if (key !== undefined || format !== undefined) {
    throw new LoadError("An export says itself what it holds; leave out --key and --format.");
  }
  const some = tables.filter(({ create }) => wanted === undefined || create.TableName === wanted);
  if (some.length === 0 && wanted !== undefined) {
    const names = tables.map(({ create }) => create.TableName).join(", ");
    throw new LoadError(`There is no table ${wanted} in the export; it has ${names || "none"}.`);
  }
  return some.map(({ create, timeToLive, recoveryDays, ...table }) => ({
    definition: {
      create,
      ...(timeToLive !== undefined && { timeToLive }),
      ...(recoveryDays !== undefined && { recoveryDays }),
    },
    account: table.account,
    region: table.region,
    prefix: table.file,
    format: formats[table.format],
    compression: table.compression === "gzip" ? "GZIP" : "NONE",
    items: table.items,
  }));
}

/** An export of the service says nothing of the table's key. */
function serviceTable(path: string, text: string, options: LoadSourceOptions): LoadableTable {
  const summary = JSON.parse(text) as {
    outputFormat?: string;
    exportType?: string;
    itemCount?: number;
    manifestFilesS3Key?: string;
  };
  if (summary.exportType === "INCREMENTAL_EXPORT") {
    throw new LoadError(`${path} holds changes, not items: it was an incremental export.`);
  }
  return {
    definition: definitionOf(options),
    prefix: "data/",
    format: summary.outputFormat === "ION" ? "ION" : "DYNAMODB_JSON",
    compression: "GZIP",
    ...(summary.itemCount !== undefined && { items: summary.itemCount }),
  };
}

const endings: readonly (readonly [RegExp, FileFormat])[] = [
  [/\.(json|jsonl|ndjson)$/i, "dynamodb-json"],
  [/\.ion$/i, "ion"],
  [/\.csv$/i, "csv"],
];

function fileTable(name: string, options: LoadSourceOptions): LoadableTable {
  const plain = name.replace(/\.(gz|zst|zstd)$/i, "");
  const ending = name.slice(plain.length).toLowerCase();
  const format = options.format ?? endings.find(([pattern]) => pattern.test(plain))?.[1];
  if (format === undefined) {
    throw new LoadOptionError(
      `What is in ${name}? Say it with --format dynamodb-json, ion or csv.`,
    );
  }
  return {
    definition: definitionOf(options),
    prefix: name,
    format: formats[format],
    compression: ending === "" ? "NONE" : ending === ".gz" ? "GZIP" : "ZSTD",
  };
}

function definitionOf({ table, key }: LoadSourceOptions): TableDefinition {
  if (table === undefined || key === undefined) {
    throw new LoadOptionError(
      "Files of items need --table NAME and --key, such as --key 'pk:S sk:N'.",
    );
  }
  const attributes = key.split(/[\s,]+/).map((text) => /^(.+):([SNB])$/.exec(text));
  if (attributes.length > 2 || attributes.some((one) => one === null)) {
    throw new LoadOptionError(
      `--key takes one attribute or two with their types, such as 'pk:S sk:N', not '${key}'.`,
    );
  }
  const pairs = attributes.map((one) => ({ name: one?.[1] ?? "", type: one?.[2] ?? "S" }));
  return {
    create: {
      TableName: table,
      AttributeDefinitions: pairs.map(({ name, type }) => ({
        AttributeName: name,
        AttributeType: type,
      })),
      KeySchema: pairs.map(({ name }, place) => ({
        AttributeName: name,
        KeyType: place === 0 ? "HASH" : "RANGE",
      })),
      BillingMode: "PAY_PER_REQUEST",
    },
  };
}
