import type { Constant, WhereDocument } from "../../src/model/document-parts.ts";
import type {
  ActionDocument,
  ConditionDocument,
  PatternDocument,
  StepDocument,
  WithDocument,
} from "../../src/model/document-requirements.ts";
import {
  attributeOf,
  childrenOf,
  type DraftEntity,
  namesOfType,
  plainNames,
} from "./draft-entity.ts";
import type { ModelRandom } from "./model-random.ts";
import {
  constantFor,
  equalTo,
  idWhere,
  isWord,
  randomLimit,
  randomOrder,
  randomReturns,
  writeConditions,
} from "./random-conditions.ts";
import { listWhere } from "./random-reads.ts";

/** Draws patterns that write, and transactions. */

type Write = Omit<PatternDocument, "name">;

export function randomCreate(
  random: ModelRandom,
  entity: DraftEntity,
  entities: readonly DraftEntity[],
): Write {
  return {
    ...createAction(random, entity),
    ...random.maybe(0.2, () => withOthers(random, entity, entities)),
    ...random.maybe(0.1, () => ({ batch: random.amount(random.pick([2, 10, 25, 60])) })),
  };
}

export function randomUpdate(random: ModelRandom, entity: DraftEntity): Write | undefined {
  const action = updateAction(random, entity, writeWhere(random, entity));
  const severalShare = canBeSeveral(random, entity, action) ? 0.03 : 0;
  return action && { ...action, ...random.maybe(severalShare, () => ({ batch: 10 })) };
}

export function randomDelete(
  random: ModelRandom,
  entity: DraftEntity,
  entities: readonly DraftEntity[],
): Write {
  return {
    ...deleteAction(random, entity, writeWhere(random, entity)),
    ...random.maybe(0.3, () => withOthers(random, entity, entities)),
    ...random.maybe(0.05, () => ({ batch: random.pick([5, 25]) })),
  };
}

/** Which items are written: nearly always one, by its id. */
function writeWhere(random: ModelRandom, entity: DraftEntity): WhereDocument {
  return random.choose<WhereDocument>([
    [12, () => idWhere(random, entity)],
    [1, () => idAndMore(random, entity)],
    [1, () => listWhere(random, entity)],
    [0.5, () => severalIds(random, entity)],
  ]);
}

function idAndMore(random: ModelRandom, entity: DraftEntity): WhereDocument {
  const names = plainNames(entity);
  const extra = names.length === 0 ? {} : writeConditions(random, entity);
  return { ...extra, ...idWhere(random, entity) };
}

function severalIds(random: ModelRandom, entity: DraftEntity): WhereDocument {
  const last = entity.id.at(-1) as string;
  return {
    ...idWhere(random, entity),
    [last]: isWord(last) ? "one-of" : { "one-of": "$wanted" },
  };
}

function createAction(random: ModelRandom, entity: DraftEntity): ActionDocument {
  return {
    create: entity.name,
    ...random.choose<{ condition?: ConditionDocument }>([
      [8, () => ({ condition: "absent" })],
      [4, () => ({})],
      [0.3, () => ({ condition: "exists" })],
      [0.3, () => conditionOn(random, entity)],
    ]),
  };
}

function conditionOn(
  random: ModelRandom,
  entity: DraftEntity,
  asked?: WhereDocument,
): { readonly condition?: ConditionDocument } {
  const where = writeConditions(random, entity, asked);
  return Object.keys(where).length === 0 ? {} : { condition: where };
}

function changeCondition(
  random: ModelRandom,
  entity: DraftEntity,
  where: WhereDocument,
): { readonly condition?: ConditionDocument } {
  return random.choose<{ condition?: ConditionDocument }>([
    [5, () => ({ condition: "exists" })],
    [4, () => ({})],
    [3, () => conditionOn(random, entity, where)],
    [entity.version === undefined ? 0 : 4, () => ({ condition: "version" })],
    [0.05, () => ({ condition: {} })],
  ]);
}

/** Nothing if there is no attribute that can be changed. */
function updateAction(
  random: ModelRandom,
  entity: DraftEntity,
  where: WhereDocument,
): ActionDocument | undefined {
  const effects = randomEffects(random, entity);
  if (Object.keys(effects).length === 0) return undefined;
  const rest = changeCondition(random, entity, where);
  return {
    update: entity.name,
    where,
    ...effects,
    ...withNewValues(effects, where, rest),
    ...rest,
  };
}

