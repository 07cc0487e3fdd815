import type { IndexDocument } from "../../src/model/document-design.ts";
import type { OperatorsDocument, WhereDocument } from "../../src/model/document-parts.ts";
import type { Attribute, Pattern } from "../../src/model/requirements.ts";
import {
  attributeOf,
  type Change,
  type Draft,
  firstOf,
  freshName,
  indexesOf,
  isAlways,
  isClosed,
  joinedText,
  keyable,
  membersOf,
  type Placed,
  placedIn,
  prefixFor,
  readsOf,
  type Transformation,
  withIndex,
} from "./design-draft.ts";

/**
 * Transformations of indexes that keep a design right. All of them rest on one fact: an index holds what its definition states about
 * the items of its table, the planner decides from that definition whether a pattern can read it, and every entity
 * stays readable by its table. So no index can make a design wrong, only expensive.
 */

/** Entries hold more attributes than before, and the same entries in the same order. */
const widerProjection: Transformation = {
  name: "wider-projection",
  apply: (draft) =>
    firstOf(draft, indexesOf(draft), (one) => {
      const { projection = "all" } = one.index;
      if (projection === "all") return undefined;
      const document = withIndex(draft, one, one.name, { ...one.index, projection: "all" });
      return { document, what: `${one.name} projects all` };
    }),
};

/** The planner fetches what an entry lacks by its key, or does not use the index. */
const narrowerProjection: Transformation = {
  name: "narrower-projection",
  apply: (draft) =>
    firstOf(draft, indexesOf(draft), (one) => {
      const { projection = "all" } = one.index;
      if (projection === "keys") return undefined;
      const names = [
        ...new Set(membersOf(draft, one).flatMap(({ attributes }) => [...attributes.keys()])),
      ];
      const held = projection === "all" ? names : projection;
      const list = draft.random.sample(held, draft.random.between(0, Math.min(3, held.length - 1)));
      const narrow = list.length === 0 ? "keys" : list;
      const document = withIndex(draft, one, one.name, { ...one.index, projection: narrow });
      return { document, what: `${one.name} projects ${[narrow].flat().join(", ")}` };
    }),
};

/** Patterns that used it read another index, or scan. */
const droppedIndex: Transformation = {
  name: "dropped-index",
  apply: (draft) =>
    firstOf(draft, indexesOf(draft), (one) => ({
      document: withIndex(draft, one, one.name, undefined),
      what: `without ${one.name}`,
    })),
};

/** Attributes that a pattern could be read by: those it compares first, then those that it sorts by, then any. */
function wantedKeys(
  draft: Draft,
  placed: Placed,
): { readonly partition: Attribute[]; readonly sort: Attribute[] } | undefined {
  const { random } = draft;
  const all = keyable(draft, placed);
  if (all.length === 0) return undefined;
  const pattern = random.pick<Pattern | undefined>([
    ...readsOf(draft, placed.entity.name),
    undefined,
  ]);
  const action = pattern?.actions.find(({ entity }) => entity === placed.entity.name);
  const known = (names: readonly string[]): Attribute[] =>
    [...new Set(names)].flatMap((name) => all.find((one) => one.name === name) ?? []);
  const equal = known(
    (action?.where ?? [])
      .filter(({ operator }) => operator === "equals" || operator === "one-of")
      .map(({ attribute }) => attribute),
  );
  const ordered = known([
    ...(action?.order ?? []).map(({ attribute }) => attribute),
    ...(action?.where ?? []).map(({ attribute }) => attribute),
  ]).filter((one) => !equal.includes(one));
  const partition =
    equal.length > 0
      ? random.sample(equal, random.between(1, Math.min(4, equal.length)))
      : random.sample(all, 1);
  const others = all.filter((one) => !partition.includes(one) && !ordered.includes(one));
  const sort = [
    ...equal.filter((one) => !partition.includes(one)),
    ...ordered,
    ...random.sample(others, random.few(2)),
  ]
    .filter((one) => !partition.includes(one))
    .slice(0, random.between(0, 4));
  return { partition, sort };
}

function randomProjection(
  draft: Draft,
  { entity }: Placed,
): NonNullable<IndexDocument["projection"]> {
  const { random } = draft;
  const names = [...entity.attributes.keys()];
  return random.choose<NonNullable<IndexDocument["projection"]>>([
    [2, () => "all"],
    [2, () => "keys"],
    [2, () => random.sample(names, random.between(1, Math.min(6, names.length)))],
  ]);
}

