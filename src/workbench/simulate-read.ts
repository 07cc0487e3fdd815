import type { ThroughputSettings, UnitsPerSecond } from "../capacity/throughput.ts";
import { durationMs, sizeBytes } from "../document/measures.ts";
import type { Issue } from "../document/path.ts";
import { readKeys, readRate, readSort } from "./simulate-read-parts.ts";
import {
  type Effect,
  isWrite,
  type OperationKind,
  type PartitionKeys,
  type SortKeys,
  type Stream,
  type Workload,
  type WorkloadIndex,
  type WorkloadTable,
} from "./simulate-workload.ts";

/** What the schema has already checked. */
export type Document = {
  readonly title?: string;
  readonly seed?: number;
  readonly start?: string;
  readonly duration: number | string;
  readonly table: TableDocument;
  readonly items?: { readonly count: number; readonly size: number | string };
  readonly traffic: readonly StreamDocument[];
};

type UnitsDocument = { readonly read?: number; readonly write?: number };
type PolicyDocument = { readonly min: number; readonly max: number; readonly target?: number };

interface ThroughputDocument {
  readonly throughput?: UnitsDocument;
  readonly maximum?: UnitsDocument;
  readonly warm?: UnitsDocument;
  readonly autoScaling?: { readonly read?: PolicyDocument; readonly write?: PolicyDocument };
}

interface TableDocument extends ThroughputDocument {
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey?: string;
  readonly billing: "on-demand" | "provisioned";
  readonly indexes?: Readonly<Record<string, IndexDocument>>;
}

interface IndexDocument extends ThroughputDocument {
  readonly kind: "global" | "local";
  readonly partitionKey?: string;
  readonly sortKey?: string;
}

interface StreamDocument {
  readonly name?: string;
  readonly operation: OperationKind;
  readonly rate: unknown;
  readonly arrivals?: "even" | "poisson";
  readonly from?: number | string;
  readonly until?: number | string;
  readonly size?: number | string;
  readonly sizeBefore?: number | string;
  readonly items?: number;
  readonly consistency?: "eventual" | "strong";
  readonly transaction?: boolean;
  readonly index?: string;
  readonly key?: Readonly<Record<string, unknown>>;
  readonly sort?: Readonly<Record<string, unknown>>;
  readonly indexes?: Readonly<Record<string, EffectDocument | "none">>;
}

interface EffectDocument {
  readonly change: Effect["change"] | "none";
  readonly size?: number | string;
  readonly sizeBefore?: number | string;
  readonly key?: Readonly<Record<string, unknown>>;
  readonly sort?: Readonly<Record<string, unknown>>;
}

type Path = readonly (string | number)[];
type Say = (path: Path, message: string) => void;

const scanPageBytes = 1_024 ** 2;
const defaultStart = Date.UTC(2026, 0, 1);

/** Makes a workload of a document, and says what does not fit together. */
export function readWorkload(document: Document): {
  readonly workload: Workload;
  readonly issues: readonly Issue[];
} {
  const issues: Issue[] = [];
  const say: Say = (path, message) => void issues.push({ path, message });
  const duration = durationMs(document.duration);
  if (duration < 1) say(["duration"], "must be longer");
  const start = document.start === undefined ? defaultStart : Date.parse(document.start);
  if (Number.isNaN(start)) say(["start"], "is no date");
  const table = readTable(document.table, say);
  const traffic = document.traffic.map((stream, i) => readStream(stream, i, table, duration, say));
  const names = new Set<string>();
  for (const [i, { name }] of traffic.entries()) {
    if (names.has(name)) say(["traffic", i], `has the name '${name}' of another one`);
    names.add(name);
  }
  const { count, size } = document.items ?? { count: 0, size: 0 };
  const { title = document.table.name, seed = 1 } = document;
  return {
    workload: {
      title,
      seed,
      start,
      durationMs: duration,
      table,
      bytes: count * sizeBytes(size),
      traffic,
    },
    issues,
  };
}

function readTable(document: TableDocument, say: Say): WorkloadTable {
  const { name, partitionKey, sortKey, billing } = document;
  const indexes = Object.entries(document.indexes ?? {}).map(([index, own]) =>
    readIndex(index, own, document, say),
  );
  return {
    name,
    partitionKey,
    sortKey,
    settings: readSettings(document, billing, ["table"], say),
    indexes,
  };
}

