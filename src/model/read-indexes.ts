import type { Path } from "../document/path.ts";
import type { Index, IndexMember, KeyAttribute, KeyPart, Placement, Table } from "./design.ts";
import type { IndexDocument, KeyType } from "./document-design.ts";
import { readKeyTexts, typeOf } from "./read-keys.ts";
import { readProvisioned } from "./read-throughput.ts";
import { readWhere } from "./read-where.ts";
import { entriesOf, type Reading } from "./reading.ts";
import type { Entity } from "./requirements.ts";

/** What is known of the table when its indexes are read. */
export interface IndexedTable extends Pick<Table, "partition" | "sort" | "billing"> {
  readonly placements: ReadonlyMap<string, Placement>;
}

export function readIndex(
  reading: Reading,
  name: string,
  document: IndexDocument,
  table: IndexedTable,
  entities: ReadonlyMap<string, Entity>,
  path: Path,
): Index {
  const local = document.local ?? false;
  const placed = [...table.placements.keys()].flatMap((one) => entities.get(one) ?? []);
  const sets = readSets(reading, document, table, entities, path);
  const partition = local ? [table.partition] : keyOf(document, "partition");
  const sort = keyOf(document, "sort");
  checkShape(reading, document, table, path);
  const typed = (side: "partition" | "sort", list: readonly (KeyAttribute | string)[]) =>
    list.flatMap((one, i) => {
      if (typeof one !== "string") return [one];
      const isList = Array.isArray(document.key[side]);
      const at = [...path, "key", side, ...(isList ? [i] : [])];
      const type = typeOfAttribute(reading, one, table, placed, sets, at);
      return type === undefined ? [] : [{ name: one, type }];
    });
  const keys = { partition: typed("partition", partition), sort: typed("sort", sort) };
  const members = readMembers(reading, document, table, placed, sets, keys, path);
  return {
    name,
    path,
    purpose: document.purpose,
    local,
    ...keys,
    projection: readProjection(reading, document, placed, path),
    members,
    throughput: readProvisioned(reading, document.throughput, [...path, "throughput"]),
    maximum: document.maximum,
    prewarm: document.prewarm,
  };
}

function keyOf({ key }: IndexDocument, side: "partition" | "sort"): readonly string[] {
  return [key[side] ?? []].flat();
}

function checkShape(
  reading: Reading,
  { key, local = false, throughput, maximum, prewarm }: IndexDocument,
  table: IndexedTable,
  path: Path,
): void {
  const own = { throughput, maximum, prewarm };
  if (local) {
    if (key.partition !== undefined) {
      reading.say([...path, "key", "partition"], "is the table's in a local index; leave it out");
    }
    if (table.sort === undefined) reading.say(path, "is local, but the table has no sort key");
    if ([key.sort ?? []].flat().length !== 1) {
      reading.say([...path, "key"], "needs exactly one attribute in 'sort', as the index is local");
    }
    for (const [member, value] of Object.entries(own)) {
      if (value !== undefined) reading.say([...path, member], "is for global indexes");
    }
  } else if (key.partition === undefined) {
    reading.say([...path, "key"], "needs 'partition'");
  }
  if (throughput !== undefined && table.billing.mode === "on-demand") {
    reading.say([...path, "throughput"], "is for provisioned tables");
  }
  if (maximum !== undefined && table.billing.mode === "provisioned") {
    reading.say([...path, "maximum"], "is for on-demand tables");
  }
}

type Sets = ReadonlyMap<string, readonly KeyPart[]>;

function readSets(
  reading: Reading,
  document: IndexDocument,
  table: IndexedTable,
  entities: ReadonlyMap<string, Entity>,
  path: Path,
): Sets {
  const keyNames = [...keyOf(document, "partition"), ...keyOf(document, "sort")];
  const sets = new Map<string, readonly KeyPart[]>();
  for (const [name, texts] of entriesOf(document.sets)) {
    const at = [...path, "sets", name];
    const placed = reading.find(table.placements, name, "entity of the table", at, {
      isName: true,
    });
    const entity = entities.get(name);
    if (placed === undefined || entity === undefined) continue;
    const parts = readKeyTexts(reading, texts, entity, at);
    for (const { attribute, path: place, text } of parts) {
      if (!keyNames.includes(attribute)) {
        reading.unknown(place, attribute, "key attribute of the index", keyNames, { isName: true });
      } else if (entity.attributes.has(attribute) && text.native !== attribute) {
        reading.say(place, `is an attribute of ${name} already`, { isName: true });
      } else if (attribute === table.partition.name || attribute === table.sort?.name) {
        reading.say(place, "is in the table's key already", { isName: true });
      }
    }
    sets.set(name, parts);
  }
  return sets;
}