const hasRoom = ({ document }: Placed): boolean =>
  Object.values(document.indexes ?? {}).filter(({ local }) => !local).length < 15;

/** An index by one to four attributes on each side. */
const extraIndex: Transformation = {
  name: "extra-index",
  apply: (draft) =>
    firstOf(draft, placedIn(draft).filter(hasRoom), (placed) => {
      const keys = wantedKeys(draft, placed);
      if (keys === undefined) return undefined;
      const names = (list: readonly Attribute[]): string | string[] => {
        const all = list.map(({ name }) => name);
        return all.length === 1 ? (all[0] as string) : all;
      };
      const name = freshName(draft, `${placed.entity.name}Extra`);
      const index = {
        key: {
          partition: names(keys.partition),
          ...(keys.sort.length > 0 && { sort: names(keys.sort) }),
        },
        projection: randomProjection(draft, placed),
      };
      return {
        document: withIndex(draft, placed, name, index),
        what: `${placed.table}.${name} by ${[index.key.partition].flat().join("+")}, ${[index.key.sort ?? []].flat().join("+")}`,
      };
    }),
};

/** An index whose key attributes are texts that are made for it. Texts that do not sort like their attribute are for the planner to recognise. */
const madeIndexKey: Transformation = {
  name: "made-index-key",
  apply: (draft) =>
    firstOf(draft, placedIn(draft).filter(hasRoom), (placed) => {
      const made = madeIndex(draft, placed);
      if (made === undefined) return undefined;
      const { name, index } = made;
      return {
        document: withIndex(draft, placed, name, index),
        what: `${placed.table}.${name} by ${JSON.stringify(index.sets)}`,
      };
    }),
};

function madeIndex(
  draft: Draft,
  placed: Placed,
  shard = "",
): { readonly name: string; readonly index: IndexDocument } | undefined {
  const keys = wantedKeys(draft, placed);
  if (keys === undefined) return undefined;
  const { entity } = placed;
  const { random } = draft;
  const [partition, sort] = [keys.partition, keys.sort].map((list) => list.filter(isAlways));
  if (partition === undefined || partition.length === 0) return undefined;
  const prefix = random.chance(0.5) ? prefixFor(entity.name) : "";
  const first = joinedText(draft, prefix, partition);
  if (first === undefined) return undefined;
  const second =
    sort === undefined || sort.length === 0
      ? undefined
      : joinedText(draft, random.chance(0.3) ? prefixFor(entity.name) : "", sort);
  const pk = freshName(draft, "gpk");
  const sk = freshName(draft, "gsk");
  if (shard !== "" && partition.some((one) => !isClosed(one))) return undefined;
  const texts = { [pk]: `${first}${shard}`, ...(second !== undefined && { [sk]: second }) };
  return {
    name: freshName(draft, `${entity.name}Made`),
    index: {
      key: { partition: pk, ...(second !== undefined && { sort: sk }) },
      sets: { [entity.name]: texts },
      projection: randomProjection(draft, placed),
    },
  };
}

/** Readers ask every shard of an index, or the one that they calculate from a value that they know. */
const shardedIndex: Transformation = {
  name: "sharded-index",
  apply: (draft) =>
    firstOf(draft, placedIn(draft).filter(hasRoom), (placed) => {
      const { random } = draft;
      const by = random.pick(placed.entity.id);
      const isCalculated = attributeOf(placed.entity, by).type !== "B" && random.chance(0.6);
      const count = random.pick([2, 3, 10, 12]);
      const made = madeIndex(draft, placed, `#{shard:${count}${isCalculated ? `:${by}` : ""}}`);
      if (made === undefined) return undefined;
      const { name, index } = made;
      return {
        document: withIndex(draft, placed, name, index),
        what: `${placed.table}.${name} by ${JSON.stringify(index.sets)}`,
      };
    }),
};

