import type { Predicate } from "../../../model/requirements.ts";
import { compareBy } from "../../requests/run-plan.ts";
import { limitMax } from "../focus.ts";
import type { Question, WitnessContext } from "./context.ts";
import {
  addReason,
  either,
  moreIn,
  orderOf,
  sceneFor,
  whyNeverFails,
  whyNoMatch,
  whyOneMatch,
  witnessOf,
} from "./scene.ts";
import type { Construction, ReadWitness } from "./witness.ts";

/** Witnesses for reads that stop after their first page. */

/** A request that may need more than one page. */
export interface Paging {
  readonly part: number;
  readonly limit: number | undefined;
  readonly filter: readonly Predicate[];
  /** Kinds of items in the same range that are not wanted. */
  readonly beside: number;
}

const trialsOfOrder = 3;

/** More entities than a page has; where a page is filtered, more that the filter leaves out than a page has. */
export function pageWitnesses(context: WitnessContext, pagings: readonly Paging[]): Construction {
  const list: ReadWitness[] = [];
  const reasons: string[] = [];
  for (const { part, limit, filter, beside } of pagings) {
    const question = context.question(part);
    if (question === undefined) continue;
    const scene = sceneFor(context, question);
    if (scene === undefined) {
      addReason(reasons, whyNoMatch(context, question));
      continue;
    }
    if (limit !== undefined && limit > limitMax) {
      reasons.push(`a trial has less than ${limit} items`);
      continue;
    }
    if (limit === undefined) {
      const more = moreIn(context, scene, 12, orderOf(scene));
      if (more.length > 2) list.push(witnessOf(context, scene, more));
      else addReason(reasons, whyOneMatch(context, scene));
    }
    const failing = filter.filter((one) => whyNeverFails(question, one) === undefined);
    for (const one of failing) list.push(...filteredPages(context, question, one, limit ?? 2));
    if (limit !== undefined && failing.length === 0 && beside === 0) {
      reasons.push(...filter.flatMap((one) => whyNeverFails(question, one) ?? []));
    }
  }
  return either(list, reasons);
}

/** Many that one condition keeps out, and behind them one that it does not. */
function filteredPages(
  context: WitnessContext,
  question: Question,
  failing: Predicate,
  limit: number,
): readonly ReadWitness[] {
  const scene = sceneFor(context, question, { fails: new Set([failing]) });
  if (scene === undefined) return [];
  const { entity, asked } = question;
  const { where, found, links } = scene;
  const { parameters } = found;
  const name = failing.attribute;
  const others = where.filter((one) => one !== failing);
  const hits = context.matching(entity, name, where, found.values, parameters);
  const misses = context
    .matching(entity, name, others, found.values, parameters)
    .filter((value) => !context.meets(entity, [failing], new Map([[name, value]]), parameters));
  const isMissing = !found.values.has(name);
  const pairs = hits.flatMap((hit) =>
    (isMissing ? [undefined] : misses).map((miss) => ({ hit, miss })),
  );
  // Where the order looks at the attribute, those that are kept out come first.
  const isFirst = ({ hit, miss }: (typeof pairs)[number]): boolean =>
    miss === undefined ||
    compareBy(asked.order, new Map([[name, miss]]), new Map([[name, hit]])) < 0;
  const [pair] = [...pairs.filter(isFirst), ...pairs];
  if (pair === undefined) return [];
  const { hit, miss } = pair;
  const fixed = new Map(links);
  if (miss !== undefined && !entity.id.includes(name)) fixed.set(name, miss);
  return Array.from({ length: trialsOfOrder }, () => {
    const spread = orderOf(scene).filter((one) => one !== name);
    const values = new Map(found.values);
    if (miss !== undefined) values.set(name, miss);
    const start = { values, parameters };
    const all = context.moreLike(entity, others, start, limit + 12, { spread, fixed });
    const sorted = all.toSorted((a, b) => compareBy(asked.order, a, b));
    const last = sorted.at(-1) ?? values;
    const match = new Map(last).set(name, hit);
    return witnessOf(context, scene, [...sorted.slice(0, -1), match], parameters);
  });
}
