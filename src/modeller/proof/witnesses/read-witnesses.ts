import type { AttributeValue } from "../../../item/attribute-value.ts";
import type { Predicate } from "../../../model/requirements.ts";
import type { EntityValues } from "../../values/render-key.ts";
import { otherValue } from "../identity.ts";
import { whyOrderIsRestored } from "../mutants/key-reasons.ts";
import { readsIn, takesLists } from "../mutants/mutant.ts";
import type { Question, WitnessContext } from "./context.ts";
import { whyNeverFails } from "./no-match.ts";
import {
  combine,
  isFixed,
  moreIn,
  moreStrangers,
  mostMatches,
  orderOf,
  type Scene,
  sceneFor,
  sceneless,
  whyOneMatch,
  witnessOf,
} from "./scene.ts";
import { hasShards, isDrawn, isInLastShard, moreInLastShard } from "./shards.ts";
import { type Construction, impossible, type ReadWitness, witnesses } from "./witness.ts";

/** Witnesses for the mutants of reads: for each kind of mistake, entities of which the wrong read answers others. */

const none: Construction = witnesses([]);
/** Questions of one batch that are asked together. */
const batchScenes = 3;
/** No witness has more items than this limit and one. */
const matchesMax = 1_000;
const shardMatches = 3;

/** One entity that meets everything but the conditions on one attribute: one of them, or all. */
export function filterWitnesses(
  context: WitnessContext,
  attribute: string,
  parts: readonly number[],
): Construction {
  return combine(
    questionsOf(context, parts).flatMap((question): readonly Construction[] => {
      const failing = context.predicatesOf(question).filter((one) => one.attribute === attribute);
      if (failing.length === 0) return [strangers(context, question, attribute)];
      const each = failing.map((predicate) => [predicate]);
      return (failing.length > 1 ? [...each, failing] : each).map((fails) => {
        const scene = sceneFor(context, question, { fails: new Set(fails) });
        if (scene !== undefined) return one(witnessOf(context, scene, [scene.found.values]));
        const reasons = fails.map((predicate) => whyNeverFails(context, question, predicate));
        const [reason] = reasons;
        return reason === undefined || reasons.includes(undefined)
          ? sceneless(context, question, attribute)
          : impossible(reason);
      });
    }),
  );
}

/** Children that belong to another parent, because of an attribute that no condition names. */
function strangers(context: WitnessContext, question: Question, attribute: string): Construction {
  const scene = sceneFor(context, question);
  if (scene === undefined) return sceneless(context, question);
  return one(witnessOf(context, scene, moreStrangers(context, scene, attribute, 3)));
}

function one(witness: ReadWitness): Construction {
  return witnesses([witness]);
}

/** The questions of a pattern, or some of them. */
function questionsOf(context: WitnessContext, parts?: readonly number[]): readonly Question[] {
  const { actions, together } = context.job.plan.pattern;
  const all = parts ?? [...actions, ...together].keys();
  return [...all].flatMap((part) => context.question(part) ?? []);
}

/** Two entities that the order tells apart. */
export function directionWitnesses(context: WitnessContext): Construction {
  const questions = questionsOf(context).filter(({ asked }) => asked.order.length > 0);
  return combine(
    questions.map((question) => {
      const scene = sceneFor(context, question);
      if (scene === undefined) return sceneless(context, question);
      const names = orderOf(scene);
      const requests = readsIn(context.job.plan).filter(
        ({ part, operation }) => part === question.part && operation === "Query",
      );
      const reason =
        whyOneMatch(context, scene) ?? whyAlike(context, scene) ?? whyOrderIsRestored(requests);
      if (reason !== undefined) return impossible(reason);
      return witnesses(
        names.map((name) => witnessOf(context, scene, moreIn(context, scene, 5, [name]))),
      );
    }),
  );
}

/** Why the order of what a question finds never shows. */
function whyAlike(context: WitnessContext, scene: Scene): string | undefined {
  const { question } = scene;
  const { entity, asked } = question;
  const names = orderOf(scene);
  if (isFixed(context, scene, names)) {
    return `all ${entity.name} of an answer have the same ${names.join(" and ")}`;
  }
  const { together, transaction } = context.job.plan.pattern;
  // What a child is like does not matter to anything else; several parents may differ in what their children repeat.
  const isOnly = question.isChild || (together.length === 0 && !transaction);
  return isOnly && isFixed(context, scene, asked.returns)
    ? `all that is returned, ${asked.returns.join(" and ")}, is the same in all ${entity.name} of an answer`
    : undefined;
}

