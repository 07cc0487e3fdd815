/** Refuses patterns that combine two entities if the document leaves open which of them belong together. */
import type { Path } from "../document/path.ts";
import { formats } from "./formats.ts";
import type { Reading } from "./reading.ts";
import type { Attribute, Entity, Pattern, Relation } from "./requirements.ts";

type Entities = ReadonlyMap<string, Entity>;

export function checkLinks(
  reading: Reading,
  entities: Entities,
  relations: readonly Relation[],
  patterns: Iterable<Pattern>,
): void {
  const links = new Links(entities, relations);
  const say = (path: Path, own: Entity | undefined, name: string, isTold: boolean): void => {
    const other = entities.get(name);
    if (own === undefined || other === undefined) return;
    const text = links.obstacle(own, other, isTold);
    if (text !== undefined) reading.say(path, text);
  };
  for (const { path, from, to, via, kind } of relations) {
    if (via === undefined && kind === "many-to-many") continue;
    const child = entities.get(via ?? to);
    for (const name of via === undefined ? [from] : [from, to]) {
      const parent = entities.get(name);
      const text = child && parent && links.unlike(child, parent, parent.id);
      if (text !== undefined) reading.say(path, text);
    }
  }
  for (const { path, actions, together, with: others } of patterns) {
    const [main] = actions;
    const own = entities.get(main?.entity ?? "");
    for (const [i, { entity, where }] of together.entries()) {
      say([...path, "together", i], own, entity, where.length > 0);
    }
    for (const [i, { entity }] of main?.kind === "delete" ? others.entries() : []) {
      say([...path, "with", i], own, entity, false);
    }
  }
  for (const holder of entities.values()) {
    for (const { path, keeps } of holder.attributes.values()) {
      const counted = entities.get(keeps?.of ?? "");
      // That something links the two is checked where numbers are read.
      if (counted !== holder) say([...path, "keeps"], counted, holder.name, true);
    }
  }
}

class Links {
  private readonly entities: Entities;
  private readonly relations: readonly Relation[];
  /** Names that are the whole id of an entity. */
  private readonly ids: ReadonlySet<string>;

  constructor(entities: Entities, relations: readonly Relation[]) {
    this.entities = entities;
    this.relations = relations;
    this.ids = new Set([...entities.values()].flatMap(({ id }) => (id.length === 1 ? id : [])));
  }

  /** Why it is open which of two entities belong together. `isTold`: nothing has to link them. */
  obstacle(own: Entity, other: Entity, isTold: boolean): string | undefined {
    const [children, parents] = [this.holders(other, own), this.holders(own, other)];
    const [some, child, parent] =
      children.length > 0 ? [children, other, own] : [parents, own, other];
    const open = some.find(({ names }) => names.length > 1);
    if (open !== undefined) {
      const { names, id } = open;
      return `is ambiguous: ${names.join(" and ")} of ${child.name} could hold the ${id} of ${parent.name}; add 'refersTo: ${parent.name}.${id}' to the one that is meant`;
    }
    const [forth, back] = [children, parents].map((list) => list.flatMap(({ names }) => names));
    const isOne = forth?.every((name) => back?.includes(name));
    if (own !== other && forth?.length && back?.length && !isOne) {
      return `is ambiguous: ${other.name}.${forth.join()} names a ${own.name}, and ${own.name}.${back.join()} names a ${other.name}; use patterns of their own`;
    }
    const unlike = this.unlike(other, own, [...own.id, ...other.id]);
    if (unlike !== undefined) return unlike;
    if (isTold || some.length > 0 || this.isShared(own, other)) return undefined;
    const via = this.relations.find(
      (one) => one.via !== undefined && isBetween(one, own.name, other.name),
    )?.via;
    return via === undefined
      ? `names ${other.name}, and nothing tells which ${other.name} belongs to a ${own.name}; add an attribute with 'refersTo: ${own.name}.${own.id.at(-1)}' to ${other.name}`
      : `names ${other.name}, which is linked with ${own.name} by ${via} only; name ${via} instead`;
  }

