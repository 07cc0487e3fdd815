import type {
  DesignDocument,
  IndexDocument,
  KeyType,
  PlacementDocument,
  TableDocument,
  UniqueDocument,
} from "../../src/model/document-design.ts";
import { formats } from "../../src/model/formats.ts";
import type { Attribute, Entity } from "../../src/model/requirements.ts";
import {
  attributeOf,
  type Draft,
  firstOf,
  freshName,
  isAlways,
  isClosed,
  joinedText,
  type Placed,
  placedIn,
  prefixFor,
  randomLayout,
  segmentFor,
  type Transformation,
  tablesOf,
  withDesign,
  withPlacement,
  withTable,
} from "./design-draft.ts";
import { guardsOf, isGuardTarget } from "./design-guards.ts";

/**
 * Transformations of tables that keep a design right. All of them rest on two facts: a key is made of the whole id and of nothing else,
 * so it identifies; and the keys of different kinds of items begin with different literals, so no kind overwrites another
 * one. The planner derives all requests and all writes from the keys.
 */

/** A table without anything that refers to its key by name. */
function isPlain({ document }: Placed): boolean {
  const { entities = {}, versioning, periods, unique = [] } = document;
  const hasOwnGuards = unique.some(({ table }) => table === undefined);
  return (
    Object.keys(entities).length === 1 &&
    versioning === undefined &&
    periods === undefined &&
    !hasOwnGuards
  );
}

function withoutLocals({ indexes = {} }: TableDocument): Readonly<Record<string, IndexDocument>> {
  return Object.fromEntries(Object.entries(indexes).filter(([, { local }]) => !local));
}

/** The key has the attributes of the id in another order, other texts, or their own types. */
const rekeyedTable: Transformation = {
  name: "rekeyed-table",
  apply: (draft) =>
    firstOf(draft, placedIn(draft).filter(isPlain), (placed) => {
      const { document, table, entity, placement } = placed;
      const layout = randomLayout(draft, entity);
      if (layout === undefined || isGuardTarget(draft, table) || placement.split) return undefined;
      const usesKey = Object.values(document.indexes ?? {}).some(({ key }) =>
        [key.partition ?? [], key.sort ?? []]
          .flat()
          .some((name) => !entity.attributes.has(name) && document.key[name] !== undefined),
      );
      if (usesKey) return undefined;
      const { indexes: _, ...rest } = document;
      const indexes = withoutLocals(document);
      const rekeyed: TableDocument = {
        ...rest,
        key: layout.key,
        entities: { [entity.name]: { ...placement, key: layout.texts } },
        ...(Object.keys(indexes).length > 0 && { indexes }),
      };
      return {
        document: withTable(draft, table, rekeyed),
        what: `${table} by ${JSON.stringify(layout.texts)}`,
      };
    }),
};

/** A calculated shard is a function of the id, so the key still identifies. Readers who know the id calculate it, too. */
const shardedTable: Transformation = {
  name: "sharded-table",
  apply: (draft) =>
    firstOf(draft, placedIn(draft).filter(isPlain), (placed) => {
      const { document, table, entity, placement } = placed;
      const { random } = draft;
      const names = random.sample(entity.id, entity.id.length);
      const ids = names.map((name) => attributeOf(entity, name));
      if (ids.some(({ type }) => type === "B") || placement.split) return undefined;
      if (isGuardTarget(draft, table)) return undefined;
      const by = random.pick(names);
      const shard = `{shard:${random.pick([2, 4, 10])}:${by}}`;
      const cut = random.between(0, ids.length);
      const first = ids.slice(0, cut);
      if (!first.every(isClosed)) return undefined;
      const second = joinedText(draft, "S#", ids.slice(cut));
      const partition = [...first.map((one) => segmentFor(draft, one)), shard].join("#");
      if (second === undefined) return undefined;
      const { indexes: _, ...rest } = document;
      const sharded: TableDocument = {
        ...rest,
        key: { shardPk: "S", shardSk: "S" },
        entities: { [entity.name]: { ...placement, key: { shardPk: partition, shardSk: second } } },
      };
      return {
        document: withTable(draft, table, sharded),
        what: `${table} by ${partition}, ${second}`,
      };
    }),
};