/** One entity more than the limit. */
export function limitWitnesses(context: WitnessContext): Construction {
  const question = context.question(0);
  const limit = question?.asked.limit;
  if (question === undefined || typeof limit !== "number" || limit > matchesMax) return none;
  const scene = sceneFor(context, question);
  if (scene === undefined) return sceneless(context, question);
  const most = mostMatches(context, scene);
  const reason =
    whyOneMatch(context, scene) ??
    (most !== undefined && most <= limit
      ? `there are at most ${most} different ids of ${question.entity.name} for one request`
      : undefined);
  if (reason !== undefined) return impossible(reason);
  const each = questionsAlike(context, scene, Math.ceil((limit + 1) / batchScenes));
  const more = moreIn(context, scene, limit + 1, orderOf(scene));
  return witnesses([
    ...(more.length > limit ? [witnessOf(context, scene, more)] : []),
    ...(each === undefined ? [] : [each]),
    ...unevenMatches(context, scene, limit).map((list) => witnessOf(context, scene, list)),
  ]);
}

/** One match where one request looks, and as many as the limit where another one does: the caller asks no further after that. */
function unevenMatches(
  context: WitnessContext,
  scene: Scene,
  limit: number,
): readonly (readonly EntityValues[])[] {
  const { where, found, question } = scene;
  const lists = where.flatMap(({ attribute, operator, operands: [operand] }) => {
    const values = operand?.kind === "parameter" ? found.parameters.get(operand.name) : undefined;
    const [first, second] = operator === "one-of" && values !== undefined ? values : [];
    if (first === undefined || second === undefined) return [];
    const having = (value: AttributeValue, count: number, beside: readonly EntityValues[]) => {
      const values = new Map(found.values).set(attribute, value);
      const fixed = new Map([...scene.links, [attribute, value]]);
      const start = { values, parameters: found.parameters };
      return context.moreLike(question.entity, where, start, count, { fixed, beside, isNew: true });
    };
    return [
      [first, second],
      [second, first],
    ].map(([few, many]) => {
      const one = few === undefined ? [] : having(few, 1, scene.beside);
      return many === undefined ? one : [...one, ...having(many, limit, one)];
    });
  });
  const [request] = readsIn(context.job.plan);
  if (request === undefined || !hasShards(request) || isDrawn(request)) return lists;
  const last = moreInLastShard(context, scene, request, limit);
  const other = moreIn(context, scene, limit + shardMatches).find(
    (values) => !isInLastShard(request, question.entity, values),
  );
  return other === undefined ? lists : [...lists, [other, ...last]];
}

/** Several questions of one batch, each with some matches. */
function questionsAlike(
  context: WitnessContext,
  scene: Scene,
  count: number,
): ReadWitness | undefined {
  if (!takesLists(context.job.plan.pattern)) return undefined;
  const { where, question, found } = scene;
  const parameters = new Map(found.parameters);
  const all = [...moreIn(context, scene, count, orderOf(scene))];
  for (let i = 1; i < batchScenes; i += 1) {
    const values = new Map(found.values);
    const own = new Map(found.parameters);
    for (const { attribute, operator, operands } of where) {
      const [operand] = operands;
      const described = question.entity.attributes.get(attribute);
      const value = found.values.get(attribute);
      if (operator !== "equals" || operand?.kind !== "parameter") continue;
      if (described === undefined || value === undefined) continue;
      const other = context.matching(question.entity, attribute, [], values, new Map())[i];
      if (other === undefined) return undefined;
      values.set(attribute, other);
      own.set(operand.name, [other]);
      parameters.set(operand.name, [...(parameters.get(operand.name) ?? []), other]);
    }
    const options = { spread: orderOf(scene), fixed: scene.links, beside: all, isNew: true };
    const start = { values, parameters: own };
    all.push(...context.moreLike(question.entity, where, start, count, options));
  }
  return witnessOf(context, scene, all, parameters);
}

/** One match, in a shard that the mutant forgets: the last one. */
export function shardWitnesses(context: WitnessContext): Construction {
  return combine(
    readsIn(context.job.plan).flatMap((request): readonly Construction[] => {
      const question = hasShards(request) ? context.question(request.part) : undefined;
      if (question === undefined) return [];
      const scene = sceneFor(context, question);
      if (scene === undefined) return [sceneless(context, question)];
      const all = moreInLastShard(context, scene, request, shardMatches);
      // Shards that are drawn show only when items are stored.
      const lists = isDrawn(request) ? [all] : all.map((values) => [values]);
      return [witnesses(lists.map((list) => witnessOf(context, scene, list)))];
    }),
  );
}

/** Two values of which only the second one finds something. */
export function valuesWitnesses(context: WitnessContext): Construction {
  const { pattern } = context.job.plan;
  const isSeveral = ({ operator }: Predicate): boolean =>
    operator === "one-of" || (operator === "equals" && takesLists(pattern));
  const asking = questionsOf(context, [...pattern.actions.keys()]).filter(({ asked }) =>
    asked.where.some(isSeveral),
  );
  const constructions = asking.map((question) => {
    const scene = sceneFor(context, question);
    if (scene === undefined) return sceneless(context, question);
    const { entity } = question;
    const { where, found } = scene;
    const list: ReadWitness[] = [];
    for (const predicate of where) {
      const { attribute, operands } = predicate;
      const described = entity.attributes.get(attribute);
      const own = found.values.get(attribute);
      if (!isSeveral(predicate) || described === undefined || own === undefined) continue;
      const known = context.matching(entity, attribute, [], found.values, new Map());
      const other =
        known.find((one) => JSON.stringify(one) !== JSON.stringify(own)) ??
        differentValue(() => otherValue(described, own, context.making.random), own);
      for (const operand of operands) {
        if (operand.kind !== "parameter" || other === undefined) continue;
        const parameters = new Map(found.parameters).set(operand.name, [other, own]);
        list.push(witnessOf(context, scene, [found.values], parameters));
      }
    }
    return witnesses(list);
  });
  return combine(constructions);
}

