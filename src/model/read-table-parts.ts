import type { Path } from "../document/path.ts";
import type { Aggregate, Billing, Placement, Table, Unique } from "./design.ts";
import type { TableDocument } from "./document-design.ts";
import { formats } from "./formats.ts";
import { readKey } from "./read-keys.ts";
import { keyAttributes, type Surroundings } from "./read-tables.ts";
import { readBilling } from "./read-throughput.ts";
import type { Reading } from "./reading.ts";
import type { Entity } from "./requirements.ts";

type Entities = ReadonlyMap<string, Entity>;
type Placements = ReadonlyMap<string, Placement>;

export function readTtl(
  reading: Reading,
  { ttl }: TableDocument,
  placements: Placements,
  entities: Entities,
  path: Path,
): Table["ttl"] {
  if (ttl === undefined) return undefined;
  const attribute = typeof ttl === "string" ? ttl : ttl.attribute;
  const at = typeof ttl === "string" ? [...path, "ttl"] : [...path, "ttl", "attribute"];
  const named = typeof ttl === "string" ? undefined : ttl.entities;
  for (const [i, name] of (named ?? []).entries()) {
    const place = [...path, "ttl", "entities", i];
    reading.find(placements, name, "entity of the table", place);
    const entity = placements.has(name) ? entities.get(name) : undefined;
    if (entity !== undefined) reading.attribute(entity, attribute, at);
  }
  const having = (named ?? [...placements.keys()]).filter((name) =>
    entities.get(name)?.attributes.has(attribute),
  );
  if (named === undefined && having.length === 0) {
    const known = [...placements.keys()].flatMap((name) => [
      ...(entities.get(name)?.attributes.keys() ?? []),
    ]);
    reading.unknown(at, attribute, "attribute that the table's items have", new Set(known));
  }
  for (const name of having) {
    const type = entities.get(name)?.attributes.get(attribute)?.type;
    if (type !== "N") {
      reading.say(at, `is '${attribute}' of type ${type} in ${name}; only a number can expire`);
    }
  }
  return { attribute, entities: having };
}

export function readVersioning(
  reading: Reading,
  document: TableDocument,
  placements: Placements,
  entities: Entities,
  path: Path,
): Table["versioning"] {
  const { versioning } = document;
  if (versioning === undefined) return undefined;
  const at = [...path, "versioning"];
  const { entity: name, attribute, latest, key } = versioning;
  reading.find(placements, name, "entity of the table", [...at, "entity"]);
  const entity = entities.get(name);
  const found = entity && reading.attribute(entity, attribute, [...at, "attribute"]);
  if (found !== undefined && found.type !== "N") {
    reading.say([...at, "attribute"], `is '${attribute}' of type ${found.type}, not a number`);
  }
  if (latest === "copy" && key === undefined) {
    reading.say(at, "needs 'key': where the copy of the newest lies");
  }
  return {
    entity: name,
    attribute,
    latest,
    key:
      entity === undefined || key === undefined
        ? []
        : readKey(reading, key, keyAttributes(document), entity, [...at, "key"]),
  };
}

export function readUnique(
  reading: Reading,
  document: TableDocument,
  own: string,
  { entities, tables }: Surroundings,
  path: Path,
): readonly Unique[] {
  return (document.unique ?? []).flatMap(({ entity: name, attribute, table = own, key }, i) => {
    const at = [...path, "unique", i];
    const entity = reading.find(entities, name, "entity", [...at, "entity"]);
    const target = Object.hasOwn(tables, table) ? tables[table] : undefined;
    if (target === undefined) {
      reading.unknown([...at, "table"], table, "table", Object.keys(tables));
    }
    if (entity === undefined || target === undefined) return [];
    reading.attribute(entity, attribute, [...at, "attribute"]);
    const parts = readKey(
      reading,
      key,
      keyAttributes(target),
      entity,
      [...at, "key"],
      // An item without the value has nothing to guard.
      attribute,
    );
    return [{ path: at, entity: name, attribute, table, key: parts }];
  });
}

export function readAggregates(
  reading: Reading,
  { aggregates = [], stream }: TableDocument,
  entities: Entities,
  path: Path,
): readonly Aggregate[] {
  return aggregates.map((document, i) => {
    const at = [...path, "aggregates", i];
    const { of, by, what = "count", attribute } = document;
    const [into = "", result = ""] = document.into.split(".");
    const counted = reading.find(entities, of, "entity", [...at, "of"]);
    const holder = reading.find(entities, into, "entity", [...at, "into"]);
    const held = holder && reading.attribute(holder, result, [...at, "into"]);
    if (held !== undefined && held.type !== "N") {
      reading.say([...at, "into"], `has type ${held.type}, not N`);
    }
    if (what !== "count" && attribute === undefined) {
      reading.say(at, `needs 'attribute': the ${what} of what`);
    }
    const of2 =
      attribute !== undefined && counted
        ? reading.attribute(counted, attribute, [...at, "attribute"])
        : undefined;
    if (of2 !== undefined && of2.type !== "N") {
      reading.say([...at, "attribute"], `has type ${of2.type}, not N`);
    }
    if (by === "transaction" && (what === "max" || what === "min")) {
      const why = "is by transaction, which can add, and cannot tell which is greater";
      reading.say([...at, "by"], `${why}; use 'stream' or a schedule`);
    }
    if (by === "stream" && stream === undefined) {
      reading.say([...at, "by"], "is by stream, and the table has none; say 'stream' too");
    }
    return { path: at, of, into: { entity: into, attribute: result }, what, attribute, by };
  });
}

export function readPeriods(
  reading: Reading,
  { periods, class: tableClass = "standard" }: TableDocument,
  billing: Billing,
  placements: Placements,
  entities: Entities,
  path: Path,
): Table["periods"] {
  if (periods === undefined) return undefined;
  const { every, attribute, keep, older } = periods;
  const at = [...path, "periods", "attribute"];
  for (const name of placements.keys()) {
    const entity = entities.get(name);
    const found = entity && reading.attribute(entity, attribute, at);
    if (found === undefined) continue;
    if (found.format === undefined || formats[found.format].order !== "time") {
      reading.say(at, `is '${attribute}', which has no format of a time in ${name}`);
    }
  }
  const olderAt = [...path, "periods", "older", "billing"];
  return {
    every,
    attribute,
    keep,
    older: {
      class: older?.class ?? tableClass,
      billing:
        older?.billing === undefined ? billing : readBilling(reading, older.billing, olderAt),
    },
  };
}
