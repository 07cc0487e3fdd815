import type { Model } from "../../model/model.ts";
import type { Attribute, Entity, Relation } from "../../model/requirements.ts";

/** Attributes of an entity that hold the id of another one, found by relations and by names. */
export interface Reference {
  readonly entity: string;
  readonly target: string;
  /** The attribute here, and the one in the target's id that it repeats. */
  readonly attributes: readonly { readonly own: string; readonly id: string }[];
  /** Those of them that are in no other reference before. */
  readonly decides: readonly string[];
  /** How many there are for one of the target, where a relation says so. */
  readonly average: number | undefined;
  readonly identifying: boolean;
  readonly relation: Relation | undefined;
}

export interface References {
  /** The one that says whose it is; nothing for entities that stand alone. */
  readonly owner: Reference | undefined;
  readonly all: readonly Reference[];
}

const known = new WeakMap<Model, ReadonlyMap<string, References>>();

/** The references of every entity; worked out once for a model. */
export function referencesOf(model: Model): ReadonlyMap<string, References> {
  const references = known.get(model) ?? workOut(model);
  known.set(model, references);
  return references;
}

function workOut(model: Model): ReadonlyMap<string, References> {
  const found = new Map<string, Reference[]>();
  const claimed = new Map<string, Set<string>>();
  for (const name of model.entities.keys()) {
    found.set(name, []);
    claimed.set(name, new Set());
  }
  let links = model.relations.flatMap(linksOf);
  // Names that agree are surer than guesses, so they are taken first.
  for (const guess of [false, true]) {
    links = links.filter((link) => !add(model, link, guess, claimed, found));
  }
  for (const entity of model.entities.values()) {
    addNamed(model, entity, claimed.get(entity.name) as Set<string>, found);
  }
  const owners = new Map<string, Reference>();
  for (const [name, list] of found) {
    const owner = ownerAmong(name, list, owners);
    if (owner !== undefined) owners.set(name, owner);
  }
  return new Map([...found].map(([name, all]) => [name, { owner: owners.get(name), all }]));
}

function add(
  model: Model,
  { from, to, average, identifying, relation }: Link,
  guess: boolean,
  claimed: ReadonlyMap<string, Set<string>>,
  found: ReadonlyMap<string, Reference[]>,
): boolean {
  const entity = model.entities.get(to);
  const target = model.entities.get(from);
  const own = claimed.get(to);
  if (entity === undefined || target === undefined || own === undefined) return false;
  const attributes = attributesFor(entity, target, own, guess, model);
  if (attributes.length === 0) return false;
  const decides = attributes.flatMap(({ own: name }) => (own.has(name) ? [] : [name]));
  for (const name of decides) own.add(name);
  found
    .get(to)
    ?.push({ entity: to, target: from, attributes, decides, average, identifying, relation });
  return true;
}

interface Link {
  readonly from: string;
  readonly to: string;
  readonly average: number | undefined;
  readonly identifying: boolean;
  readonly relation: Relation;
}

/** A relation through a third entity is two: both ends are repeated in it. */
function linksOf(relation: Relation): readonly Link[] {
  const { from, to, via, average, reverse, identifying, kind } = relation;
  const stated = average?.value;
  if (kind !== "many-to-many") return [{ from, to, average: stated, identifying, relation }];
  if (via === undefined) return [];
  return [
    { from, to: via, average: stated, identifying: true, relation },
    { from: to, to: via, average: reverse.average?.value, identifying: true, relation },
  ];
}

function attributesFor(
  entity: Entity,
  target: Entity,
  claimed: ReadonlySet<string>,
  guess: boolean,
  model: Model,
): Reference["attributes"] {
  const taken = new Set(claimed);
  const pairs: { own: string; id: string }[] = [];
  for (const id of target.id) {
    const wanted = target.attributes.get(id);
    if (wanted === undefined) continue;
    const stated = [...entity.attributes.values()].find(
      ({ name, refersTo }) =>
        refersTo?.entity === target.name && refersTo.attribute === id && !taken.has(name),
    );
    if (stated !== undefined) {
      taken.add(stated.name);
      pairs.push({ own: stated.name, id });
      continue;
    }
    const same = entity.attributes.get(id)?.type === wanted.type;
    // A part of an id, such as that of a tenant, may be in several references at once.
    const isShared = same && claimed.has(id) && target.id.length > 1;
    if (isShared || (same && entity !== target && !taken.has(id))) {
      taken.add(id);
      pairs.push({ own: id, id });
    } else if (guess) {
      const own = guessed(entity, target, wanted, taken, model);
      if (own === undefined) return [];
      taken.add(own);
      pairs.push({ own, id });
    } else {
      return [];
    }
  }
  return pairs.every(({ own }) => claimed.has(own)) ? [] : pairs;
}