function differentValue(
  draw: () => AttributeValue,
  own: AttributeValue,
): AttributeValue | undefined {
  return Array.from({ length: 20 }, draw).find(
    (one) => JSON.stringify(one) !== JSON.stringify(own),
  );
}

/** One match that has all attributes. */
export function storedWitnesses(
  context: WitnessContext,
  part: number,
  attribute: string,
): Construction {
  const question = context.question(part);
  if (question === undefined) return none;
  const scene = sceneFor(context, question);
  if (scene === undefined) return sceneless(context, question);
  const { values } = scene.found;
  const isExcluded = scene.where.some(
    (one) => one.attribute === attribute && one.operator === "exists" && !one.exists,
  );
  if (!values.has(attribute) && isExcluded) {
    return impossible(`a condition asks for ${question.entity.name} without ${attribute}`);
  }
  return one(witnessOf(context, scene, [values]));
}

/** Entities that differ in one part of a key alone, one of which is asked for. */
export function keyWitnesses(
  context: WitnessContext,
  entityName: string,
  names: readonly string[],
): Construction {
  const questions = questionsOf(context).filter(({ entity }) => entity.name === entityName);
  return combine(
    questions.map((question) => {
      const scene = sceneFor(context, question);
      if (scene === undefined) return sceneless(context, question);
      const few = moreIn(context, scene, 24, [...names, ...orderOf(scene)]);
      const twins = names.flatMap((name) => twinsOf(context, scene, name));
      const own = scene.found.values;
      const all = [own, ...twins];
      // Of two, the wrong one may come first where among more of them the right one still does.
      const pairs = all.flatMap((first, i) => all.slice(i + 1).map((second) => [first, second]));
      // The last of these lists: what is asked for is not there, and another one comes.
      const lists = [all, [...twins, own], few, ...pairs, ...twins.map((twin) => [twin])];
      return witnesses(lists.map((list) => witnessOf(context, scene, list)));
    }),
  );
}

/** A parent with one child of each kind. */
export function togetherWitnesses(context: WitnessContext): Construction {
  const { actions, together } = context.job.plan.pattern;
  const list = [...together.keys()].flatMap((i): readonly ReadWitness[] => {
    const question = context.question(actions.length + i);
    const scene = question && sceneFor(context, question);
    return scene === undefined ? [] : [witnessOf(context, scene, [scene.found.values])];
  });
  return witnesses(list);
}

/**
 * The same entity with another value of one attribute; a new id, unless that is part of it. All that nothing asks for differs,
 * but for what else the table key is made of.
 */
function twinsOf(context: WitnessContext, scene: Scene, name: string): readonly EntityValues[] {
  const {
    question: { entity },
    found,
    where,
    links,
    beside,
  } = scene;
  const own = found.values.get(name);
  const described = entity.attributes.get(name);
  if (own === undefined || described === undefined) return [];
  const known = context.matching(entity, name, [], found.values, new Map());
  const others = known.filter((one) => JSON.stringify(one) !== JSON.stringify(own)).slice(0, 3);
  const drawn = differentValue(() => otherValue(described, own, context.making.random), own);
  // Values out of range, too.
  const failing = where.flatMap((one) => {
    const isOwn = one.attribute === name;
    const missed = isOwn ? sceneFor(context, scene.question, { fails: new Set([one]) }) : undefined;
    return missed?.found.values.get(name) ?? [];
  });
  const drawnOnes = drawn === undefined ? failing : [drawn, ...failing];
  // A unique value is not repeated, whatever is asked for.
  const without = where.filter(
    ({ attribute }) => attribute !== name && !entity.attributes.get(attribute)?.unique,
  );
  return [...others, ...drawnOnes].flatMap((value) => {
    const fixed = new Map([...links, [name, value]]);
    if (!entity.id.includes(name)) {
      const [twin] = context.moreLike(entity, without, found, 1, {
        fixed,
        beside: [...beside, found.values],
      });
      return twin === undefined ? [] : [new Map(twin).set(name, value)];
    }
    for (const part of [...entity.id, ...context.inTableKeys(entity)]) {
      const same = found.values.get(part);
      if (part !== name && same !== undefined) fixed.set(part, same);
    }
    const values = new Map(found.values).set(name, value);
    const start = { values, parameters: found.parameters };
    return context.moreLike(entity, without, start, 1, { fixed, beside, isNew: true });
  });
}
