import type { Model } from "../../model/model.ts";
import type { Attribute, Entity, Relation } from "../../model/requirements.ts";

/** A number that was worked out, and in words from what. */
export interface Estimate {
  readonly value: number;
  readonly assumed: boolean;
  readonly from: string;
}

/** How many different values and how many items for each there are, as far as the document says. */
export class Cardinality {
  private readonly model: Pick<Model, "entities" | "relations">;
  private readonly links = new Map<string, Link>();
  /** By child: parents whose id has several attributes, all of which the child has. */
  private readonly families = new Map<string, Family[]>();
  /** By child and parent: the attributes that hold the id of the parent. */
  private readonly foreign = new Map<string, ForeignKey>();
  /** By child: all foreign keys, in the order of the document. */
  private readonly held = new Map<string, { parent: Entity; pairs: ForeignKey }[]>();
  /** Attributes that hold an id. */
  private readonly claimed = new Set<string>();
  /** By child and parent: the attributes of all relations between them. */
  private readonly repeated = new Map<string, readonly string[]>();
  /** What was asked before, by entity and attributes. */
  private readonly per = new Map<Entity, Map<string, Estimate | undefined>>();

  private static readonly known = new WeakMap<Model["entities"], Cardinality>();

  /** The same for all designs of the same requirements. */
  static of(model: Model): Cardinality {
    const known = Cardinality.known.get(model.entities);
    if (known?.model.relations === model.relations) return known;
    const made = new Cardinality(model);
    Cardinality.known.set(model.entities, made);
    return made;
  }

  constructor(model: Pick<Model, "entities" | "relations">) {
    this.model = model;
    for (const relation of model.relations) this.addLinks(relation);
    for (const child of model.entities.values()) {
      for (const { refersTo } of child.attributes.values()) {
        const parent = model.entities.get(refersTo?.entity ?? "");
        if (parent !== undefined && this.foreignKeyOf(child, parent) === undefined) {
          this.link(child, parent, undefined);
        }
      }
    }
  }

  count(entity: Entity): Estimate | undefined {
    const { count } = entity;
    return count && { value: count.value, assumed: count.assumed, from: `${entity.name}.count` };
  }

  /** Different values of an attribute; nothing if nobody can know. */
  distinct(entity: Entity, attribute: Attribute): Estimate | undefined {
    const { values, distinct, name } = attribute;
    const of = `${entity.name}.${name}`;
    if (values !== undefined)
      return { value: values.length, assumed: false, from: `${of} has ${values.length} values` };
    if (distinct !== undefined)
      return { value: distinct.value, assumed: distinct.assumed, from: `${of}.distinct` };
    const count = this.count(entity);
    if (entity.id.length === 1 && entity.id[0] === name) return count;
    if (attribute.unique) return count;
    const parent = this.parentOf(entity, name);
    const parents = parent && this.count(parent);
    if (parents !== undefined) {
      return { ...parents, value: Math.min(parents.value, count?.value ?? parents.value) };
    }
    if (attribute.type === "BOOL")
      return { value: 2, assumed: false, from: `${of} is true or false` };
    const { copyOf } = attribute;
    const source = copyOf && this.model.entities.get(copyOf.entity);
    const original = copyOf && source?.attributes.get(copyOf.attribute);
    if (source !== undefined && original !== undefined && original !== attribute) {
      return this.distinct(source, original);
    }
    return attribute.format === "iso-date" ? this.days(entity) : undefined;
  }

  /** Whether it can be said how many items have the same value. */
  isKnown(entity: Entity, attribute: Attribute): boolean {
    const link = this.links.get(linkKey(entity.name, attribute.name));
    return link?.average !== undefined || this.distinct(entity, attribute) !== undefined;
  }

  /** Of some attributes, those of which it can be said how many items have the same values. */
  known(entity: Entity, names: readonly string[]): readonly string[] {
    const family = this.familyIn(entity, names);
    return names.filter((name) => {
      const attribute = entity.attributes.get(name);
      if (attribute === undefined) return false;
      return family?.names.includes(name) || this.isKnown(entity, attribute);
    });
  }

  /** The closest parent whose whole id is among some attributes. */
  private familyIn({ name }: Entity, among: readonly string[]): Family | undefined {
    return this.families
      .get(name)
      ?.filter(({ names }) => names.every((one) => among.includes(one)))
      .toSorted((a, b) => b.names.length - a.names.length)[0];
  }

  /** The days that an entity's items are spread over: what is kept, or how long it has been growing. */
  private days(entity: Entity): Estimate {
    const { count, growthPerMonth, retentionMs } = entity;
    const name = entity.name;
    if (retentionMs !== undefined) {
      return {
        value: Math.max(1, retentionMs / 86_400_000),
        assumed: false,
        from: `${name}.retention`,
      };
    }
    if (count !== undefined && growthPerMonth !== undefined && growthPerMonth.value > 0) {
      const days = (count.value / growthPerMonth.value) * (730 / 24);
      return { value: Math.max(1, days), assumed: true, from: `${name}.count / ${name}.growth` };
    }
    return { value: 365, assumed: true, from: `a year of ${name}` };
  }

