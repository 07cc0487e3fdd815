import type { AttributeDocument, RelationDocument } from "../../src/model/document-requirements.ts";
import {
  addAttribute,
  attributeOf,
  childrenOf,
  type DraftEntity,
  namesOfType,
  parentsOf,
  plainNames,
} from "./draft-entity.ts";
import type { ModelRandom } from "./model-random.ts";
import {
  addPart,
  addPlainAttributes,
  entityNames,
  idName,
  standaloneEntity,
} from "./random-entities.ts";

/** Draws the entities of a model with the relations between them: who holds whose id, what is copied, what is counted. */

export interface DraftData {
  readonly entities: readonly DraftEntity[];
  readonly relations: readonly RelationDocument[];
}

export function randomData(random: ModelRandom): DraftData {
  const count = Number(random.weighted(random.extent.entities));
  const entities: DraftEntity[] = [];
  const relations: RelationDocument[] = [];
  for (const name of random.sample(entityNames, count)) {
    const { entity, relation } = nextEntity(random, name, entities);
    if (relation !== undefined) relations.push(relation);
    entities.push(entity);
  }
  for (const entity of entities) addPlainAttributes(random, entity);
  relations.push(...extraRelations(random, entities));
  for (const entity of entities) {
    addCopies(random, entity, entities);
    addAggregates(random, entity, entities);
  }
  for (const entity of entities) stateForeignKeys(random, entity, entities);
  return { entities, relations };
}

/** States foreign keys where other attributes look like them, and some of the others. */
function stateForeignKeys(
  random: ModelRandom,
  entity: DraftEntity,
  entities: readonly DraftEntity[],
): void {
  const ids = new Set(entities.flatMap(({ id }) => (id.length === 1 ? id : [])));
  for (const { target, attributes } of entity.references) {
    for (const [i, id] of target.id.entries()) {
      const name = attributes[i] ?? "";
      const attribute = entity.attributes.get(name);
      if (attribute === undefined || name === id || attribute.refersTo !== undefined) continue;
      const alike = [...entity.attributes].filter(
        ([other, { type, format }]) =>
          type === attribute.type && format === attribute.format && !ids.has(other),
      );
      const isOpen = alike.length > 1 || target === entity || entity.attributes.has(id);
      if (isOpen ? random.contradicts(0.1) : random.chance(0.7)) continue;
      entity.attributes.set(name, { ...attribute, refersTo: `${target.name}.${id}` });
    }
  }
}

type Drawn = { readonly entity: DraftEntity; readonly relation?: RelationDocument };

function nextEntity(random: ModelRandom, name: string, entities: readonly DraftEntity[]): Drawn {
  if (entities.length === 0) return { entity: standaloneEntity(random, name) };
  return random.choose<Drawn>([
    [1.5, () => ({ entity: standaloneEntity(random, name) })],
    [4, () => dependent(random, name, random.pick(entities))],
    [3, () => referring(random, name, random.pick(entities))],
    [0.8, () => companion(random, name, random.pick(entities))],
    [1.8, () => pair(random, name, random.pick(entities), random.pick(entities))],
  ]);
}

/** One whose id has that of its owner in it. */
function dependent(random: ModelRandom, name: string, owner: DraftEntity): Drawn {
  const fanOut = randomFanOut(random);
  const entity = draft(name, owner.count * fanOut.average);
  refer(random, entity, owner, { isId: true, canRename: random.chance(0.25) });
  addPart(random, entity);
  if (random.chance(0.1)) addPart(random, entity);
  if (entity.id.length === owner.id.length) addPart(random, entity);
  return { entity, relation: oneToMany(random, owner, entity, fanOut, random.chance(0.75)) };
}

/** One with an id of its own that names its owner beside it. */
function referring(random: ModelRandom, name: string, owner: DraftEntity): Drawn {
  const fanOut = randomFanOut(random);
  const entity = standaloneEntity(random, name);
  const sized = { ...entity, count: Math.max(1, Math.round(owner.count * fanOut.average)) };
  refer(random, sized, owner, { isId: false, canRename: random.chance(0.5) });
  return { entity: sized, relation: oneToMany(random, owner, sized, fanOut, random.chance(0.2)) };
}

/** One for each of another: with the same id, or with an id of its own. */
function companion(random: ModelRandom, name: string, other: DraftEntity): Drawn {
  const average = random.pick([1, 1, 0.8, 0.3]);
  const hasSameId = random.chance(0.6);
  const base = hasSameId ? draft(name, 0) : standaloneEntity(random, name);
  const entity = { ...base, count: Math.max(1, Math.round(other.count * average)) };
  refer(random, entity, other, { isId: hasSameId, canRename: random.chance(0.2) });
  return {
    entity,
    relation: {
      from: other.name,
      to: entity.name,
      kind: "one-to-one",
      ...random.maybe(0.5, () => ({ average: random.amount(average) })),
      ...random.maybe(0.3, () => ({ max: 1 })),
      ...shared(random, 0.4),
    },
  };
}