/** Each kind of item is kept as it was, in a table that has no other kind. */
const tablePerEntity: Transformation = {
  name: "table-per-entity",
  apply: (draft) =>
    firstOf(draft, tablesOf(draft), ({ table, document }) => {
      const { entities = {}, versioning, periods, dax, ...rest } = document;
      const names = Object.keys(entities);
      if (names.length < 2 || versioning || periods || dax) return undefined;
      const { [table]: old, ...others } = draft.design.tables;
      const guards = freshName(draft, `${table}Guards`);
      const moved = (unique: readonly UniqueDocument[]): readonly UniqueDocument[] =>
        unique.map((one) => ((one.table ?? table) === table ? { ...one, table: guards } : one));
      const isGuarded = isGuardTarget(draft, table);
      const tables: Record<string, TableDocument> = {};
      for (const [name, one] of Object.entries(others)) {
        tables[name] = one.unique ? { ...one, unique: moved(one.unique) } : one;
      }
      for (const name of names)
        tables[freshName(draft, `${table}${name}`)] = alone(
          draft,
          table,
          old ?? document,
          name,
          moved,
        );
      if (isGuarded) tables[guards] = { key: rest.key };
      return {
        document: withDesign(draft, { ...draft.design, tables }),
        what: `${table} for each of ${names.join(", ")}`,
      };
    }),
};

/** What a table states about one of its entities. */
function alone(
  draft: Draft,
  table: string,
  { entities = {}, indexes = {}, unique = [], aggregates = [], ttl, ...rest }: TableDocument,
  name: string,
  moved: (unique: readonly UniqueDocument[]) => readonly UniqueDocument[],
): TableDocument {
  const read = draft.model.design?.tables.get(table);
  const own = Object.entries(indexes).flatMap(([index, one]) => {
    if (!read?.indexes.get(index)?.members.has(name)) return [];
    const { sets = {}, only = {}, ...more } = one;
    const [set, condition] = [sets[name], only[name]];
    const projection = readable(draft, name, one.projection);
    return [
      [
        index,
        {
          ...more,
          ...(projection !== undefined && { projection }),
          ...(set !== undefined && { sets: { [name]: set } }),
          ...(condition !== undefined && { only: { [name]: condition } }),
        },
      ] as const,
    ];
  });
  const guards = unique.filter((one) => one.entity === name);
  const kept = aggregates.filter(({ of }) => of === name);
  const expires = typeof ttl === "string" ? ttl : ttl?.attribute;
  const hasTtl = expires !== undefined && (read?.ttl?.entities.includes(name) ?? false);
  return {
    ...rest,
    entities: { [name]: entities[name] as PlacementDocument },
    ...(own.length > 0 && { indexes: Object.fromEntries(own) }),
    ...(guards.length > 0 && { unique: moved(guards) }),
    ...(kept.length > 0 && { aggregates: kept }),
    ...(hasTtl && { ttl: expires }),
  };
}

function readable(
  { model }: Draft,
  name: string,
  projection: IndexDocument["projection"],
): IndexDocument["projection"] {
  if (typeof projection === "string" || projection === undefined) return projection;
  const { attributes } = model.entities.get(name) as Entity;
  const list = projection.filter((one) => attributes.has(one));
  return list.length === 0 ? "keys" : list;
}

/** All entities in one table. Those with the same first part of their ids share item collections, or each has its own. */
const singleTable: Transformation = {
  name: "single-table",
  apply: (draft) => {
    const isShared = draft.random.chance(0.6);
    const texts = new Map<string, readonly [string, string]>();
    const moving = placedIn(draft).filter((placed) => {
      const { document, entity, placement } = placed;
      const text = sharedKey(draft, entity, isShared);
      if (text === undefined || placement.split || document.dax) return false;
      if (document.versioning || document.periods || document.stream) return false;
      texts.set(entity.name, text);
      return isAloneInTypes(draft, placed);
    });
    const tables = new Set(moving.map(({ table }) => table));
    // A table moves as a whole or not at all.
    const staying = new Set(
      placedIn(draft)
        .filter(({ entity }) => !moving.some((one) => one.entity === entity))
        .map(({ table }) => table),
    );
    const whole = moving.filter(({ table }) => !staying.has(table));
    if (whole.length < 2 || tables.size < 1) return undefined;
    const name = freshName(draft, "Everything");
    const merged = mergedTable(draft, name, whole, texts);
    if (merged === undefined) return undefined;
    return {
      document: withDesign(draft, { ...draft.design, tables: merged }),
      what: `${whole.map(({ entity }) => entity.name).join(", ")} in one table`,
    };
  },
};