  /** Items of an entity that have the same values in some attributes, on average. */
  itemsPer(entity: Entity, attributes: readonly string[]): Estimate | undefined {
    const known = this.per.get(entity) ?? new Map<string, Estimate | undefined>();
    this.per.set(entity, known);
    const key = attributes.join("\n");
    if (!known.has(key)) known.set(key, this.workOut(entity, attributes));
    return known.get(key);
  }

  private workOut(entity: Entity, attributes: readonly string[]): Estimate | undefined {
    if (entity.id.every((name) => attributes.includes(name))) {
      return { value: 1, assumed: false, from: `the id of ${entity.name}` };
    }
    if (attributes.some((name) => entity.attributes.get(name)?.unique)) {
      return { value: 1, assumed: false, from: "a unique attribute" };
    }
    const count = this.count(entity);
    const family = this.familyIn(entity, attributes);
    const single = attributes
      .filter((name) => !family?.names.includes(name))
      .map((name) => ({ names: [name], items: this.itemsPerOne(entity, name) }));
    const known = [{ names: family?.names ?? [], items: family?.average }, ...single].flatMap(
      ({ names, items }) => (items === undefined ? [] : [{ names, items }]),
    );
    // The items with one value of an attribute of which nothing else is known may be all that have a value.
    const open = single.flatMap(({ names, items }) => (items === undefined ? names : []));
    const [first, ...rest] = known.toSorted((a, b) => a.items.value - b.items.value);
    if (first === undefined) return count && itemsHaving(entity, open, count);
    if (count === undefined || count.value === 0) return first.items;
    // Each further attribute divides what is left, as if the two had nothing to do with each other. Where less
    // than one item would be left, they have: a city lies in one country, and the finest one tells it all.
    const divided = rest.reduce<Estimate>(
      (sum, { items }) => ({
        value: (sum.value * items.value) / count.value,
        assumed: sum.assumed || items.assumed,
        from: `${sum.from}, ${items.from}`,
      }),
      first.items,
    );
    if (divided.value >= 1) return itemsHaving(entity, open, divided);
    // Of what the finest one tells, those that have the others at all.
    return itemsHaving(entity, [...open, ...rest.flatMap(({ names }) => names)], first.items);
  }

  /** The entity whose id an attribute holds: by its name, or by a relation. */
  parentOf(entity: Entity, name: string): Entity | undefined {
    const link = this.links.get(linkKey(entity.name, name));
    if (link !== undefined) return link.parent;
    for (const other of this.model.entities.values()) {
      if (other !== entity && other.id.length === 1 && other.id[0] === name) return other;
    }
    return undefined;
  }

  /** The attributes of a child that hold the id of a parent, as the first relation between them says. */
  foreignKeyOf(child: Entity, parent: Entity): ForeignKey | undefined {
    return this.foreign.get(linkKey(child.name, parent.name));
  }

  /** The attribute of an id that a foreign key leads to, over all that are between; nothing for what is none. */
  originOf(entity: Entity, name: string, depth = 0): string | undefined {
    for (const { parent, pairs } of this.held.get(entity.name) ?? []) {
      const pair = pairs.find(({ own }) => own === name);
      if (pair === undefined || depth > originDepthMax) continue;
      return this.originOf(parent, pair.id, depth + 1) ?? `${parent.name}.${pair.id}`;
    }
    return undefined;
  }

  private itemsPerOne(entity: Entity, name: string): Estimate | undefined {
    const link = this.links.get(linkKey(entity.name, name));
    if (link?.average !== undefined) return link.average;
    const attribute = entity.attributes.get(name);
    const count = this.count(entity);
    const distinct = attribute && this.distinct(entity, attribute);
    if (distinct === undefined || count === undefined) return undefined;
    return {
      value: (count.value / Math.max(1, distinct.value)) * (attribute?.present.value ?? 1),
      assumed: count.assumed || distinct.assumed,
      from: `${count.from} / ${distinct.from}`,
    };
  }

  /** Which attribute of a child holds the id of its parent. */
  private addLinks(relation: Relation): void {
    const { from, to, via, kind, average, reverse } = relation;
    const [parent, child] = [this.model.entities.get(from), this.model.entities.get(to)];
    if (parent === undefined || child === undefined) return;
    const said = (quantity: typeof average, words: string): Estimate | undefined =>
      quantity && { value: quantity.value, assumed: quantity.assumed, from: words };
    const each = `${to} for each ${from}`;
    if (via === undefined) {
      if (kind === "many-to-many") return;
      const isFound = this.link(child, parent, said(average, each)).length > 0;
      // Who holds the id of the other one is not asked for it in turn.
      if (kind === "one-to-one" && !isFound) this.link(parent, child, said(average, each));
      return;
    }
    const middle = this.model.entities.get(via);
    if (middle === undefined) return;
    const first = this.link(middle, parent, said(average, each));
    this.link(middle, child, said(reverse.average, `${from} for each ${to}`), first);
  }