function readIndex(
  name: string,
  document: IndexDocument,
  table: TableDocument,
  say: Say,
): WorkloadIndex {
  const path = ["table", "indexes", name];
  const { kind, sortKey } = document;
  if (kind === "global") {
    if (document.partitionKey === undefined) say(path, "needs 'partitionKey'");
    const settings = readSettings(document, table.billing, path, say);
    return { name, kind, partitionKey: document.partitionKey ?? name, sortKey, settings };
  }
  if (table.sortKey === undefined) say(path, "is local, but the table has no sort key");
  if (sortKey === undefined) say(path, "needs 'sortKey'");
  for (const part of ["partitionKey", "throughput", "maximum", "warm", "autoScaling"] as const) {
    if (document[part] !== undefined) {
      say([...path, part], "is for global indexes; a local one has the table's");
    }
  }
  const settings: ThroughputSettings = { mode: "on-demand" };
  return { name, kind, partitionKey: table.partitionKey, sortKey, settings };
}

function readSettings(
  { throughput, maximum, warm, autoScaling }: ThroughputDocument,
  billing: TableDocument["billing"],
  path: Path,
  say: Say,
): ThroughputSettings {
  const warmUnits = warm && { read: warm.read ?? 0, write: warm.write ?? 0 };
  if (billing === "on-demand") {
    if (throughput !== undefined) say([...path, "throughput"], "is for provisioned tables");
    if (autoScaling !== undefined) say([...path, "autoScaling"], "is for provisioned tables");
    return {
      mode: "on-demand",
      ...(maximum !== undefined && { maximum }),
      ...(warmUnits !== undefined && { warm: warmUnits }),
    };
  }
  if (maximum !== undefined) say([...path, "maximum"], "is for on-demand tables");
  if (throughput?.read === undefined || throughput.write === undefined) {
    say(path, "is provisioned and needs 'throughput' with 'read' and 'write'");
  }
  const provisioned: UnitsPerSecond = {
    read: throughput?.read ?? 1,
    write: throughput?.write ?? 1,
  };
  const policy = (direction: "read" | "write") => {
    const own = autoScaling?.[direction];
    if (own === undefined) return {};
    if (own.min > own.max) say([...path, "autoScaling", direction], "has a min above its max");
    return { [direction]: { min: own.min, max: own.max, targetPercent: own.target ?? 70 } };
  };
  return {
    mode: "provisioned",
    provisioned,
    ...(warmUnits !== undefined && { warm: warmUnits }),
    ...(autoScaling !== undefined && { autoScaling: { ...policy("read"), ...policy("write") } }),
  };
}

function readStream(
  document: StreamDocument,
  position: number,
  table: WorkloadTable,
  duration: number,
  say: Say,
): Stream {
  const path = ["traffic", position];
  const { operation } = document;
  const index = readTarget(document, table, path, say);
  const place = index ?? table;
  const from = durationMs(document.from ?? 0);
  const until = durationMs(document.until ?? duration / 1_000);
  if (until > duration) say([...path, "until"], "is after the end");
  if (from >= until && duration > 0) say([...path, "from"], "is not before the end of the stream");
  const size = sizeBytes(document.size ?? 0);
  if (document.size === undefined) say(path, "needs 'size'");
  const { key, sort } = readPlace(document, place, operation, path, say);
  const same = operation === "put" ? 0 : size;
  return {
    name: document.name ?? `${operation} ${position + 1}`,
    operation,
    rate: readRate(document.rate, from, until, (sub, message) => say([...path, ...sub], message)),
    arrivals: document.arrivals ?? "even",
    size,
    sizeBefore: document.sizeBefore === undefined ? same : sizeBytes(document.sizeBefore),
    items:
      document.items ?? (operation === "scan" && size > 0 ? Math.ceil(scanPageBytes / size) : 1),
    strong: document.consistency === "strong",
    transaction: document.transaction ?? false,
    index,
    key,
    sort,
    effects: isWrite(operation) ? readEffects(document, table, path, say) : [],
  };
}