  /** Why entities are not linked by a name that both have: the values under it are of different types. */
  unlike(child: Entity, parent: Entity, ids: readonly string[]): string | undefined {
    const isReferred = (from: Entity, to: Entity, id: string): boolean =>
      from !== to && to.id.includes(id) && this.stated(from, to, id).length > 0;
    for (const id of ids) {
      const [one, two] = [child.attributes.get(id), parent.attributes.get(id)];
      if (one === undefined || two === undefined || one.type === two.type) continue;
      if (isReferred(child, parent, id) || isReferred(parent, child, id)) continue;
      const [origin, other] = [this.origin(child, id), this.origin(parent, id)];
      if (origin !== undefined && other !== undefined && origin !== other) continue;
      return `links ${child.name}.${id} of type ${one.type} with ${parent.name}.${id} of type ${two.type}, which are never equal; rename one of them, or add 'refersTo: ${parent.name}.${id}' to the attribute that holds the id`;
    }
    return undefined;
  }

  /** The attribute of another id that an attribute holds, if it is a foreign key. */
  private origin(child: Entity, name: string): string | undefined {
    const { refersTo } = child.attributes.get(name) ?? {};
    if (refersTo !== undefined) return `${refersTo.entity}.${refersTo.attribute}`;
    for (const parent of this.entities.values()) {
      if (parent === child) continue;
      const pair = this.holders(child, parent).find(({ names }) => names[0] === name);
      if (pair !== undefined) return `${parent.name}.${pair.id}`;
    }
    return undefined;
  }

  /** The attributes that are stated to hold an attribute of an id. */
  private stated(child: Entity, parent: Entity, id: string): readonly string[] {
    return [...child.attributes.values()].flatMap(({ name, refersTo }) =>
      refersTo?.entity === parent.name && refersTo.attribute === id ? [name] : [],
    );
  }

  /** The attributes of a child that can hold each attribute of a parent's id; none if nothing states a foreign key. */
  private holders(
    child: Entity,
    parent: Entity,
  ): readonly { readonly id: string; readonly names: readonly string[] }[] {
    const stated = (id: string): readonly string[] => this.stated(child, parent, id);
    if (!this.isRelated(child, parent) && !parent.id.some((id) => stated(id).length > 0)) return [];
    const holders = parent.id.map((id) => {
      const named = stated(id).slice(0, 1);
      if (named.length > 0) return { id, names: named };
      if (child !== parent && child.attributes.has(id)) return { id, names: [id] };
      return { id, names: this.alike(child, parent.attributes.get(id)) };
    });
    return holders.every(({ names }) => names.length > 0) ? holders : [];
  }

  private alike(child: Entity, id: Attribute | undefined): readonly string[] {
    return [...child.attributes.values()].flatMap((one) => {
      const { name, type, format, refersTo, copyOf } = one;
      const isAlike = type === id?.type && format === id.format;
      const isFree = refersTo === undefined && copyOf === undefined && !this.ids.has(name);
      return isAlike && isFree && (format !== undefined || name.endsWith("Id")) ? [name] : [];
    });
  }

  private isRelated(child: Entity, parent: Entity): boolean {
    return this.relations.some(({ from, to, via, kind }) => {
      if (via !== undefined) return child.name === via && [from, to].includes(parent.name);
      if (kind === "many-to-many") return false;
      if (from === parent.name && to === child.name) return true;
      if (kind !== "one-to-one" || from !== child.name || to !== parent.name) return false;
      // Who holds the id of the other one is not asked for it in turn.
      return child !== parent && this.holders(parent, child).length === 0;
    });
  }

  /** Attributes of the same name in an id, or a moment in the id of the other one. */
  private isShared(own: Entity, other: Entity): boolean {
    const isNamed = [...other.attributes.keys()].some(
      (name) => own.attributes.has(name) && (own.id.includes(name) || other.id.includes(name)),
    );
    const isMoment = other.id.some((name) => {
      const format = other.attributes.get(name)?.format;
      if (format === undefined || formats[format].finest === undefined) return false;
      return [...own.attributes.values()].filter((one) => one.format === format).length === 1;
    });
    return own !== other && (isNamed || isMoment);
  }
}

function isBetween({ from, to }: Relation, one: string, other: string): boolean {
  return (from === one && to === other) || (from === other && to === one);
}