  /** Links a child to its parent; the names of the attributes that hold the id. */
  private link(
    child: Entity,
    parent: Entity,
    average: Estimate | undefined,
    taken: readonly string[] = [],
  ): readonly string[] {
    const family = linkKey(child.name, parent.name);
    // A second relation between the same two is about other attributes.
    const before = this.repeated.get(family) ?? [];
    const pairs: { own: string; id: string }[] = [];
    for (const id of parent.id) {
      const names = [...taken, ...before, ...pairs.map(({ own }) => own)];
      const own = this.holderOf(child, parent, id, names);
      if (own === undefined) return [];
      pairs.push({ own, id });
    }
    const names = pairs.map(({ own }) => own);
    this.repeated.set(family, [...before, ...names]);
    if (!this.foreign.has(family)) this.foreign.set(family, pairs);
    this.held.set(child.name, [...(this.held.get(child.name) ?? []), { parent, pairs }]);
    for (const own of names) this.claimed.add(linkKey(child.name, own));
    const [name = "", more] = names;
    if (more !== undefined) this.addFamily(child, parent, average);
    else if (!this.links.has(linkKey(child.name, name))) {
      this.links.set(linkKey(child.name, name), { parent, average });
    }
    return names;
  }

  /** The attribute of a child that holds one of the attributes in the id of its parent. */
  private holderOf(
    child: Entity,
    parent: Entity,
    id: string,
    taken: readonly string[],
  ): string | undefined {
    const stated = [...child.attributes.values()].find(
      ({ name, refersTo }) =>
        refersTo?.entity === parent.name && refersTo.attribute === id && !taken.includes(name),
    );
    if (stated !== undefined) return stated.name;
    // An id of several attributes may share some of them, such as that of a tenant, with another one.
    const isShared = !taken.includes(id) || parent.id.length > 1;
    if (child !== parent && child.attributes.has(id) && isShared) return id;
    return this.renamed(child, parent, id, taken);
  }

  private addFamily(child: Entity, parent: Entity, stated: Estimate | undefined): void {
    if (parent.id.length === 0 || !parent.id.every((name) => child.attributes.has(name))) return;
    const [children, parents] = [this.count(child), this.count(parent)];
    const divided: Estimate | undefined = children &&
      parents && {
        value: children.value / Math.max(1, parents.value),
        assumed: children.assumed || parents.assumed,
        from: `${children.from} / ${parents.from}`,
      };
    const average = stated ?? divided;
    if (average === undefined) return;
    const known = this.families.get(child.name) ?? [];
    this.families.set(child.name, [...known, { names: parent.id, average }]);
  }

  /** An id under another name, such as authorId for Person.personId: the only one left that looks like it. */
  private renamed(
    child: Entity,
    parent: Entity,
    idName: string,
    taken: readonly string[],
  ): string | undefined {
    const id = parent.attributes.get(idName);
    const others = [...this.model.entities.values()].flatMap((one) =>
      one.id.length === 1 ? one.id : [],
    );
    return [...child.attributes.values()].find(
      ({ name, type, format, refersTo, copyOf }) =>
        refersTo === undefined &&
        copyOf === undefined &&
        !taken.includes(name) &&
        !this.links.has(linkKey(child.name, name)) &&
        !this.claimed.has(linkKey(child.name, name)) &&
        !others.includes(name) &&
        type === id?.type &&
        format === id.format &&
        (format !== undefined || name.endsWith("Id")),
    )?.name;
  }
}

/** Relations may lead round in a circle. */
const originDepthMax = 10;

/** Attributes of a child, and those in the id of its parent that they hold. */
export type ForeignKey = readonly { readonly own: string; readonly id: string }[];

interface Link {
  readonly parent: Entity;
  /** Children of one parent. */
  readonly average: Estimate | undefined;
}

interface Family {
  /** The id of the parent, which the child has under the same names. */
  readonly names: readonly string[];
  /** Children of one parent. */
  readonly average: Estimate;
}

const linkKey = (entity: string, attribute: string): string => JSON.stringify([entity, attribute]);

/** Number of items, out of a count, that have a value in each of some attributes. */
function itemsHaving({ attributes }: Entity, names: readonly string[], items: Estimate): Estimate {
  const share = names.reduce(
    (product, name) => product * (attributes.get(name)?.present.value ?? 1),
    1,
  );
  return share === 1 ? items : { ...items, value: items.value * share };
}