/** authorId may well be the id of a person: it is alike in type, format and size, and looks like an id. */
function guessed(
  entity: Entity,
  target: Entity,
  wanted: Attribute,
  taken: ReadonlySet<string>,
  model: Model,
): string | undefined {
  const homes = new Set(
    [...model.entities.values()].flatMap(({ id }) => (id.length === 1 ? id : [])),
  );
  const candidates = [...entity.attributes.values()].filter(
    (one) =>
      one.type === wanted.type &&
      one.format === wanted.format &&
      !taken.has(one.name) &&
      !(entity === target && entity.id.includes(one.name)) &&
      !homes.has(one.name) &&
      one.copyOf === undefined &&
      one.refersTo === undefined &&
      one.values === undefined &&
      (isIdentifier(one) || /id$/i.test(one.name)),
  );
  const word = target.name.toLowerCase();
  const rank = ({ name }: Attribute): number =>
    (name.toLowerCase().includes(word) ? 0 : 2) + (entity.id.includes(name) ? 0 : 1);
  return candidates.toSorted((a, b) => rank(a) - rank(b))[0]?.name;
}

const isIdentifier = ({ format }: Attribute): boolean =>
  format === "ulid" || format === "ksuid" || format === "uuid";

/** Without a relation too, an attribute with the name of another entity's only id is that id. */
function addNamed(
  model: Model,
  entity: Entity,
  claimed: Set<string>,
  found: ReadonlyMap<string, Reference[]>,
): void {
  for (const attribute of entity.attributes.values()) {
    if (claimed.has(attribute.name) || attribute.copyOf !== undefined) continue;
    const target = [...model.entities.values()].find((other) =>
      isHome(other, entity, attribute, model),
    );
    const [id] = target?.id ?? [];
    if (target === undefined || id === undefined) continue;
    claimed.add(attribute.name);
    found.get(entity.name)?.push({
      entity: entity.name,
      target: target.name,
      attributes: [{ own: attribute.name, id }],
      decides: [attribute.name],
      average: undefined,
      identifying: false,
      relation: undefined,
    });
  }
}

function isHome(
  other: Entity,
  entity: Entity,
  { name, type, format }: Attribute,
  model: Model,
): boolean {
  const [id = ""] = other.id;
  const wanted = other.attributes.get(id);
  if (other === entity || other.id.length !== 1 || wanted?.type !== type) return false;
  if (wanted.format !== format) return false;
  // Many names end with `Id`, so an id that is only called so needs the name of its entity.
  const word = id === "id" ? `${other.name}Id` : id;
  const [first, rest] = [word.charAt(0), word.slice(1)];
  const isSame = name === id || name === first.toLowerCase() + rest;
  if (!isSame && !name.endsWith(first.toUpperCase() + rest)) return false;
  // Of two entities with the same id the first is at home, and the other refers to it.
  if (entity.id.length > 1 || entity.id[0] !== name) return true;
  const names = [...model.entities.keys()];
  return names.indexOf(other.name) < names.indexOf(entity.name);
}

/** The owner is whose relation identifies it, else who has exactly one, else the first. */
function ownerAmong(
  name: string,
  list: readonly Reference[],
  owners: ReadonlyMap<string, Reference>,
): Reference | undefined {
  const rank = ({ identifying, relation }: Reference): number => {
    if (identifying) return 0;
    return relation?.kind === "one-to-one" ? 1 : 2;
  };
  return list
    .filter(({ relation, target }) => relation !== undefined && !isOwned(target, name, owners))
    .toSorted((a, b) => rank(a) - rank(b))[0];
}

/** Whether an entity is another one, or belongs to it by what is known so far. */
function isOwned(entity: string, by: string, owners: ReadonlyMap<string, Reference>): boolean {
  for (let one: string | undefined = entity; one !== undefined; one = owners.get(one)?.target) {
    if (one === by) return true;
  }
  return false;
}