/** Whether no index would have a key attribute that has two types. */
function isAloneInTypes({ model }: Draft, { document }: Placed): boolean {
  const names = Object.values(document.indexes ?? {}).flatMap(({ key }) =>
    [key.partition ?? [], key.sort ?? []].flat(),
  );
  return names.every((name) => {
    const types = [...model.entities.values()].flatMap(
      ({ attributes }) => attributes.get(name)?.type ?? [],
    );
    return new Set(types).size <= 1;
  });
}

function sharedKey(
  draft: Draft,
  entity: Entity,
  isShared: boolean,
): readonly [string, string] | undefined {
  if (entity.attributes.has("PK") || entity.attributes.has("SK")) return undefined;
  const ids = entity.id.map((name) => attributeOf(entity, name));
  const [first, ...rest] = ids;
  if (first === undefined || ids.some(({ type }) => type === "B")) return undefined;
  const prefix = isShared ? prefixFor(first.name) : prefixFor(entity.name);
  // Items of one collection have the same text for the same value, whatever kind they are of.
  const head = isShared ? `${prefix}{${first.name}}` : `${prefix}${segmentFor(draft, first)}`;
  const tail = joinedText(draft, prefixFor(entity.name), rest);
  return tail === undefined ? undefined : [head, tail];
}

function mergedTable(
  draft: Draft,
  name: string,
  moving: readonly Placed[],
  texts: ReadonlyMap<string, readonly [string, string]>,
): DesignDocument["tables"] | undefined {
  const gone = new Set(moving.map(({ table }) => table));
  const guardTables = new Set(guardsOf(draft).map(({ table }) => String(table)));
  const old = [...gone].flatMap((one) => draft.design.tables[one] ?? []);
  const entities = Object.fromEntries(
    moving.map(({ entity, placement }) => {
      const [PK = "", SK = ""] = texts.get(entity.name) ?? [];
      return [entity.name, { ...placement, key: { PK, SK } }];
    }),
  );
  const indexes = Object.fromEntries(
    old.flatMap((one, i) =>
      Object.entries(withoutLocals(one)).map(([index, document]) => [`${index}_${i}`, document]),
    ),
  );
  const unique = guardsOf(draft).flatMap(({ from, ...guard }) => {
    if (!gone.has(from)) return [];
    const target = String(guard.table);
    // A guard in a table that stays keeps its key.
    if (!gone.has(target)) return [guard];
    const { entity, attribute } = guard;
    const [PK, SK] = [`UNIQUE ${entity} ${attribute}#{${attribute}}`, "UNIQUE"];
    return [{ entity, attribute, table: name, key: { PK, SK } }];
  });
  const binary = unique.some(
    ({ entity, attribute, table }) =>
      table === name && draft.model.entities.get(entity)?.attributes.get(attribute)?.type === "B",
  );
  if (binary || Object.keys(indexes).length > 20) return undefined;
  const ttls = new Set(
    old.flatMap(({ ttl }) => (typeof ttl === "string" ? ttl : (ttl?.attribute ?? []))),
  );
  const usesKeys = old.some(({ key, indexes: all = {} }) =>
    Object.values(all).some((one) =>
      [one.key.partition ?? [], one.key.sort ?? []]
        .flat()
        .some(
          (part) =>
            key[part] !== undefined && !moving.every(({ entity }) => entity.attributes.has(part)),
        ),
    ),
  );
  if (ttls.size > 0 || usesKeys) return undefined;
  const others = Object.entries(draft.design.tables).filter(([one]) => !gone.has(one));
  const isForeign = others.some(([, one]) =>
    (one.unique ?? []).some(({ table }) => gone.has(table ?? "")),
  );
  if (isForeign || [...gone].some((one) => guardTables.has(one) && isForeign)) return undefined;
  const aggregates = old.flatMap((one) => one.aggregates ?? []);
  const types: Readonly<Record<string, KeyType>> = { PK: "S", SK: "S" };
  return {
    ...Object.fromEntries(others),
    [name]: {
      key: types,
      entities,
      ...(draft.random.chance(0.3) && { discriminator: "kindOfItem" }),
      ...(Object.keys(indexes).length > 0 && { indexes }),
      ...(unique.length > 0 && { unique }),
      ...(aggregates.length > 0 && { aggregates }),
    },
  };
}

