/**
 * Which entities belong together, as docs/model.md states it ("Which entities belong together"). The planner has its own
 * code for this; a test compares the two.
 */
import { formats } from "../../../model/formats.ts";
import type { Model } from "../../../model/model.ts";
import type { Attribute, Entity, Relation } from "../../../model/requirements.ts";
import { isSame } from "./meaning.ts";
import type { EntityValues } from "./state.ts";

/** Two attributes that are equal if their entities belong together. */
export interface Pair {
  readonly own: string;
  readonly other: string;
}

/** An attribute of the child for each attribute of the parent's id. */
interface ForeignKey {
  readonly child: string;
  readonly parent: string;
  readonly pairs: readonly { readonly child: string; readonly id: string }[];
}

type Requirements = Pick<Model, "entities" | "relations">;

/** The attributes that link entities of one kind to those of another kind; none if nothing links them. */
export function pairsBetween(model: Requirements, own: Entity, other: Entity): readonly Pair[] {
  const keys = foreignKeysOf(model);
  const keyed = (child: Entity, parent: Entity): ForeignKey["pairs"] =>
    keys.find((one) => one.child === child.name && one.parent === parent.name)?.pairs ?? [];
  const children = keyed(other, own).map(({ child, id }) => ({ own: id, other: child }));
  if (own === other) return children;
  const pairs: Pair[] =
    children.length > 0
      ? children
      : keyed(own, other).map(({ child, id }) => ({ own: child, other: id }));
  const isFree = (name: string): boolean =>
    !pairs.some((pair) => pair.own === name || pair.other === name);
  const isOfOneType = (name: string): boolean =>
    own.attributes.get(name)?.type === other.attributes.get(name)?.type;
  const shared = [...other.attributes.keys()].filter(
    (name) =>
      isOfOneType(name) &&
      (own.id.includes(name) || other.id.includes(name)) &&
      isFree(name) &&
      !isDifferent(origin(keys, own.name, name), origin(keys, other.name, name)),
  );
  pairs.push(...shared.map((name) => ({ own: name, other: name })));
  const isLinked = ({ id }: Entity, side: keyof Pair): boolean =>
    id.every((name) => pairs.some((one) => one[side] === name));
  if (isLinked(own, "own") || isLinked(other, "other")) return pairs;
  for (const name of other.id) {
    const format = other.attributes.get(name)?.format;
    if (format === undefined || formats[format].finest === undefined) continue;
    const [moment, second] = [...own.attributes.values()].filter((one) => one.format === format);
    if (moment === undefined || second !== undefined) continue;
    if (!pairs.some((one) => one.other === name)) pairs.push({ own: moment.name, other: name });
  }
  return pairs;
}

/** The attribute that a foreign key leads to, over all foreign keys between; nothing for what is none. */
function origin(
  keys: readonly ForeignKey[],
  entity: string,
  name: string,
  depth = 0,
): string | undefined {
  for (const { child, parent, pairs } of keys) {
    const pair = child === entity ? pairs.find((one) => one.child === name) : undefined;
    if (pair === undefined || depth > maxDepth) continue;
    return origin(keys, parent, pair.id, depth + 1) ?? `${parent}.${pair.id}`;
  }
  return undefined;
}

const maxDepth = 10;

/** Two attributes of one name that hold ids of different entities. */
function isDifferent(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}

/** Whether two entities have equal values in all pairs; without a value nothing belongs together. */
export function belongsTo(pairs: readonly Pair[], own: EntityValues, other: EntityValues): boolean {
  return pairs.every((pair) => {
    const [one, two] = [own.get(pair.own), other.get(pair.other)];
    return one !== undefined && two !== undefined && isSame(one, two);
  });
}

const known = new WeakMap<Requirements["entities"], readonly ForeignKey[]>();

/** The foreign keys that relations and attributes state, in the order of the document. */
function foreignKeysOf(model: Requirements): readonly ForeignKey[] {
  const there = known.get(model.entities);
  if (there !== undefined) return there;
  const keys: ForeignKey[] = [];
  const add = (
    child: Entity,
    parent: Entity,
    besides: readonly string[] = [],
  ): readonly string[] => {
    const key = foreignKey(model.entities, child, parent, keys, besides);
    if (key !== undefined) keys.push(key);
    return key?.pairs.map((pair) => pair.child) ?? [];
  };
  for (const relation of model.relations) addKeys(model, relation, add);
  for (const child of model.entities.values()) {
    for (const { refersTo } of child.attributes.values()) {
      const parent = model.entities.get(refersTo?.entity ?? "");
      if (parent === undefined) continue;
      const isKnown = keys.some((one) => one.child === child.name && one.parent === parent.name);
      if (!isKnown) add(child, parent);
    }
  }
  known.set(model.entities, keys);
  return keys;
}

function addKeys(
  { entities }: Requirements,
  { from, to, via, kind }: Relation,
  add: (child: Entity, parent: Entity, besides?: readonly string[]) => readonly string[],
): void {
  const [first, second, middle] = [from, to, via ?? ""].map((name) => entities.get(name));
  if (first === undefined || second === undefined) return;
  if (middle !== undefined) {
    add(middle, second, add(middle, first));
  } else if (kind !== "many-to-many") {
    const isFound = add(second, first).length > 0;
    if (!isFound && kind === "one-to-one") add(first, second);
  }
}

/** `besides`: attributes that hold the id of the other end. */
function foreignKey(
  entities: Model["entities"],
  child: Entity,
  parent: Entity,
  before: readonly ForeignKey[],
  besides: readonly string[],
): ForeignKey | undefined {
  const ofChild = before.filter((one) => one.child === child.name);
  const ofSame = ofChild.filter((one) => one.parent === parent.name);
  const [taken, again] = [ofChild, ofSame].map((keys) =>
    keys.flatMap(({ pairs }) => pairs.map((pair) => pair.child)),
  ) as [string[], string[]];
  const pairs: { child: string; id: string }[] = [];
  for (const id of parent.id) {
    const described = parent.attributes.get(id);
    if (described === undefined) return undefined;
    const used = [...again, ...besides, ...pairs.map((pair) => pair.child)];
    const stated = [...child.attributes.values()].find(
      ({ name, refersTo }) =>
        refersTo?.entity === parent.name && refersTo.attribute === id && !used.includes(name),
    );
    const isShared =
      child !== parent && child.attributes.has(id) && (parent.id.length > 1 || !used.includes(id));
    const name =
      stated?.name ?? (isShared ? id : nameLike(entities, child, described, [...taken, ...used]));
    if (name === undefined) return undefined;
    pairs.push({ child: name, id });
  }
  return { child: child.name, parent: parent.name, pairs };
}

/** The first attribute that looks like the id and belongs to nothing else. */
function nameLike(
  entities: Model["entities"],
  child: Entity,
  id: Attribute,
  taken: readonly string[],
): string | undefined {
  const ids = [...entities.values()].flatMap((one) => (one.id.length === 1 ? one.id : []));
  return [...child.attributes.values()].find(
    ({ name, type, format, refersTo, copyOf }) =>
      refersTo === undefined &&
      copyOf === undefined &&
      !taken.includes(name) &&
      !ids.includes(name) &&
      type === id.type &&
      format === id.format &&
      (format !== undefined || name.endsWith("Id")),
  )?.name;
}