/** An attribute that must have a value before is changed to another one. */
function withNewValues(
  { changes = {} }: ActionDocument,
  where: WhereDocument,
  { condition }: ActionDocument,
): Pick<ActionDocument, "changes"> {
  const asked = { ...where, ...(typeof condition === "object" && condition) };
  const isList = Array.isArray(changes) as boolean;
  const names = isList ? (changes as readonly string[]) : Object.keys(changes);
  if (!names.some((name) => name in asked)) return {};
  const given = changes as Readonly<Record<string, Constant>>;
  return {
    changes: Object.fromEntries(
      names.map((name) => {
        const own = `$${name.replaceAll("-", "_")}`;
        const value = isList ? own : given[name];
        const before = asked[name];
        const isBefore =
          before === "equals"
            ? value === own
            : typeof before === "object" && before.equals === value;
        return [name, (isList && name in asked) || isBefore ? own.replace("$", "$new_") : value];
      }),
    ) as Readonly<Record<string, Constant>>,
  };
}

function deleteAction(
  random: ModelRandom,
  entity: DraftEntity,
  where: WhereDocument,
): ActionDocument {
  return { delete: entity.name, where, ...changeCondition(random, entity, where) };
}

/** What an update does; no attribute is touched twice, unless the model may contradict itself. */
function randomEffects(
  random: ModelRandom,
  entity: DraftEntity,
): Pick<ActionDocument, "changes" | "adds" | "appends" | "removes"> {
  const free = new Set(plainNames(entity));
  const take = (names: readonly string[], most: number): readonly string[] => {
    const chosen = random.sample(
      names.filter((name) => free.has(name)),
      random.between(1, most),
    );
    if (!random.contradicts(0.05)) for (const name of chosen) free.delete(name);
    return chosen;
  };
  const isPlain = (name: string): boolean =>
    (entity.version !== name && attributeOf(entity, name).keeps === undefined) ||
    random.contradicts(0.3);
  const effects: {
    -readonly [K in "changes" | "adds" | "appends" | "removes"]?: ActionDocument[K];
  } = {};
  const numbers = namesOfType(entity, ["N"]).filter(isPlain);
  const counters = numbers.filter((name) => attributeOf(entity, name).counter === true);
  if (random.chance(counters.length > 0 ? 0.5 : 0.12)) {
    const adds = take(counters.length > 0 ? counters : numbers, 2);
    const amount = (): number => random.pick([1, 1, -1, 5, 0.5]);
    if (adds.length > 0) effects.adds = Object.fromEntries(adds.map((name) => [name, amount()]));
  }
  if (random.chance(0.35)) {
    const appends = take(namesOfType(entity, ["L", "SS", "NS", "BS"]), 2);
    if (appends.length > 0) effects.appends = appends;
  }
  if (random.chance(0.12)) {
    const optional = plainNames(entity).filter(
      (name) => isPlain(name) && (attributeOf(entity, name).present ?? 1) !== 1,
    );
    const removes = take(optional.length > 0 ? optional : plainNames(entity).filter(isPlain), 1);
    if (removes.length > 0) effects.removes = removes;
  }
  const changeable = plainNames(entity).filter(
    (name) => isPlain(name) && attributeOf(entity, name).mutable !== false,
  );
  if (Object.keys(effects).length === 0 || random.chance(0.4)) {
    const changes = take(changeable, 3);
    if (changes.length > 0) effects.changes = changesOf(random, entity, changes);
  }
  return effects;
}

function changesOf(
  random: ModelRandom,
  entity: DraftEntity,
  names: readonly string[],
): NonNullable<ActionDocument["changes"]> {
  if (names.every(isWord) && random.chance(0.65)) return names;
  const newValue = (name: string): Constant => {
    const constant = random.chance(0.7)
      ? constantFor(random, attributeOf(entity, name))
      : undefined;
    return constant ?? `$new_${name.replaceAll("-", "_")}`;
  };
  return Object.fromEntries(names.map((name) => [name, newValue(name)]));
}

function withOthers(
  random: ModelRandom,
  entity: DraftEntity,
  entities: readonly DraftEntity[],
): Pick<PatternDocument, "with"> {
  const related = random.contradicts(0.1) ? entities : childrenOf(entities, entity);
  if (related.length === 0) return {};
  const others = random
    .sample(related, random.chance(0.85) ? 1 : 2)
    .map(({ name }): WithDocument => {
      if (random.chance(0.4)) return name;
      const average = random.pick([1, 2, 3, 5]);
      return { entity: name, ...random.maybe(0.8, () => ({ average: random.amount(average) })) };
    });
  return { with: others };
}

export function randomTransaction(
  random: ModelRandom,
  entities: readonly DraftEntity[],
): Write | undefined {
  if (random.chance(0.15)) return readTransaction(random, entities);
  const wanted = random.pick([1, 2, 2, 2, 3, 3, 4, 5]);
  const steps: StepDocument[] = [];
  for (let i = 0; i < wanted; i += 1) {
    const entity = random.pick(entities);
    const written = new Set(steps.map(writtenBy));
    const others = entities.filter(({ name }) => written.has(name));
    const before = steps.filter((one) => writtenBy(one) === entity.name);
    const step = writeStep(random, entity, i, before, others);
    if (step !== undefined) steps.push(step);
  }
  return steps.length === 0 ? undefined : { transaction: steps };
}