/** The time is in the id, so whoever knows the id knows the table; all other readers ask every table. */
const periodTables: Transformation = {
  name: "period-tables",
  apply: (draft) =>
    firstOf(draft, placedIn(draft).filter(isPlain), (placed) => {
      const { table, document, entity } = placed;
      const times = entity.id.filter((name) => isTime(attributeOf(entity, name)));
      if (times.length === 0 || document.dax || isGuardTarget(draft, table)) return undefined;
      const { random } = draft;
      const periods = {
        every: random.pick(["day", "week", "month", "quarter", "year"] as const),
        attribute: random.pick(times),
        keep: random.between(2, 4),
      };
      return {
        document: withTable(draft, table, { ...document, periods }),
        what: `${table} for each ${periods.every} of ${periods.attribute}`,
      };
    }),
};

function isTime(attribute: Attribute): boolean {
  const { format, type } = attribute;
  return (
    format !== undefined && formats[format].order === "time" && type !== "B" && isAlways(attribute)
  );
}

/** Attributes are only called otherwise. */
const shortNames: Transformation = {
  name: "short-names",
  apply: (draft) =>
    firstOf(draft, placedIn(draft), (placed) => {
      const { document, entity, placement } = placed;
      const free = [...entity.attributes.keys()].filter(
        (name) => document.key[name] === undefined && !entity.id.includes(name),
      );
      if (free.length === 0 || placement.names || Object.keys(document.entities ?? {}).length > 1) {
        return undefined;
      }
      const chosen = draft.random.sample(free, draft.random.between(1, free.length));
      const names = Object.fromEntries(
        chosen.map((name, i) => [
          name,
          draft.random.chance(0.2)
            ? ["name", "size", "status", "data"][i % 4] + String(i)
            : `a${i}_`,
        ]),
      );
      return {
        document: withPlacement(draft, placed, { ...placement, names }),
        what: `${entity.name} stores ${JSON.stringify(names)}`,
      };
    }),
};

/** Every item says of which kind it is. */
const discriminator: Transformation = {
  name: "discriminator",
  apply: (draft) =>
    firstOf(draft, tablesOf(draft), ({ table, document }) => {
      if (document.discriminator !== undefined) return undefined;
      const name = freshName(draft, "kindOfItem");
      return {
        document: withTable(draft, table, { ...document, discriminator: name }),
        what: `${table} has ${name}`,
      };
    }),
};

/** The value is the whole key of the guard, wherever it is stored. */
const guardTable: Transformation = {
  name: "guard-table",
  apply: (draft) =>
    firstOf(draft, guardsOf(draft), (guard) => {
      const { from, entity, attribute } = guard;
      const type = draft.model.entities.get(entity)?.attributes.get(attribute)?.type;
      if (type !== "S" && type !== "N") return undefined;
      const name = freshName(draft, "Guards");
      const isNative = draft.random.chance(0.3);
      const key = isNative ? `{${attribute}}` : `${entity}.${attribute}#{${attribute}}`;
      const home = draft.design.tables[from] as TableDocument;
      const unique = (home.unique ?? []).map((one) =>
        one.entity === entity && one.attribute === attribute
          ? { entity, attribute, table: name, key: { guarded: key } }
          : one,
      );
      const tables = {
        ...draft.design.tables,
        [from]: { ...home, unique },
        [name]: { key: { guarded: isNative ? type : ("S" as const) } },
      };
      return {
        document: withDesign(draft, { ...draft.design, tables }),
        what: `${entity}.${attribute} is guarded in ${name}`,
      };
    }),
};

/** A number that a transaction keeps is never behind, which no pattern forbids. */
const transactionAggregate: Transformation = {
  name: "transaction-aggregate",
  apply: (draft) =>
    firstOf(draft, tablesOf(draft), ({ table, document }) => {
      const { aggregates = [] } = document;
      const candidates = aggregates.filter(
        ({ by, what = "count" }) => by !== "transaction" && (what === "count" || what === "sum"),
      );
      if (candidates.length === 0) return undefined;
      const chosen = draft.random.pick(candidates);
      const changed = aggregates.map((one) =>
        one === chosen ? { ...one, by: "transaction" as const } : one,
      );
      return {
        document: withTable(draft, table, { ...document, aggregates: changed }),
        what: `${chosen.into} is kept by transactions`,
      };
    }),
};