/** Entries are there only for items that fulfil a condition; the planner uses the index only for patterns that ask for it. */
const sparseIndex: Transformation = {
  name: "sparse-index",
  apply: (draft) =>
    firstOf(draft, placedIn(draft).filter(hasRoom), (placed) => {
      const made = madeIndex(draft, placed);
      const condition = sparseCondition(draft, placed);
      if (made === undefined || condition === undefined) return undefined;
      const { name, index } = made;
      const only = { [placed.entity.name]: condition };
      return {
        document: withIndex(draft, placed, name, { ...index, only }),
        what: `${placed.table}.${name} only ${JSON.stringify(condition)}`,
      };
    }),
};

/** A condition on one attribute: as a pattern states it with constants, or that the attribute exists. */
export function sparseCondition(draft: Draft, { entity }: Placed): WhereDocument | undefined {
  const { random, document } = draft;
  const stated = Object.values(document.patterns ?? {}).flatMap(({ read, where }) =>
    read === entity.name ? Object.entries(where ?? {}) : [],
  );
  const constant = stated.filter(([, one]) => isConstant(one));
  const optional = [...entity.attributes.values()].filter((one) => !isAlways(one));
  const listed = [...entity.attributes.values()].filter(({ values }) => values !== undefined);
  const options: WhereDocument[] = [
    ...constant.map(([name, one]) => ({ [name]: one })),
    ...optional.map(({ name }) => ({ [name]: { exists: true } })),
    ...listed.map(({ name, values = [] }) => ({ [name]: { equals: random.pick(values).value } })),
  ];
  return options.length === 0 ? undefined : random.pick(options);
}

function isConstant(one: string | OperatorsDocument | undefined): boolean {
  if (typeof one !== "object") return false;
  return !JSON.stringify(one).includes('"$');
}

/** A local index on a table with a sort key has the table's partitions in another order. */
const localIndex: Transformation = {
  name: "local-index",
  apply: (draft) =>
    firstOf(draft, placedIn(draft), (placed) => {
      const { document } = placed;
      const [, sortKey] = Object.keys(document.key);
      const locals = Object.values(document.indexes ?? {}).filter(({ local }) => local);
      if (sortKey === undefined || locals.length >= 5 || document.periods) return undefined;
      const reads = readsOf(draft, placed.entity.name);
      const ordered = reads.flatMap(({ actions }) =>
        actions
          .flatMap(({ order, where }) => [...order, ...where])
          .map(({ attribute }) => attribute),
      );
      const all = keyable(draft, placed).filter(({ name }) => document.key[name] === undefined);
      const wanted = all.filter(({ name }) => ordered.includes(name));
      const candidates = wanted.length > 0 && draft.random.chance(0.8) ? wanted : all;
      if (candidates.length === 0) return undefined;
      const sort = draft.random.pick(candidates).name;
      const name = freshName(draft, `${placed.entity.name}Local`);
      const index = { local: true, key: { sort }, projection: randomProjection(draft, placed) };
      return {
        document: withIndex(draft, placed, name, index),
        what: `${placed.table}.${name} by ${sort}`,
      };
    }),
};

/** The same partitions in the same order, kept with the table. */
const localInsteadOfGlobal: Transformation = {
  name: "local-instead-of-global",
  apply: (draft) =>
    firstOf(draft, indexesOf(draft), (one) => {
      const { index, document } = one;
      const [partition, sortKey] = Object.keys(document.key);
      const [sort, more] = [index.key.sort ?? []].flat();
      if (index.local || index.key.partition !== partition || sort === undefined) return undefined;
      if (more !== undefined || sortKey === undefined || document.periods) return undefined;
      const { partition: _, ...key } = index.key;
      const { throughput: __, maximum: ___, prewarm: ____, ...rest } = index;
      return {
        document: withIndex(draft, one, one.name, { ...rest, key, local: true }),
        what: `${one.name} is local`,
      };
    }),
};

