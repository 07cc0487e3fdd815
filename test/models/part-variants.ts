import type {
  DesignDocument,
  EmbedDocument,
  PlacementDocument,
  SplitDocument,
  TableDocument,
} from "../../src/model/document-design.ts";
import type { Action, Pattern, Relation } from "../../src/model/requirements.ts";
import {
  attributeOf,
  bytesMax,
  type Change,
  type Draft,
  firstOf,
  freshName,
  type Placed,
  placedIn,
  storedIn,
  type Transformation,
  withDesign,
  withPlacement,
} from "./design-draft.ts";
import { isGuardTarget } from "./design-guards.ts";

/**
 * Transformations that keep a design right and change which item an attribute or an entity is in. The key of that item is made of
 * the same id, and the planner reads and writes all items of an entity together.
 */

/** Attributes that nothing but the entity's own item can hold: ids, keys of indexes, conditions of sparse ones. */
function pinned({ design }: Draft, { entity, document, placement }: Placed): ReadonlySet<string> {
  const { indexes, ttl, versioning, periods } = document;
  const text = JSON.stringify([indexes, ttl, versioning, periods, design.plans, placement.key]);
  const guarded = Object.values(design.tables).flatMap(({ unique = [] }) =>
    unique.map(({ attribute }) => attribute),
  );
  const named = [...entity.attributes.keys()].filter((name) => text.includes(name));
  return new Set([...entity.id, ...named, ...guarded, entity.version ?? ""]);
}

/** Attributes in an item of their own. Its key is that of the item with another literal. */
const splitPart: Transformation = {
  name: "split-part",
  apply: (draft) =>
    firstOf(draft, placedIn(draft), (placed) => {
      const { document, entity, placement } = placed;
      if (placement.stores || document.versioning || document.periods) return undefined;
      const stays = pinned(draft, placed);
      const stored = storedIn(draft, entity.name);
      const free = [...entity.attributes.keys()].filter(
        (name) => stored.has(name) && !stays.has(name),
      );
      if (free.length === 0) return undefined;
      const attributes = draft.random.sample(free, draft.random.between(1, free.length));
      const name = freshName(draft, "part");
      const key = partKey(placed, name);
      if (key === undefined) return undefined;
      const split: readonly SplitDocument[] = [
        ...(placement.split ?? []),
        { name, key, attributes },
      ];
      return {
        document: withPlacement(draft, placed, { ...placement, split }),
        what: `${entity.name} has ${attributes.join(", ")} in a part`,
      };
    }),
};

function partKey(
  { document, placement }: Placed,
  name: string,
): PlacementDocument["key"] | undefined {
  const [partition, sort] = Object.entries(document.key);
  const side = sort ?? partition;
  if (side === undefined || side[1] !== "S") return undefined;
  const [attribute] = side;
  const text = placement.key[attribute] ?? "";
  // A key that is also an attribute of the entity has to be that attribute.
  if (/^\{[^|{}]+\}$/.test(text) && text === `{${attribute}}`) return undefined;
  return { ...placement.key, [attribute]: `PART ${name}#${text}` };
}

/** Children inside of their parent's item, as a map by the part of their id that the parent does not have. */
const embeddedChild: Transformation = {
  name: "embedded-child",
  apply: (draft) =>
    firstOf(draft, draft.model.relations, (relation): Change | undefined => {
      const all = placedIn(draft);
      const parent = all.find(({ entity }) => entity.name === relation.from);
      const child = all.find(({ entity }) => entity.name === relation.to);
      if (parent === undefined || child === undefined || parent === child) return undefined;
      const embed = embedOf(draft, relation, parent, child);
      if (embed === undefined) return undefined;
      const without = withoutPlacement(draft, child);
      if (without === undefined) return undefined;
      const { tables } = without;
      const home = tables[parent.table] as TableDocument;
      const placement = {
        ...parent.placement,
        embeds: [...(parent.placement.embeds ?? []), embed],
      };
      const entities = { ...home.entities, [relation.from]: placement };
      return {
        document: withDesign(draft, {
          ...without,
          tables: { ...tables, [parent.table]: { ...home, entities } },
        }),
        what: `${relation.to} in ${relation.from}`,
      };
    }),
};

const embeddedMax = 40;

function embedOf(
  draft: Draft,
  { kind, max, identifying }: Relation,
  parent: Placed,
  child: Placed,
): EmbedDocument | undefined {
  const { id, attributes } = child.entity;
  const [by, more] = id.filter((name) => !parent.entity.id.includes(name));
  if (!parent.entity.id.every((name) => id.includes(name)) || more !== undefined) return undefined;
  if (kind === "many-to-many" || !identifying || child.placement.split || child.placement.embeds) {
    return undefined;
  }
  const bytes = [...attributes.values()].reduce(
    (sum, one) =>
      sum +
      (bytesMax(one) ?? Number.POSITIVE_INFINITY) *
        (one.elements?.max?.value ?? (one.elements ? Number.POSITIVE_INFINITY : 1)),
    0,
  );
  const most = kind === "one-to-one" ? 1 : (max?.value ?? Number.POSITIVE_INFINITY);
  const isUnique = [...attributes.values()].some(({ unique }) => unique);
  if (most > embeddedMax || bytes > 500 || isUnique) return undefined;
  if (![...draft.model.patterns.values()].every((one) => isInOneItem(one, parent, child)))
    return undefined;
  const names = JSON.stringify(child.document.aggregates ?? []);
  if (names.includes(child.entity.name) || child.document.versioning) return undefined;
  const as = freshName(draft, `inner${child.entity.name}`);
  if (by === undefined) {
    return kind === "one-to-one" ? { entity: child.entity.name, as, one: true } : undefined;
  }
  return ["S", "N"].includes(attributeOf(child.entity, by).type)
    ? { entity: child.entity.name, as, by }
    : undefined;
}