/** The type of a key attribute: what is set for it, the table's key, or an entity's attribute. */
function typeOfAttribute(
  reading: Reading,
  name: string,
  { partition, sort }: IndexedTable,
  placed: readonly Entity[],
  sets: Sets,
  path: Path,
): KeyType | undefined {
  const types = new Map<string, string>();
  for (const key of [partition, sort]) if (key?.name === name) types.set(key.type, "the table");
  for (const entity of placed) {
    const part = sets.get(entity.name)?.find(({ attribute }) => attribute === name);
    const type = part === undefined ? entity.attributes.get(name)?.type : typeOf(part, entity);
    if (type !== undefined && !types.has(type)) types.set(type, entity.name);
  }
  const [type, other] = types.keys();
  if (type === undefined) {
    const known = placed.flatMap((entity) => [
      ...entity.attributes.keys(),
      ...(sets.get(entity.name) ?? []).map(({ attribute }) => attribute),
    ]);
    const all = new Set([...known, partition.name, ...(sort === undefined ? [] : [sort.name])]);
    reading.unknown(path, name, "attribute that the table's items have", all);
  } else if (other !== undefined) {
    const where = [...types].map(([one, who]) => `${one} in ${who}`).join(" and ");
    reading.say(path, `is '${name}', which is ${where}; a key attribute has one type`);
  } else if (!["S", "N", "B"].includes(type)) {
    reading.say(path, `is '${name}' of type ${type}; keys have S, N and B`);
  } else {
    return type as KeyType;
  }
  return undefined;
}

function readMembers(
  reading: Reading,
  document: IndexDocument,
  table: IndexedTable,
  placed: readonly Entity[],
  sets: Sets,
  keys: Pick<Index, "partition" | "sort">,
  path: Path,
): ReadonlyMap<string, IndexMember> {
  const members = new Map<string, IndexMember>();
  for (const entity of placed) {
    const own = sets.get(entity.name) ?? [];
    const missing = [...keys.partition, ...keys.sort].filter(
      ({ name }) =>
        !entity.attributes.has(name) &&
        !own.some(({ attribute }) => attribute === name) &&
        name !== table.partition.name &&
        name !== table.sort?.name,
    );
    const [first] = missing;
    if (first === undefined) {
      const only = Object.hasOwn(document.only ?? {}, entity.name)
        ? readOnly(reading, document, entity, own, path)
        : undefined;
      members.set(entity.name, { entity: entity.name, sets: own, only });
    } else if (own.length > 0) {
      reading.say([...path, "sets", entity.name], `needs '${first.name}', which is in the key`);
    }
  }
  for (const [name] of entriesOf(document.only)) {
    const known = placed.map((one) => one.name);
    const at = [...path, "only", name];
    if (!known.includes(name)) {
      reading.unknown(at, name, "entity of the table", known, { isName: true });
    } else if (!members.has(name)) {
      reading.say(at, `is not in the index: ${name} lacks its key`, { isName: true });
    }
  }
  if (members.size === 0 && placed.length > 0 && reading.issues.length === 0) {
    reading.say(path, "has a key that no entity of the table has whole");
  }
  return members;
}

function readOnly(
  reading: Reading,
  document: IndexDocument,
  entity: Entity,
  own: readonly KeyPart[],
  path: Path,
): IndexMember["only"] {
  const at = [...path, "only", entity.name];
  if (own.length === 0) {
    reading.say(at, "needs key attributes in 'sets' that can be left out of an item", {
      isName: true,
    });
  }
  return readWhere(reading, entity, document.only?.[entity.name], at);
}

function readProjection(
  reading: Reading,
  { projection = "all" }: IndexDocument,
  placed: readonly Entity[],
  path: Path,
): Index["projection"] {
  if (typeof projection === "string") return projection as "all" | "keys";
  const known = new Set(placed.flatMap(({ attributes }) => [...attributes.keys()]));
  for (const [i, name] of projection.entries()) {
    const at = [...path, "projection", i];
    if (!known.has(name)) reading.unknown(at, name, "attribute that the table's items have", known);
    else if (projection.indexOf(name) !== i) reading.say(at, `names '${name}' twice`);
  }
  return projection as readonly string[];
}
