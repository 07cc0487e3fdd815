import type { WhereDocument } from "../../src/model/document-parts.ts";
import type {
  ActionDocument,
  PatternDocument,
  TogetherDocument,
} from "../../src/model/document-requirements.ts";
import {
  attributeOf,
  childrenOf,
  type DraftEntity,
  parentsOf,
  plainNames,
} from "./draft-entity.ts";
import type { ModelRandom } from "./model-random.ts";
import {
  equalTo,
  idWhere,
  isWord,
  randomComparison,
  randomLimit,
  randomOrder,
  randomReturns,
} from "./random-conditions.ts";

/** Draws patterns that read. */

type Read = Omit<PatternDocument, "name">;

export function randomRead(
  random: ModelRandom,
  entity: DraftEntity,
  entities: readonly DraftEntity[],
): Read {
  const read = random.choose<Read>([
    [4, () => readOne(random, entity)],
    [1, () => readSeveral(random, entity)],
    [9, () => readList(random, entity)],
    [0.4, () => readEverything(random, entity)],
  ]);
  return {
    ...read,
    ...random.maybe(0.2, () => readTogether(random, entity, entities)),
    ...random.maybe(0.15, () => ({ consistency: random.chance(0.7) ? "strong" : "eventual" })),
    ...random.maybe(0.08, () => ({ matches: random.amount(random.magnitude(0, 2.5)) })),
  };
}

function readOne(random: ModelRandom, entity: DraftEntity): Read {
  return {
    read: entity.name,
    where: { ...idWhere(random, entity), ...random.maybe(0.1, () => more(random, entity, 1)) },
    ...random.maybe(0.35, () => ({ returns: randomReturns(random, entity) })),
    ...random.maybe(0.02, () => ({ limit: 1 })),
  };
}

/** Several items, each named by its id. */
function readSeveral(random: ModelRandom, entity: DraftEntity): Read {
  const last = entity.id.at(-1) as string;
  return {
    read: entity.name,
    where: {
      ...idWhere(random, entity),
      [last]: isWord(last) ? "one-of" : { "one-of": "$wanted" },
    },
    ...random.maybe(0.85, () => ({ batch: random.amount(random.pick([2, 10, 25, 100, 150])) })),
    ...random.maybe(0.3, () => ({ returns: randomReturns(random, entity) })),
  };
}

function readList(random: ModelRandom, entity: DraftEntity): Read {
  return {
    read: entity.name,
    where: listWhere(random, entity),
    ...listMembers(random, entity),
    ...random.maybe(0.02, () => ({ batch: random.pick([1, 3]) })),
  };
}

function readEverything(random: ModelRandom, entity: DraftEntity): Read {
  return {
    read: entity.name,
    ...random.maybe(0.3, () => ({ where: {} })),
    ...listMembers(random, entity),
  };
}

function listMembers(
  random: ModelRandom,
  entity: DraftEntity,
): Pick<ActionDocument, "order" | "limit" | "returns"> {
  return {
    ...random.maybe(0.55, () => ({ order: randomOrder(random, entity) })),
    ...random.maybe(0.7, () => ({ limit: randomLimit(random) })),
    ...random.maybe(0.5, () => ({ returns: randomReturns(random, entity) })),
  };
}

/** What a list is asked for by: a part of the id, an owner, an attribute; and more. */
export function listWhere(random: ModelRandom, entity: DraftEntity): WhereDocument {
  const { id, references } = entity;
  const start = random.choose<WhereDocument>([
    [
      id.length > 1 ? 3 : 0,
      () => equals(random, id.slice(0, random.between(1, Math.max(1, id.length - 1)))),
    ],
    [references.length > 0 ? 4 : 0, () => equals(random, random.pick(references).attributes)],
    [4, () => byAttribute(random, entity)],
    [0.7, () => more(random, entity, 1)],
  ]);
  const extra = random.pick([0, 0, 0, 1, 1, 2]);
  return { ...more(random, entity, extra), ...start };
}

function equals(random: ModelRandom, names: readonly string[]): WhereDocument {
  return Object.fromEntries(names.map((name) => [name, equalTo(random, name)]));
}

/** Equal to a value of an attribute that several items share. */
function byAttribute(random: ModelRandom, entity: DraftEntity): WhereDocument {
  const names = plainNames(entity).filter((name) =>
    ["S", "N", "BOOL"].includes(attributeOf(entity, name).type),
  );
  return names.length === 0 ? idWhere(random, entity) : equals(random, [random.pick(names)]);
}

function more(random: ModelRandom, entity: DraftEntity, count: number): WhereDocument {
  const chosen = random.sample([...entity.attributes.keys()], count);
  return Object.fromEntries(
    chosen.map((name) => [name, randomComparison(random, name, attributeOf(entity, name))]),
  );
}

/** Other entities in the same answer: those that belong to the one that is read, or that it belongs to. */
function readTogether(
  random: ModelRandom,
  entity: DraftEntity,
  entities: readonly DraftEntity[],
): Pick<PatternDocument, "together"> {
  const related = random.contradicts(0.05)
    ? entities
    : [...childrenOf(entities, entity), ...parentsOf(entity)];
  if (related.length === 0) return {};
  const chosen = random.sample(related, random.chance(0.85) ? 1 : 2);
  return { together: chosen.map((other) => togetherWith(random, other)) };
}

function togetherWith(random: ModelRandom, other: DraftEntity): string | TogetherDocument {
  if (random.chance(0.3)) return other.name;
  return {
    entity: other.name,
    ...random.maybe(0.6, () => ({ limit: randomLimit(random) })),
    ...random.maybe(0.35, () => ({ order: randomOrder(random, other) })),
    ...random.maybe(0.2, () => ({ where: more(random, other, 1) })),
    ...random.maybe(0.3, () => ({ returns: randomReturns(random, other) })),
  };
}