/** Items that tie in the old sort key come in another order, which no pattern asks for; the prefix is the same. */
const longerIndexSort: Transformation = {
  name: "longer-index-sort",
  apply: (draft) =>
    firstOf(draft, indexesOf(draft), (one): Change | undefined => {
      const { index } = one;
      const sort = [index.key.sort ?? []].flat();
      const used = [...sort, ...[index.key.partition ?? []].flat()];
      if (index.local || sort.length >= 4) return undefined;
      return firstOf(draft, placedIn(draft), (placed) => {
        // Another kind of item in the index may not have the attribute, and would leave it.
        const isOnlyMember = membersOf(draft, one).every((entity) => entity === placed.entity);
        if (placed.table !== one.table || !isOnlyMember) return undefined;
        const free = keyable(draft, placed).filter(
          (attribute) => isAlways(attribute) && !used.includes(attribute.name),
        );
        if (free.length === 0) return undefined;
        const { name } = draft.random.pick(free);
        const key = { ...index.key, sort: [...sort, name] };
        return {
          document: withIndex(draft, one, one.name, { ...index, key }),
          what: `${one.name} is also sorted by ${name}`,
        };
      });
    }),
};

/** The planner reads an index only as far as its order serves; another order serves other patterns. */
const reorderedIndexKey: Transformation = {
  name: "reordered-index-key",
  apply: (draft) =>
    firstOf(draft, indexesOf(draft), (one) => {
      const { index } = one;
      if (index.local) return undefined;
      const all = [index.key.partition ?? [], index.key.sort ?? []].flat();
      if (all.length < 2) return undefined;
      const turned = draft.random.sample(all, all.length);
      const cut = draft.random.between(1, Math.min(4, all.length));
      const [partition, sort] = [turned.slice(0, cut), turned.slice(cut)];
      if (sort.length > 4) return undefined;
      const key = { partition, ...(sort.length > 0 && { sort }) };
      return {
        document: withIndex(draft, one, one.name, { ...index, key }),
        what: `${one.name} by ${partition.join("+")}, ${sort.join("+")}`,
      };
    }),
};

/** Times of one day, month or year under one key, in their order; readers of a span ask each of them. */
const bucketedIndex: Transformation = {
  name: "bucketed-index",
  apply: (draft) =>
    firstOf(draft, placedIn(draft).filter(hasRoom), (placed) => {
      const { random } = draft;
      const times = keyable(draft, placed).filter(
        (one) =>
          isAlways(one) && one.type !== "B" && ["iso-time", "iso-date"].includes(one.format ?? ""),
      );
      if (times.length === 0) return undefined;
      const time = random.pick(times);
      const every = random.pick(["day", "month", "year"]);
      const shard = random.pick(["", "", "#{shard:4}", "#{shard:24:hour}", "#{shard:7:day}"]);
      const closed = keyable(draft, placed).filter(
        (one) => isAlways(one) && isClosed(one) && one !== time && one.type !== "B",
      );
      const before = random.chance(0.4) && closed.length > 0 ? random.pick(closed) : undefined;
      const [gpk, gsk] = [freshName(draft, "gpk"), freshName(draft, "gsk")];
      const first = before === undefined ? "T#" : `{${before.name}}#`;
      const texts = {
        [gpk]: `${first}{${time.name}|${every}}${shard}`,
        [gsk]: random.chance(0.5) ? `{${time.name}}` : `{${time.name}|descending}`,
      };
      const name = freshName(draft, `${placed.entity.name}Bucketed`);
      return {
        document: withIndex(draft, placed, name, {
          key: { partition: gpk, sort: gsk },
          sets: { [placed.entity.name]: texts },
          projection: randomProjection(draft, placed),
        }),
        what: `${placed.table}.${name} by ${JSON.stringify(texts)}`,
      };
    }),
};

/** The key of the table, the other way round: an index of all of its items. */
const invertedIndex: Transformation = {
  name: "inverted-index",
  apply: (draft) =>
    firstOf(draft, placedIn(draft).filter(hasRoom), (placed) => {
      const [partition, sort] = Object.keys(placed.document.key);
      if (partition === undefined || sort === undefined) return undefined;
      const name = freshName(draft, `${placed.table}Inverted`);
      return {
        document: withIndex(draft, placed, name, {
          key: { partition: sort, sort: partition },
          projection: randomProjection(draft, placed),
        }),
        what: `${placed.table}.${name} by ${sort}, then ${partition}`,
      };
    }),
};

export const indexVariants: readonly Transformation[] = [
  bucketedIndex,
  invertedIndex,
  widerProjection,
  narrowerProjection,
  droppedIndex,
  extraIndex,
  madeIndexKey,
  shardedIndex,
  sparseIndex,
  localIndex,
  localInsteadOfGlobal,
  longerIndexSort,
  reorderedIndexKey,
];