/** One for each pair of a many-to-many relation. */
function pair(random: ModelRandom, name: string, from: DraftEntity, to: DraftEntity): Drawn {
  const fanOut = randomFanOut(random);
  const entity = draft(name, from.count * fanOut.average);
  refer(random, entity, from, { isId: true, canRename: from === to || random.chance(0.2) });
  refer(random, entity, to, { isId: true, canRename: from === to || random.chance(0.2) });
  if (random.chance(0.1)) addPart(random, entity);
  const back = Number((entity.count / to.count).toPrecision(2));
  return {
    entity,
    relation: {
      from: from.name,
      to: to.name,
      kind: "many-to-many",
      via: name,
      average: random.amount(fanOut.average),
      ...(fanOut.max !== undefined && { max: random.amount(fanOut.max) }),
      ...random.maybe(0.7, () => ({
        reverse: {
          average: random.amount(back),
          ...random.maybe(0.6, () => ({ max: random.amount(Math.ceil(back * 20)) })),
        },
      })),
      ...shared(random, 0),
    },
  };
}

function draft(name: string, count: number): DraftEntity {
  const whole = Math.max(1, Math.round(count));
  return { name, id: [], attributes: new Map(), count: whole, references: [] };
}

interface FanOut {
  readonly average: number;
  readonly max: number | undefined;
}

function randomFanOut(random: ModelRandom): FanOut {
  const average = random.magnitude(0, random.chance(0.5) ? 0.8 : 2);
  if (random.chance(0.15)) return { average, max: undefined };
  return { average, max: Math.ceil(average * random.pick([1, 3, 10, 100])) };
}

function oneToMany(
  random: ModelRandom,
  from: DraftEntity,
  to: DraftEntity,
  { average, max }: FanOut,
  isIdentifying: boolean,
): RelationDocument {
  return {
    from: from.name,
    to: to.name,
    kind: "one-to-many",
    ...(random.isMissing() ? {} : { average: random.amount(average) }),
    ...(max !== undefined && { max: random.amount(max) }),
    ...random.maybe(0.03, () => ({ reverse: { max: 1 } })),
    ...shared(random, isIdentifying ? 1 : 0),
  };
}

/** Members that go with every kind of relation. */
function shared(
  random: ModelRandom,
  identifying: number,
): Pick<RelationDocument, "identifying" | "together" | "description"> {
  const isIdentifying = random.chance(identifying);
  return {
    ...(isIdentifying && { identifying: true }),
    ...random.maybe(isIdentifying ? 0 : 0.03, () => ({ identifying: false })),
    ...random.maybe(0.35, () => ({ together: random.amount(random.share()) })),
    ...random.maybe(random.traits.isVerbose ? 0.3 : 0, () => ({ description: random.sentence() })),
  };
}

/** Gives an entity the id of another one, under the same names or under others. */
function refer(
  random: ModelRandom,
  entity: DraftEntity,
  target: DraftEntity,
  { isId, canRename }: { readonly isId: boolean; readonly canRename: boolean },
): void {
  const isOptional = !isId && random.chance(0.15);
  const attributes = target.id.map((id, i) => {
    const plain = referenceAttribute(random, attributeOf(target, id), isId);
    const attribute = isOptional ? { ...plain, present: random.share() } : plain;
    const isLast = i === target.id.length - 1;
    const isTaken = entity.attributes.has(id);
    const isSame = entity.attributes.get(id)?.type === attribute.type;
    // Of a composite id only the last part gets another name: tenants are the same on both sides.
    if (isTaken && isSame && !isLast) return id;
    const renamed = canRename && isLast;
    const name = renamed || isTaken || id === "id" ? freeName(random, entity, target) : id;
    addAttribute(entity, name, attribute);
    if (isId && !entity.id.includes(name)) entity.id.push(name);
    return name;
  });
  entity.references.push({ target, attributes });
}

function freeName(random: ModelRandom, entity: DraftEntity, target: DraftEntity): string {
  const candidates = [
    ...random.sample(["ownerId", "authorId", "sourceId", "followedId"], 2),
    idName(target.name),
    `${idName(target.name)}2`,
    `${idName(target.name)}3`,
  ];
  return candidates.find((name) => !entity.attributes.has(name)) ?? "otherId";
}