/** A number that a stream or a schedule keeps may be behind, where the model does not refuse that. */
const laterAggregate: Transformation = {
  name: "later-aggregate",
  apply: (draft) =>
    firstOf(draft, tablesOf(draft), ({ table, document }) => {
      const { aggregates = [] } = document;
      const candidates = aggregates.filter(({ into }) => {
        const [entity = "", attribute = ""] = into.split(".");
        const kept = draft.model.entities.get(entity)?.attributes.get(attribute);
        return kept !== undefined && kept.staleness !== "refused";
      });
      if (candidates.length === 0) return undefined;
      const chosen = draft.random.pick(candidates);
      const by = draft.random.chance(0.5) ? ("stream" as const) : { schedule: "rate(1 hour)" };
      const changed = aggregates.map((one) => (one === chosen ? { ...one, by } : one));
      return {
        document: withTable(draft, table, {
          ...document,
          aggregates: changed,
          ...(by === "stream" && { stream: document.stream ?? "new-and-old-images" }),
        }),
        what: `${chosen.into} is kept by ${JSON.stringify(by)}`,
      };
    }),
};

/** The value is the whole key of the guard, behind words that no other key of the table begins with. */
const guardInTable: Transformation = {
  name: "guard-in-table",
  apply: (draft) =>
    firstOf(draft, guardsOf(draft), (guard) => {
      const { from, entity, attribute } = guard;
      const type = draft.model.entities.get(entity)?.attributes.get(attribute)?.type;
      const home = draft.design.tables[from] as TableDocument;
      const key = Object.entries(home.key);
      if ((type !== "S" && type !== "N") || key.some(([, one]) => one !== "S")) return undefined;
      const [first = ["", "S"]] = key;
      // An attribute of the key would be the id of the guard's entity.
      const isMade = Object.keys(home.entities ?? {}).every((name) =>
        key.every(([own]) => !draft.model.entities.get(name)?.attributes.has(own)),
      );
      if (!isMade || home.periods || home.versioning) return undefined;
      const texts = Object.fromEntries(
        key.map(([name]) => [
          name,
          name === first[0] ? `UNIQUE ${entity} ${attribute} {${attribute}}` : "UNIQUE",
        ]),
      );
      const unique = (home.unique ?? []).map((one) =>
        one.entity === entity && one.attribute === attribute
          ? { entity, attribute, key: texts }
          : one,
      );
      return {
        document: withTable(draft, from, { ...home, unique }),
        what: `${entity}.${attribute} is guarded in its own table`,
      };
    }),
};

/** The newest version is read by the table's order, or from a copy with a key of its own. */
const copiedVersion: Transformation = {
  name: "copied-version",
  apply: (draft) =>
    firstOf(draft, tablesOf(draft), ({ table, document }) => {
      const { versioning, entities = {} } = document;
      if (versioning === undefined) return undefined;
      const { entity, attribute, latest } = versioning;
      if (latest === "copy") {
        const byQuery = { entity, attribute, latest: "query" as const };
        return {
          document: withTable(draft, table, { ...document, versioning: byQuery }),
          what: `the newest ${entity} is queried`,
        };
      }
      const [partition = "", sort] = Object.keys(document.key);
      const own = entities[entity]?.key ?? {};
      const isAdded = [...draft.model.patterns.values()].every(({ actions, with: others, kind }) =>
        [...actions, ...others.map((one) => ({ ...one, kind: actions[0]?.kind }))].every(
          (one) => one.entity !== entity || kind === "read" || one.kind === "create",
        ),
      );
      const text = own[sort ?? ""] ?? "";
      if (
        sort === undefined ||
        document.key[sort] !== "S" ||
        !isAdded ||
        /^\{[^|]*\}$/.test(text)
      ) {
        return undefined;
      }
      const key = { [partition]: own[partition] ?? "", [sort]: "LATEST" };
      if (Object.keys(entities).length > 1) return undefined;
      return {
        document: withTable(draft, table, {
          ...document,
          versioning: { entity, attribute, latest: "copy", key },
        }),
        what: `the newest ${entity} has a copy`,
      };
    }),
};

export const tableVariants: readonly Transformation[] = [
  laterAggregate,
  guardInTable,
  copiedVersion,
  rekeyedTable,
  shardedTable,
  tablePerEntity,
  singleTable,
  periodTables,
  shortNames,
  discriminator,
  guardTable,
  transactionAggregate,
];
