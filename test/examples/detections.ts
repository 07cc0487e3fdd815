import type { Index, KeyPart, Placement, Table } from "../../src/model/design.ts";
import { attributesOf } from "../../src/model/key-text.ts";
import type { Model } from "../../src/model/model.ts";
import type { Action, Attribute, Pattern } from "../../src/model/requirements.ts";

/** How to see in a model that something is used. */
export type Detection = (model: Model) => boolean;

export const tablesOf = ({ design }: Model): readonly Table[] => [
  ...(design?.tables.values() ?? []),
];
export const patternsOf = ({ patterns }: Model): readonly Pattern[] => [...patterns.values()];
export const actionsOf = (model: Model): readonly Action[] =>
  patternsOf(model)
    .filter(({ status }) => status === "solved")
    .flatMap(({ actions }) => actions);
export const attributesIn = ({ entities }: Model): readonly Attribute[] =>
  [...entities.values()].flatMap(({ attributes }) => [...attributes.values()]);
export const indexesOf = (model: Model): readonly Index[] =>
  tablesOf(model).flatMap(({ indexes }) => [...indexes.values()]);
export const placementsOf = (model: Model): readonly Placement[] =>
  tablesOf(model).flatMap(({ placements }) => [...placements.values()]);

/** All key texts of a model: of tables, of items that are split off, and of indexes. */
const partsOf = (model: Model): readonly KeyPart[] => [
  ...placementsOf(model).flatMap(({ key, splits }) => [...key, ...splits.flatMap((s) => s.key)]),
  ...indexesOf(model).flatMap(({ members }) => [...members.values()].flatMap(({ sets }) => sets)),
];
export const namesIn = (part: KeyPart | undefined): readonly string[] =>
  part === undefined ? [] : attributesOf(part.text).map(({ attribute }) => attribute);
const firstText = (part: KeyPart | undefined): string | undefined => {
  const [segment] = part?.text.segments ?? [];
  return segment?.kind === "text" ? segment.text : undefined;
};
const equal = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((one) => b.includes(one));
export const shardsBy = (kind: "random" | "calculated" | "time") => (model: Model) =>
  partsOf(model).some(({ text }) =>
    text.segments.some((segment) => segment.kind === "shard" && segment.by.kind === kind),
  );

/** Nodes and the edges between them lie under the same keys. */
export function adjacencyList(model: Model): boolean {
  return model.relations.some(({ kind, via = "", from, to }) =>
    tablesOf(model).some(({ placements }) => {
      const edge = firstText(placements.get(via)?.key[0]);
      if (kind !== "many-to-many" || edge === undefined) return false;
      return [from, to].some((node) => firstText(placements.get(node)?.key[0]) === edge);
    }),
  );
}

/** The attributes that a key attribute of an index is made of, for an entity. */
function indexNames(table: Table, index: Index, entity: string, name: string): readonly string[] {
  const set = index.members.get(entity)?.sets.find(({ attribute }) => attribute === name);
  const own = table.placements.get(entity)?.key.find(({ attribute }) => attribute === name);
  return set === undefined && own === undefined ? [name] : namesIn(set ?? own);
}

/** What sorts in the table is what an index is asked for. */
export function invertedIndex(model: Model): boolean {
  return tablesOf(model).some((table) =>
    [...table.indexes.values()].some((index) =>
      [...index.members.keys()].some((entity) => {
        const sorted = namesIn(table.placements.get(entity)?.key[1]);
        const asked = index.partition.flatMap(({ name }) => indexNames(table, index, entity, name));
        return sorted.length > 0 && equal(sorted, asked);
      }),
    ),
  );
}

/** A read that names the beginning of a sort key, like a folder. */
export function hierarchy(model: Model): boolean {
  return actionsOf(model).some(({ kind, entity, where }) =>
    placementsOf(model).some((placement) => {
      if (kind !== "read" || placement.entity !== entity) return false;
      const asked = (name: string, operator: string): boolean =>
        where.some((one) => one.attribute === name && one.operator === operator);
      const [above = [], path = []] = placement.key.map(namesIn);
      if (above.length === 0 || !above.every((name) => asked(name, "equals"))) return false;
      const free = path.findIndex((name) => !asked(name, "equals"));
      return free > 0 || (free === 0 && asked(path[0] as string, "begins-with"));
    }),
  );
}

/** The owner sorts before what it owns, because of a character that sorts before letters and digits. */
export function orderingPrefix(model: Model): boolean {
  return tablesOf(model).some(({ placements }) =>
    [...placements.values()].some(({ entity, key: [above, sort] }) => {
      if (!firstText(sort)?.startsWith("#")) return false;
      return [...placements.values()].some(
        (other) =>
          other.entity !== entity &&
          other.key[0]?.text.text === above?.text.text &&
          !firstText(other.key[1])?.startsWith("#"),
      );
    }),
  );
}

