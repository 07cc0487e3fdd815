import type { Predicate } from "../../../model/requirements.ts";
import type { Link, ReadRequest } from "../../plans/plan.ts";
import { compareBy } from "../../requests/run-plan.ts";
import type { EntityValues } from "../../values/render-key.ts";
import { readsIn } from "../mutants/mutant.ts";
import { isPaged } from "../mutants/read-mutants.ts";
import type { Question, WitnessContext } from "./context.ts";
import { whyNeverFails } from "./no-match.ts";
import {
  combine,
  moreIn,
  moreStrangers,
  orderOf,
  type Scene,
  sceneFor,
  sceneless,
  whyOneMatch,
  witnessOf,
} from "./scene.ts";
import { moreInLastShard } from "./shards.ts";
import { type Construction, impossible, type ReadWitness, witnesses } from "./witness.ts";

/** Witnesses for reads that stop after their first page. */

/** A page of a trial has one item; an answer without a limit has this number of items. */
const matchCount = 10;
/** A read that is filtered behind larger pages has no witness. */
const pageMax = 200;

/** More entities than a page has; where a page is filtered, more that the filter leaves out than a page has. */
export function pageWitnesses(context: WitnessContext): Construction {
  return combine(
    readsIn(context.job.plan)
      .filter(isPaged)
      .map((request) => pagesOf(context, request)),
  );
}

function pagesOf(context: WitnessContext, request: ReadRequest): Construction {
  const { limit, beside, together } = request;
  const question = context.question(request.part);
  if (question === undefined) return witnesses([]);
  const scene = sceneFor(context, question);
  if (scene === undefined) return sceneless(context, question);
  const filter = filterOf(context, request);
  const isOnlyKind = beside.length + together.length === 0;
  if (isOnlyKind && filter.length === 0) {
    const reason = whyFirstPage(context, request, scene);
    if (reason !== undefined) return impossible(reason);
  }
  const reasons = filter.map((one) => whyNeverFails(context, question, one));
  const [always] = reasons;
  if (limit !== undefined && isOnlyKind && always !== undefined && !reasons.includes(undefined)) {
    return impossible(always);
  }
  const failing = filter.filter((_, i) => reasons[i] === undefined);
  const { links } = request.remainder;
  return witnesses([
    ...(limit === undefined ? matchPages(context, scene) : []),
    ...[...failing, ...links].flatMap((one) => filteredPages(context, question, request, one)),
  ]);
}

/** Conditions that are checked after items were read, by the request or by the caller. */
function filterOf({ job }: WitnessContext, { part, filter }: ReadRequest): readonly Predicate[] {
  const later = readsIn(job.plan).filter((one) => one.part === part);
  return [...new Set([...filter, ...later.flatMap(({ remainder }) => remainder.filter)])];
}

/** Why the first page of matches has all that is wanted. */
function whyFirstPage(
  context: WitnessContext,
  { remainder: { links }, partition }: ReadRequest,
  scene: Scene,
): string | undefined {
  if (links.length > 0) return undefined;
  const { limit, order } = scene.question.asked;
  const isSame = ({ attribute }: (typeof order)[number]): boolean =>
    partition.some(({ text }) => text.native === attribute);
  if (limit === 1 && order.every(isSame)) {
    return "one match is wanted, all matches of one request tie, and its first page has one";
  }
  return whyOneMatch(context, scene);
}

/** Many matches, in the order of their ids and in the other direction. */
function matchPages(context: WitnessContext, scene: Scene): readonly ReadWitness[] {
  const more = moreIn(context, scene, matchCount, orderOf(scene));
  const { entity } = scene.question;
  const names = orderOf(scene).filter(
    (name) => !entity.id.includes(name) && entity.attributes.get(name)?.unique === false,
  );
  const turned = more.map((one, i) => {
    const other = more[more.length - 1 - i];
    const values = new Map(one);
    for (const name of names) {
      const value = other?.get(name);
      if (value === undefined) values.delete(name);
      else values.set(name, value);
    }
    return values;
  });
  return (names.length === 0 ? [more] : [more, turned]).map((list) =>
    witnessOf(context, scene, list),
  );
}

/** Many that one condition keeps out, and somewhere among or behind them what it does not. */
function filteredPages(
  context: WitnessContext,
  question: Question,
  request: ReadRequest,
  failing: Predicate | Link,
): readonly ReadWitness[] {
  // A child may be kept out by a link alone.
  const fails = new Set(context.predicatesOf(question).filter((one) => one === failing));
  const isStated = fails.size > 0;
  const scene = sceneFor(context, question, { fails });
  const hit = scene && hitBeside(context, scene);
  if (scene === undefined || hit === undefined) return [];
  const names = [...new Set([...orderOf(scene), ...question.entity.id, failing.attribute])];
  const hits = moreInLastShard(context, { ...scene, found: hit }, request, matchCount);
  const missCount = 2 * Math.min(request.limit ?? 1, pageMax) + matchCount;
  const others = { ...scene, beside: [...scene.beside, ...hits] };
  const misses = isStated
    ? moreInLastShard(context, others, request, missCount, fails)
    : moreStrangers(context, others, failing.attribute, missCount);
  // The order of reading is unknown, so the match is first, last, or in between.
  const chosen = names.flatMap((attribute): readonly EntityValues[] => {
    const sorted = hits.toSorted((a, b) =>
      compareBy([{ attribute, direction: "ascending" }], a, b),
    );
    return [sorted.at(-1), sorted[0], sorted[Math.floor(sorted.length / 2)]].flatMap(
      (one) => one ?? [],
    );
  });
  const { parameters } = hit;
  return [...new Set(chosen), ...(isStated ? [] : besideStrangers(scene, hits, misses))]
    .map((one) => [one])
    .concat([hits.slice(0, 3)])
    .map((some) => witnessOf(context, scene, [...misses, ...some], parameters));
}

/** A match that comes first or last among strangers, by each attribute that a condition compares. */
function besideStrangers(
  { question: { entity }, where, links }: Scene,
  [hit]: readonly EntityValues[],
  strangers: readonly EntityValues[],
): readonly EntityValues[] {
  return where.flatMap(({ attribute }) => {
    const isOwn = entity.id.includes(attribute) || links.has(attribute);
    if (hit === undefined || isOwn || entity.attributes.get(attribute)?.unique) return [];
    const sorted = strangers.toSorted((a, b) =>
      compareBy([{ attribute, direction: "ascending" }], a, b),
    );
    return [sorted[0], sorted.at(-1)].flatMap((stranger) => {
      const value = stranger?.get(attribute);
      return value === undefined ? [] : [new Map(hit).set(attribute, value)];
    });
  });
}

/** What meets all conditions, for the same parameters. */
function hitBeside(context: WitnessContext, { question, where, links, found }: Scene) {
  const { parameters } = found;
  return context.solve(question.entity, where, { fixed: links, parameters });
}
