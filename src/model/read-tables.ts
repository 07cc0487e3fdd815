import * as limits from "../api/limits.ts";
import { durationMs } from "../document/measures.ts";
import type { Path } from "../document/path.ts";
import type { Index, KeyAttribute, Placement, Table } from "./design.ts";
import type { TableDocument } from "./document-design.ts";
import { readIndex } from "./read-indexes.ts";
import { readPlacement } from "./read-placement.ts";
import {
  readAggregates,
  readPeriods,
  readTtl,
  readUnique,
  readVersioning,
} from "./read-table-parts.ts";
import { readBilling } from "./read-throughput.ts";
import { entriesOf, type Reading } from "./reading.ts";
import type { Entity, Pattern } from "./requirements.ts";

/** What a table may refer to. */
export interface Surroundings {
  readonly entities: ReadonlyMap<string, Entity>;
  readonly patterns: ReadonlyMap<string, Pattern>;
  readonly tables: Readonly<Record<string, TableDocument>>;
}

const pitrDaysMax = 35;
const cacheMs = 300_000;
const batchDefault = 100;
/** What event source mappings take. */
const windowMsMax = 300_000;
const ageMsMin = 60_000;
const ageMsMax = 7 * 24 * 3_600_000;

export function readTable(
  reading: Reading,
  name: string,
  document: TableDocument,
  surroundings: Surroundings,
): Table {
  const { entities } = surroundings;
  const path = ["design", "tables", name];
  const [partition, sort] = keyAttributes(document) as [KeyAttribute, KeyAttribute | undefined];
  const placements = readPlacements(reading, document, entities, path);
  const billing = readBilling(reading, document.billing, [...path, "billing"]);
  if (document.maximum !== undefined && billing.mode === "provisioned") {
    reading.say([...path, "maximum"], "is for on-demand tables");
  }
  const { pitr, backups } = document;
  return {
    name,
    path,
    purpose: document.purpose,
    billing,
    class: document.class ?? "standard",
    partition,
    sort,
    discriminator: readDiscriminator(reading, document, placements, entities, path),
    placements,
    indexes: readIndexes(
      reading,
      document,
      { partition, sort, billing, placements },
      entities,
      path,
    ),
    ttl: readTtl(reading, document, placements, entities, path),
    stream: document.stream,
    consumers: readConsumers(reading, document, path),
    pitrDays: typeof pitr === "object" ? pitr.days : pitr === true ? pitrDaysMax : undefined,
    backups: backups && { everyMs: durationMs(backups.every), keepMs: durationMs(backups.keep) },
    encryption: document.encryption ?? "owned",
    deletionProtection: document.deletionProtection ?? false,
    versioning: readVersioning(reading, document, placements, entities, path),
    unique: readUnique(reading, document, name, surroundings, path),
    aggregates: readAggregates(reading, document, entities, path),
    periods: readPeriods(reading, document, billing, placements, entities, path),
    dax: readDax(reading, document, surroundings, path),
    prewarm: document.prewarm,
    maximum: document.maximum,
    replicas: [...new Set(document.replicas ?? [])],
    tags: new Map(entriesOf(document.tags)),
  };
}

export function keyAttributes({ key }: TableDocument): readonly KeyAttribute[] {
  return entriesOf(key).map(([name, type]) => ({ name, type }));
}

function readPlacements(
  reading: Reading,
  document: TableDocument,
  entities: ReadonlyMap<string, Entity>,
  path: Path,
): ReadonlyMap<string, Placement> {
  const placements = new Map<string, Placement>();
  const key = keyAttributes(document);
  for (const [name, one] of entriesOf(document.entities)) {
    const at = [...path, "entities", name];
    const entity = reading.find(entities, name, "entity", at, { isName: true });
    if (entity === undefined) continue;
    placements.set(name, readPlacement(reading, one, key, entity, entities, at));
    for (const { name: own, type } of key) {
      const attribute = entity.attributes.get(own);
      if (attribute === undefined || one.key[own] === `{${own}}`) continue;
      reading.say(
        [...at, "key", own],
        `is made of something else, but ${name} has a '${own}' (${type}) of its own; write {${own}} or call the key otherwise`,
      );
    }
  }
  return placements;
}