/** The index that is read, if it is one; and what does not go with the operation. */
function readTarget(
  document: StreamDocument,
  table: WorkloadTable,
  path: Path,
  say: Say,
): WorkloadIndex | undefined {
  const { operation } = document;
  const forbid = (name: keyof StreamDocument, why: string): void => {
    if (document[name] !== undefined) say([...path, name], why);
  };
  const write = isWrite(operation);
  const pages = operation === "query" || operation === "scan";
  if (write) forbid("consistency", "is for reads");
  else forbid("indexes", "is for writes; a read names its 'index'");
  if (!write || operation === "delete") forbid("sizeBefore", "is for put and update");
  if (!pages) forbid("items", "is for query and scan");
  if (!pages) forbid("index", "is for query and scan");
  if (pages) forbid("transaction", "is for get, put, update and delete");
  if (document.index === undefined) return undefined;
  const index = table.indexes.find(({ name }) => name === document.index);
  if (index === undefined) say([...path, "index"], "is not an index of the table");
  else if (index.kind === "global" && document.consistency === "strong") {
    say([...path, "consistency"], "cannot be strong on a global index");
  }
  return index;
}

function readPlace(
  document: { readonly key?: EffectDocument["key"]; readonly sort?: EffectDocument["sort"] },
  { partitionKey, sortKey }: Pick<WorkloadIndex, "partitionKey" | "sortKey">,
  operation: OperationKind,
  path: Path,
  say: Say,
): { readonly key: PartitionKeys | undefined; readonly sort: SortKeys | undefined } {
  const { key, sort } = document;
  const complain = (name: string) => (sub: Path, message: string) =>
    say([...path, name, ...sub], message);
  if (operation === "scan") {
    if (key !== undefined) say([...path, "key"], "is not for scan, which reads all");
    if (sort !== undefined) say([...path, "sort"], "is not for scan, which reads all");
    return { key: undefined, sort: undefined };
  }
  if (key === undefined) say(path, `needs 'key': how '${partitionKey}' is drawn`);
  if (sortKey === undefined && sort !== undefined) {
    say([...path, "sort"], "is given, but there is no sort key");
  }
  if (sortKey !== undefined && sort === undefined && operation !== "query") {
    say(path, `needs 'sort': how '${sortKey}' is drawn`);
  }
  const keys = key && readKeys(key, `${partitionKey}#`, complain("key"));
  if (keys?.shards?.by === "calculated" && sort === undefined) {
    say([...path, "key", "shards", "by"], "is calculated from the sort key, and there is none");
  }
  return { key: keys, sort: sort && readSort(sort, `${sortKey}#`, complain("sort")) };
}

function readEffects(
  document: StreamDocument,
  table: WorkloadTable,
  path: Path,
  say: Say,
): readonly Effect[] {
  const given = document.indexes ?? {};
  for (const name of Object.keys(given)) {
    if (!table.indexes.some((index) => index.name === name)) {
      say([...path, "indexes", name], "is not an index of the table");
    }
  }
  const effects: Effect[] = [];
  for (const index of table.indexes) {
    const own = given[index.name];
    if (own === undefined) {
      const where = document.indexes === undefined ? path : [...path, "indexes"];
      say(where, `must say what the write does to index '${index.name}' ('none' if nothing)`);
    } else if (own !== "none" && own.change !== "none") {
      const at = [...path, "indexes", index.name];
      effects.push(readEffect(own, own.change, index, document.operation, at, say));
    }
  }
  return effects;
}

function readEffect(
  document: EffectDocument,
  change: Effect["change"],
  index: WorkloadIndex,
  operation: OperationKind,
  path: Path,
  say: Say,
): Effect {
  if (document.size === undefined) say(path, "needs 'size', that of the entry");
  const size = sizeBytes(document.size ?? 0);
  const sizeBefore = document.sizeBefore === undefined ? size : sizeBytes(document.sizeBefore);
  if (index.kind === "local") {
    if (document.key !== undefined) say([...path, "key"], "is that of the table");
    if (document.sort !== undefined) say([...path, "sort"], "does not matter in a local index");
    return { index, change, size, sizeBefore, key: undefined, sort: undefined };
  }
  return { index, change, size, sizeBefore, ...readPlace(document, index, operation, path, say) };
}