/**
 * Whether a pattern names the host of each child, and each child that it writes, and no other action of a transaction can be about the same item: a child is
 * only found by its host's key, and DynamoDB refuses a transaction that names an item twice.
 */
function isInOneItem(
  { actions, kind, transaction }: Pattern,
  { entity: host }: Placed,
  { entity: child }: Placed,
): boolean {
  const inner = actions.filter(({ entity }) => entity === child.name);
  const isFound = ({ where, kind: what }: Action): boolean =>
    what === "create" ||
    (what === "read" ? host : child).id.every((name) =>
      where.some(({ attribute, operator }) => attribute === name && operator === "equals"),
    );
  const isShared =
    transaction &&
    kind !== "read" &&
    inner.length > 0 &&
    actions.filter(({ entity }) => [child.name, host.name].includes(entity)).length > 1;
  return inner.every(isFound) && !isShared;
}

/** The design without an entity in a table; undefined if something depends on its being there. */
function withoutPlacement(
  draft: Draft,
  { table, document, entity }: Placed,
): DesignDocument | undefined {
  const { [entity.name]: _, ...entities } = document.entities ?? {};
  const { [table]: __, ...others } = draft.design.tables;
  if ((document.unique ?? []).some((one) => one.entity === entity.name)) return undefined;
  if (document.indexes !== undefined || document.ttl !== undefined) return undefined;
  const tables =
    Object.keys(entities).length === 0 && !isGuardTarget(draft, table)
      ? others
      : { ...draft.design.tables, [table]: { ...document, entities } };
  return { ...draft.design, tables };
}

/** Whether patterns do no more with an entity than to read it and to add some without a condition. */
function isOnlyAdded({ model }: Draft, name: string): boolean {
  return [...model.patterns.values()].every(({ actions, with: others, kind }) => {
    const isPlain = actions.every(
      (one) =>
        one.entity !== name ||
        one.kind === "read" ||
        (one.kind === "create" && one.condition === undefined && one.average.value === 1),
    );
    return isPlain && (kind === "read" || others.every(({ entity }) => entity !== name));
  });
}

/** A list does not know who is in it, so it serves where nothing is asked about one of them but to be added. */
const embeddedList: Transformation = {
  name: "embedded-list",
  apply: (draft) =>
    firstOf(draft, placedIn(draft), (placed) => {
      const { placement } = placed;
      const embeds = placement.embeds ?? [];
      const [chosen] = embeds.filter((one) => one.by && isOnlyAdded(draft, one.entity));
      if (chosen === undefined) return undefined;
      const { by: _, ...rest } = chosen;
      const changed = embeds.map((one) => (one === chosen ? rest : one));
      return {
        document: withPlacement(draft, placed, { ...placement, embeds: changed }),
        what: `${chosen.entity} in a list of ${placed.entity.name}`,
      };
    }),
};

/** All attributes are listed that are stored anyway. */
const listedAttributes: Transformation = {
  name: "listed-attributes",
  apply: (draft) =>
    firstOf(draft, placedIn(draft), (placed) => {
      const { placement, entity, table } = placed;
      if (placement.stores !== undefined) return undefined;
      const read = draft.model.design?.tables.get(table)?.placements.get(entity.name);
      if (read === undefined) return undefined;
      const stores = draft.random.sample([...read.stores], read.stores.length);
      return {
        document: withPlacement(draft, placed, { ...placement, stores }),
        what: `${table} lists what it stores of ${entity.name}`,
      };
    }),
};

/** A large value in another service, which no pattern compares, sorts by or changes; who reads the item finds the pointer. */
const offloaded: Transformation = {
  name: "offloaded-attribute",
  apply: (draft) =>
    firstOf(draft, placedIn(draft), (placed) => {
      const { entity, placement } = placed;
      if (placement.stores || placement.elsewhere) return undefined;
      const { patterns = {}, entities } = draft.document;
      const named = JSON.stringify([
        draft.design,
        Object.values(entities).flatMap(({ attributes }) =>
          Object.values(attributes).map(({ copyOf, keeps }) => [copyOf, keeps]),
        ),
        Object.values(patterns).map(({ returns: _, ...pattern }) => pattern),
      ]);
      const free = [...entity.attributes.values()].filter(
        ({ name, type, unique }) =>
          ["S", "B"].includes(type) &&
          !unique &&
          !entity.id.includes(name) &&
          !named.includes(name),
      );
      const [attribute, pointer] = draft.random.sample(free, 2);
      if (attribute === undefined) return undefined;
      const elsewhere = [
        {
          attribute: attribute.name,
          service: "S3",
          ...(pointer?.type === "S" && { pointer: pointer.name }),
        },
      ];
      return {
        document: withPlacement(draft, placed, { ...placement, elsewhere }),
        what: `${entity.name}.${attribute.name} is stored in S3`,
      };
    }),
};

export const partVariants: readonly Transformation[] = [
  splitPart,
  embeddedChild,
  embeddedList,
  listedAttributes,
  offloaded,
];