function readDiscriminator(
  reading: Reading,
  { discriminator }: TableDocument,
  placements: ReadonlyMap<string, Placement>,
  entities: ReadonlyMap<string, Entity>,
  path: Path,
): string | undefined {
  for (const name of placements.keys()) {
    if (discriminator !== undefined && entities.get(name)?.attributes.has(discriminator)) {
      const what = `is '${discriminator}', which is an attribute of ${name} already`;
      reading.say([...path, "discriminator"], what);
    }
  }
  return discriminator;
}

function readIndexes(
  reading: Reading,
  document: TableDocument,
  table: Pick<Table, "partition" | "sort" | "billing" | "placements">,
  entities: ReadonlyMap<string, Entity>,
  path: Path,
): ReadonlyMap<string, Index> {
  const at = [...path, "indexes"];
  const indexes = new Map(
    entriesOf(document.indexes).map(([name, one]) => [
      name,
      readIndex(reading, name, one, table, entities, [...at, name]),
    ]),
  );
  const all = [...indexes.values()];
  const locals = all.filter(({ local }) => local).length;
  if (locals > limits.localIndexesMax) {
    reading.say(at, `has ${locals} local indexes; a table can have ${limits.localIndexesMax}`);
  }
  if (all.length - locals > limits.globalIndexesMax) {
    const count = all.length - locals;
    reading.say(at, `has ${count} global indexes; a table can have ${limits.globalIndexesMax}`);
  }
  const projected = all.flatMap(({ projection }) =>
    typeof projection === "string" ? [] : projection,
  );
  if (projected.length > limits.projectedAttributesMax) {
    reading.say(
      at,
      `project ${projected.length} attributes; all indexes of a table together can ${limits.projectedAttributesMax}`,
    );
  }
  return indexes;
}

function readConsumers(reading: Reading, document: TableDocument, path: Path): Table["consumers"] {
  const { consumers = [], stream } = document;
  if (consumers.length > 0 && stream === undefined) {
    reading.say([...path, "consumers"], "read a stream, and the table has none; say 'stream' too");
  }
  return consumers.map((consumer, i) => {
    const { name, purpose, batch = batchDefault, window = 0, filter, start, maxAge } = consumer;
    const at = [...path, "consumers", i];
    const windowMs = durationMs(window);
    const maxAgeMs = maxAge === undefined ? undefined : durationMs(maxAge);
    if (windowMs > windowMsMax)
      reading.say([...at, "window"], "is longer than 5m, the longest wait");
    if (maxAgeMs !== undefined && (maxAgeMs < ageMsMin || maxAgeMs > ageMsMax)) {
      reading.say([...at, "maxAge"], "is not between 1m and 7d");
    }
    return {
      name,
      purpose,
      batch,
      windowMs,
      filter,
      start: start ?? "latest",
      retries: consumer.retries,
      maxAgeMs,
      bisect: consumer.bisect ?? false,
      reportItemFailures: consumer.reportItemFailures ?? false,
      parallel: consumer.parallel ?? 1,
    };
  });
}

function readDax(
  reading: Reading,
  { dax }: TableDocument,
  { patterns }: Surroundings,
  path: Path,
): Table["dax"] {
  if (dax === undefined) return undefined;
  const ids = (dax.patterns ?? []).map(String);
  for (const [i, id] of ids.entries()) {
    reading.find(patterns, id, "pattern", [...path, "dax", "patterns", i]);
  }
  const { hitRate } = dax;
  return {
    node: dax.node,
    nodes: dax.nodes,
    hitRate:
      hitRate === undefined
        ? undefined
        : typeof hitRate === "number"
          ? { value: hitRate, assumed: false }
          : { value: hitRate.assumed, assumed: true, ...(hitRate.why && { why: hitRate.why }) },
    itemTtlMs: dax.itemTtl === undefined ? cacheMs : durationMs(dax.itemTtl),
    queryTtlMs: dax.queryTtl === undefined ? cacheMs : durationMs(dax.queryTtl),
    patterns: ids,
  };
}