/** The child lies under its parent's id, so that no index is needed to find it. */
export function identifyingRelationship(model: Model): boolean {
  return model.relations.some(({ identifying, from, to }) => {
    const id = model.entities.get(from)?.id ?? [];
    const child = placementsOf(model).find(({ entity }) => entity === to);
    return identifying && equal(namesIn(child?.key[0]), id);
  });
}

const isTime = (attribute: Attribute | undefined): boolean =>
  ["iso-time", "epoch-seconds", "epoch-milliseconds"].includes(attribute?.format ?? "");

/** Indexes with several attributes in their partition key, with an entity in them. */
function severalAttributes(
  holds: (model: Model, index: Index, entity: string) => boolean,
): Detection {
  return (model) =>
    indexesOf(model).some(
      (index) =>
        index.partition.length > 1 &&
        [...index.members.keys()].some((entity) => holds(model, index, entity)),
    );
}

export const timeSeries = severalAttributes((model, { sort }, entity) => {
  const { id = [], attributes } = model.entities.get(entity) ?? {};
  const [{ name } = { name: "" }] = sort;
  return id.includes(name) && isTime(attributes?.get(name));
});
export const tenants = severalAttributes((model, { partition: [first] }, entity) =>
  patternsOf(model).some(
    ({ scope, actions }) =>
      actions.some((action) => action.entity === entity) &&
      scope.includes(first?.name ?? "") &&
      placementsOf(model).some(
        (one) => one.entity === entity && namesIn(one.key[0]).includes(first?.name ?? ""),
      ),
  ),
);
export const drillDown = severalAttributes((_, { sort }) => sort.length >= 3);

export function overloadedIndex(model: Model): boolean {
  return indexesOf(model).some(({ members, partition: [first] }) => {
    const texts = [...members.values()].flatMap(({ sets }) =>
      sets.filter(({ attribute }) => attribute === first?.name).map(({ text }) => text.text),
    );
    return new Set(texts).size > 1;
  });
}

export function sparseIndex(model: Model): boolean {
  return indexesOf(model).some(({ members, partition, sort }) =>
    [...members.values()].some(
      ({ only, entity }) =>
        only !== undefined ||
        [...partition, ...sort].some(({ name }) => {
          const share = model.entities.get(entity)?.attributes.get(name)?.present.value ?? 1;
          return share < 1;
        }),
    ),
  );
}

export function leaderboard(model: Model): boolean {
  return tablesOf(model).some(({ dax }) =>
    dax?.patterns.some((id) => {
      const [action] = model.patterns.get(id)?.actions ?? [];
      const [order] = action?.order ?? [];
      if (action === undefined || order?.direction !== "descending") return false;
      const by = model.entities.get(action.entity)?.attributes.get(order.attribute);
      return by?.type === "N" && by.format === undefined;
    }),
  );
}

export function localStrong(model: Model): boolean {
  return indexesOf(model).some(
    ({ local, sort: [sort], members }) =>
      local &&
      patternsOf(model).some(
        ({ consistency, actions: [action] }) =>
          consistency === "strong" &&
          members.has(action?.entity ?? "") &&
          action?.order[0]?.attribute === sort?.name,
      ),
  );
}

export function severalUnique(model: Model): boolean {
  const entities = tablesOf(model).flatMap(({ unique }) => unique.map(({ entity }) => entity));
  return new Set(entities).size < entities.length;
}

export function expiryFiltered(model: Model): boolean {
  return tablesOf(model).some(({ ttl }) =>
    actionsOf(model).some(
      ({ entity, where }) =>
        ttl?.entities.includes(entity) && where.some((one) => one.attribute === ttl.attribute),
    ),
  );
}

export const aggregatesBy = (by: string) => (model: Model) =>
  tablesOf(model).some(({ aggregates }) =>
    aggregates.some((one) => (typeof one.by === "object" ? "schedule" : one.by) === by),
  );
export const versionsBy = (latest: string) => (model: Model) =>
  tablesOf(model).some(({ versioning }) => versioning?.latest === latest);
export const formatted =
  (...formats: readonly string[]) =>
  (model: Model) =>
    attributesIn(model).some(({ format }) => formats.includes(format ?? ""));
export const relation = (kind: string) => (model: Model) =>
  model.relations.some((one) => one.kind === kind);
export const servedBy = (isSearch: boolean) => (model: Model) =>
  patternsOf(model).some(
    ({ alternative, actions }) =>
      alternative !== undefined &&
      actions.some(({ where }) => where.some((one) => one.operator === "contains")) === isSearch,
  );
export const styled = (style: string) => (model: Model) => model.design?.style === style;
export const batches = (kind: string) => (model: Model) =>
  patternsOf(model).some(
    (one) => one.status === "solved" && one.kind === kind && (one.batch?.value ?? 0) > 1,
  );
export const table = (holds: (table: Table) => boolean) => (model: Model) =>
  tablesOf(model).some(holds);
