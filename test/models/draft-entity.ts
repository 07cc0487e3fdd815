import type { Amount, DurationText } from "../../src/model/document-parts.ts";
import type { AttributeDocument, EntityDocument } from "../../src/model/document-requirements.ts";
import type { ModelRandom } from "./model-random.ts";

/** An entity while a model is drawn: it grows attributes as relations are added. */
export interface DraftEntity {
  readonly name: string;
  readonly id: string[];
  readonly attributes: Map<string, AttributeDocument>;
  /** How many there are, whether or not the document states it. */
  readonly count: number;
  /** Entities whose id is in this one. */
  readonly references: Reference[];
  version?: string;
}

export interface Reference {
  readonly target: DraftEntity;
  /** The attributes here that hold the id of the target, in its order. */
  readonly attributes: readonly string[];
}

/** Adds an attribute unless there is one of that name; returns whether it was added. */
export function addAttribute(
  entity: DraftEntity,
  name: string,
  attribute: AttributeDocument,
): boolean {
  if (entity.attributes.has(name)) return false;
  entity.attributes.set(name, attribute);
  return true;
}

/** Attributes that are not in the id. */
export function plainNames({ id, attributes }: DraftEntity): readonly string[] {
  return [...attributes.keys()].filter((name) => !id.includes(name));
}

export function attributeOf({ attributes }: DraftEntity, name: string): AttributeDocument {
  const attribute = attributes.get(name);
  if (attribute === undefined) throw new Error(`the draft has no attribute ${name}`);
  return attribute;
}

export function namesOfType(
  entity: DraftEntity,
  types: readonly AttributeDocument["type"][],
): readonly string[] {
  return [...entity.attributes].flatMap(([name, { type }]) => (types.includes(type) ? [name] : []));
}

/** Entities that hold the id of another one. */
export function childrenOf(
  entities: readonly DraftEntity[],
  parent: DraftEntity,
): readonly DraftEntity[] {
  return entities.filter(
    (one) => one !== parent && one.references.some(({ target }) => target === parent),
  );
}

export function parentsOf({ references }: DraftEntity): readonly DraftEntity[] {
  return [...new Set(references.map(({ target }) => target))];
}

export function entityDocument(random: ModelRandom, entity: DraftEntity): EntityDocument {
  const count = random.contradicts(0.05) ? random.pick([0, 0.5]) : entity.count;
  return {
    ...random.maybe(random.traits.isVerbose ? 0.5 : 0, () => ({ description: random.sentence() })),
    id: entity.id,
    ...(random.isMissing() ? {} : { count: random.amount(count) }),
    ...random.maybe(0.3, () => ({ growth: randomGrowth(random, entity.count) })),
    ...random.maybe(0.15, () => ({ retention: randomRetention(random) })),
    ...(entity.version !== undefined && { version: entity.version }),
    attributes: Object.fromEntries(entity.attributes),
  };
}

function randomGrowth(random: ModelRandom, count: number): NonNullable<EntityDocument["growth"]> {
  const amount = (share: number): Amount => random.amount(Math.ceil(count * share));
  return random.choose<NonNullable<EntityDocument["growth"]>>([
    [1, () => ({ perDay: amount(0.001) })],
    [1, () => ({ perMonth: amount(0.02) })],
    [1, () => ({ perYear: amount(0.3) })],
  ]);
}

function randomRetention(random: ModelRandom): DurationText {
  return random.duration(86_400 * random.pick([1, 7, 30, 365, 1_095]));
}