function writtenBy({ create, update, delete: deleted, check }: StepDocument): string | undefined {
  return create ?? update ?? deleted ?? check;
}

function writeStep(
  random: ModelRandom,
  entity: DraftEntity,
  place: number,
  before: readonly StepDocument[],
  others: readonly DraftEntity[],
): StepDocument | undefined {
  const same = before.filter(canBeChecked);
  // A transaction names an item once: a check may be of an item that is written, all else has another id.
  if (same.length > 0 && random.chance(0.3)) return checkOfSame(random, entity, random.pick(same));
  const id = random.chance(0.06) ? writeWhere(random, entity) : idWhere(random, entity);
  const isOther = before.length > 0 || others.some((other) => hasOtherType(entity, other));
  const where = isOther ? otherWhere(id, place) : id;
  const isCreated = before.some(({ create }) => create !== undefined);
  const step = random.choose<StepDocument | undefined>([
    [isCreated ? 0 : 4, () => createAction(random, entity)],
    [4, () => updateAction(random, entity, where)],
    [1.5, () => deleteAction(random, entity, where)],
    [place > 0 ? 2 : 0.2, () => checkStep(random, entity, where)],
  ]);
  return step && { ...step, ...(canBeSeveral(random, entity, step) && stepAverage(random)) };
}

/** Whether an attribute of the id has another type in another entity, so that one parameter cannot be both. */
function hasOtherType({ id, attributes }: DraftEntity, other: DraftEntity): boolean {
  return id.some((name) => {
    const type = other.attributes.get(name)?.type;
    return type !== undefined && type !== attributes.get(name)?.type;
  });
}

/** Whether a write may be of several items: they cannot all get one unique value. */
function canBeSeveral(
  random: ModelRandom,
  entity: DraftEntity,
  { changes = {} }: ActionDocument = {},
): boolean {
  const changed = Array.isArray(changes) ? (changes as readonly string[]) : Object.keys(changes);
  return (
    !changed.some((name) => attributeOf(entity, name).unique === true) || random.contradicts(0.1)
  );
}

/** Whether a check of the item of a step can be a part of that step's condition. */
function canBeChecked({ create, where, average, condition }: StepDocument): boolean {
  return (
    create === undefined && where !== undefined && average === undefined && condition !== "absent"
  );
}

function checkOfSame(
  random: ModelRandom,
  entity: DraftEntity,
  { where = {} }: StepDocument,
): StepDocument {
  const step = checkStep(random, entity, where);
  return step.condition === "absent" ? { ...step, condition: "exists" } : step;
}

/** The same conditions with parameters of other names. */
function otherWhere(where: WhereDocument, step: number): WhereDocument {
  return Object.fromEntries(
    Object.entries(where).map(([name, comparison]) => {
      const isEqual =
        comparison === "equals" || (typeof comparison === "object" && "equals" in comparison);
      return [name, isEqual ? { equals: `$${name.replaceAll("-", "_")}_${step}` } : comparison];
    }),
  );
}

function checkStep(random: ModelRandom, entity: DraftEntity, where: WhereDocument): StepDocument {
  return {
    check: entity.name,
    where,
    ...random.choose<{ condition: ConditionDocument }>([
      [4, () => ({ condition: "exists" })],
      [1, () => ({ condition: "absent" })],
      [3, () => ({ condition: writeConditions(random, entity, where) })],
      [entity.version === undefined ? 0 : 2, () => ({ condition: "version" })],
    ]),
  };
}

function stepAverage(random: ModelRandom): Pick<StepDocument, "average"> {
  return random.maybe(0.15, () => ({ average: random.amount(random.pick([1, 2, 3, 2.5, 10])) }));
}

function readTransaction(random: ModelRandom, entities: readonly DraftEntity[]): Write {
  const before: DraftEntity[] = [];
  const steps = random.times(random.between(1, 3), (step) => {
    const entity = random.pick(entities);
    const where = random.chance(0.1)
      ? { [entity.id[0] as string]: equalTo(random, entity.id[0] as string) }
      : idWhere(random, entity);
    const isOther = before.some((other) => other === entity || hasOtherType(entity, other));
    before.push(entity);
    return {
      read: entity.name,
      where: isOther ? otherWhere(where, step) : where,
      ...random.maybe(0.4, () => ({ returns: randomReturns(random, entity) })),
      ...random.maybe(0.05, () => ({ order: randomOrder(random, entity) })),
      ...random.maybe(0.05, () => ({ limit: randomLimit(random) })),
      ...stepAverage(random),
    };
  });
  return { transaction: steps };
}
