import type { Model } from "../../model/model.ts";
import type { Entity, Pattern, Predicate } from "../../model/requirements.ts";
import { Facts } from "../facts.ts";
import { harmonic } from "../heat/spread.ts";

/** What is cached is kept for five minutes, unless somebody says otherwise. */
const keptSeconds = 300;

/**
 * The share of a pattern's reads that a cache may answer: how often the same question comes again while the answer to
 * the first one is kept. Nothing if no answer may come from a cache, or no question comes twice.
 */
export function hitRateOf(model: Model, pattern: Pattern): number | undefined {
  const [action, more] = pattern.actions;
  if (action === undefined || more !== undefined || !mayBeStale(pattern)) return undefined;
  const entity = model.entities.get(action.entity);
  const where = [...action.where, ...pattern.together.flatMap((one) => one.where)];
  if (entity === undefined || where.some(isAnywhere)) return undefined;
  const questions = questionsOf(model, entity, action.where);
  if (questions === undefined) return undefined;
  const asked = (pattern.rps.average?.value ?? 0) * (pattern.batch?.value ?? 1) * keptSeconds;
  return shareAgain(asked, questions, skewOf(entity, pattern, action.where));
}

/** Strong reads and transactions go past a cache, and who writes must not decide by an old answer. */
export function mayBeStale({ kind, consistency, transaction }: Pattern): boolean {
  return kind === "read" && consistency === "eventual" && !transaction;
}

/** Bounds that the caller chooses: hardly anybody asks for the same ones again. */
function isAnywhere({ operator, operands }: Predicate): boolean {
  if (operator === "equals" || operator === "one-of" || operator === "exists") return false;
  return operands.some(({ kind }) => kind === "parameter");
}

/** How many different questions there are; nothing if nobody can know. */
function questionsOf(
  model: Model,
  entity: Entity,
  where: readonly Predicate[],
): number | undefined {
  const { cardinality } = Facts.of(model);
  const names = where.filter(isAskedByParameter).map(({ attribute }) => attribute);
  if (names.length === 0) return 1;
  const isOne = entity.id.every((name) => names.includes(name));
  if (!isOne && cardinality.known(entity, names).length < names.length) return undefined;
  const [count, per] = [cardinality.count(entity), cardinality.itemsPer(entity, names)];
  if (count === undefined || per === undefined) return undefined;
  return Math.max(1, count.value / Math.max(1, per.value));
}

function isAskedByParameter({ operands }: Predicate): boolean {
  return operands.some(({ kind }) => kind === "parameter");
}

/** How unevenly questions come: as the pattern says, or an attribute that is asked for. */
function skewOf(
  { attributes }: Entity,
  { skew }: Pattern,
  where: readonly Predicate[],
): Pick<NonNullable<Pattern["skew"]>, "kind" | "value"> | undefined {
  if (skew !== undefined && where.some(({ attribute }) => attribute === skew.key)) return skew;
  return where
    .filter(isAskedByParameter)
    .map(({ attribute }) => attributes.get(attribute)?.skew)
    .find((one) => one !== undefined);
}

/** Of so many questions in the time that an answer is kept, the share that was asked before. */
function shareAgain(
  asked: number,
  questions: number,
  skew: Pick<NonNullable<Pattern["skew"]>, "kind" | "value"> | undefined,
): number {
  // The first asks the table, and all that come while its answer is kept do not.
  const again = (share: number): number => {
    const times = asked * share;
    return times / (1 + times);
  };
  if (skew === undefined || questions <= 1) return again(1 / questions);
  const { value } = skew.value;
  if (skew.kind === "hottest") {
    return value * again(value) + (1 - value) * again((1 - value) / Math.max(1, questions - 1));
  }
  const all = harmonic(questions, value);
  let found = 0;
  for (let from = 1; from <= questions; ) {
    // One by one as long as they differ, then as many together as are alike.
    const to = Math.min(questions, Math.max(from, Math.floor(from * widening)));
    const share = (harmonic(to, value) - (from === 1 ? 0 : harmonic(from - 1, value))) / all;
    found += share * again(share / (to - from + 1));
    from = to + 1;
  }
  return found;
}

const widening = 1.1;