/** The same type and size as the id that it holds. */
function referenceAttribute(
  random: ModelRandom,
  { type, format, bytes, digits, values, distinct }: AttributeDocument,
  isId: boolean,
): AttributeDocument {
  return {
    type,
    ...(format !== undefined && { format }),
    ...(bytes !== undefined && { bytes }),
    ...(digits !== undefined && { digits }),
    ...(values !== undefined && { values }),
    ...(distinct !== undefined && { distinct }),
    ...random.maybe(isId ? 0 : 0.7, () => ({ mutable: false })),
    ...random.maybe(0.1, () => ({ skew: { hottest: random.pick([0.001, 0.01, 0.1]) } })),
  };
}

/** Relations beside those that made the entities: to itself, to a second owner, without a third entity, without an id. */
function extraRelations(
  random: ModelRandom,
  entities: readonly DraftEntity[],
): readonly RelationDocument[] {
  const relations: RelationDocument[] = [];
  if (random.chance(0.08)) {
    const entity = random.pick(entities);
    refer(random, entity, entity, { isId: false, canRename: true });
    relations.push(oneToMany(random, entity, entity, { average: 1, max: 40 }, false));
  }
  if (entities.length > 1 && random.chance(0.15)) {
    const [from, to] = random.sample(entities, 2) as [DraftEntity, DraftEntity];
    const isLinked = to.references.some(({ target }) => target === from);
    // Which belong together is open if each names the other.
    const isBack = from.references.some(({ target }) => target === to);
    if (!isLinked && (!isBack || random.contradicts(0.5))) {
      refer(random, to, from, { isId: false, canRename: random.chance(0.5) });
      const average = Number((to.count / from.count).toPrecision(2));
      const max = Math.ceil(average * 10);
      relations.push(oneToMany(random, from, to, { average, max }, false));
    }
  }
  if (entities.length > 1 && random.contradicts(0.4)) {
    const [from, to] = random.sample(entities, 2) as [DraftEntity, DraftEntity];
    relations.push({ from: from.name, to: to.name, kind: "many-to-many", average: 3 });
  }
  return relations;
}

function addCopies(
  random: ModelRandom,
  entity: DraftEntity,
  entities: readonly DraftEntity[],
): void {
  const sources = random.contradicts(0.2) ? entities : parentsOf(entity);
  for (const source of sources) {
    if (!random.chance(0.3) || source === entity) continue;
    const candidates = random.contradicts(0.2)
      ? [...source.attributes.keys()]
      : plainNames(source).filter((name) => isCopyable(attributeOf(source, name)));
    if (candidates.length === 0) continue;
    const name = random.pick(candidates);
    const { type, format, bytes, digits, values, elements, personal } = attributeOf(source, name);
    const prefix = `${source.name.charAt(0).toLowerCase()}${source.name.slice(1)}`;
    addAttribute(entity, `${prefix}${name.charAt(0).toUpperCase()}${name.slice(1)}`, {
      type,
      ...(format !== undefined && { format }),
      ...(bytes !== undefined && { bytes }),
      ...(digits !== undefined && { digits }),
      ...(values !== undefined && { values }),
      ...(elements !== undefined && { elements }),
      ...(personal !== undefined && { personal }),
      copyOf: `${source.name}.${name}`,
      ...random.maybe(0.85, () => ({ staleness: random.chance(0.8) ? "accepted" : "refused" })),
      ...random.maybe(0.1, () => ({ mutable: random.chance(0.5) })),
    });
  }
}

function isCopyable({ keeps, counter }: AttributeDocument): boolean {
  return keeps === undefined && counter !== true;
}

/** Numbers that are worked out from the entities that belong to this one. */
function addAggregates(
  random: ModelRandom,
  entity: DraftEntity,
  entities: readonly DraftEntity[],
): void {
  for (const child of childrenOf(entities, entity)) {
    if (!random.chance(0.2)) continue;
    const numbers = namesOfType(child, ["N"]).filter(
      (name) =>
        random.contradicts(0.3) ||
        (!child.id.includes(name) && child.version !== name && !attributeOf(child, name).keeps),
    );
    const of = numbers.length === 0 ? undefined : `${child.name}.${random.pick(numbers)}`;
    const prefix = `${child.name.charAt(0).toLowerCase()}${child.name.slice(1)}`;
    const aggregate = random.weighted({ count: 5, sum: 3, max: 1.5, min: 1.5 });
    const [name, keeps] =
      of === undefined || aggregate === "count"
        ? [`${prefix}Count`, { count: child.name }]
        : [
            `${prefix}${aggregate.charAt(0).toUpperCase()}${aggregate.slice(1)}`,
            { [aggregate]: of },
          ];
    addAttribute(entity, name, {
      type: "N",
      ...random.maybe(0.7, () => ({ digits: random.between(2, 8) })),
      keeps,
      ...random.maybe(0.8, () => ({ staleness: random.chance(0.7) ? "accepted" : "refused" })),
    });
  }
}
