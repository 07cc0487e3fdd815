import { attributesOf } from "../../../model/key-text.ts";
import type { Predicate } from "../../../model/requirements.ts";
import type { Link, ReadRequest } from "../../plans/plan.ts";
import { structuresOf } from "../../plans/structures.ts";
import { compareBy } from "../../requests/run-plan.ts";
import type { EntityValues } from "../../values/render-key.ts";
import { idsOf, idText } from "../identity.ts";
import { readsIn } from "../mutants/mutant.ts";
import { isPaged } from "../mutants/read-mutants.ts";
import type { Question, WitnessContext } from "./context.ts";
import { whyNeverFails } from "./no-match.ts";
import {
  combine,
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
import { moreInLastShard } from "./shards.ts";
import { type Construction, impossible, type ReadWitness, witnesses } from "./witness.ts";

/** Witnesses for reads that stop after their first page. */

/** A page of a trial has one item; an answer without a limit has this number of items. */
const matchCount = 10;
/** A read that is filtered behind larger pages has no witness. */
const pageMax = 200;
/** Number of matches that are tried alone: more than a small page has. */
const placesMax = 6;

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
  const reason = isOnlyKind ? whyFirstPage(context, request, scene, filter) : undefined;
  if (reason !== undefined) return impossible(reason);
  const reasons = filter.map((one) => whyNeverFails(context, question, one));
  const [always] = reasons;
  if (limit !== undefined && isOnlyKind && always !== undefined && !reasons.includes(undefined)) {
    return impossible(always);
  }
  const failing = filter.filter((_, i) => reasons[i] === undefined);
  const { links } = request.remainder;
  return witnesses([
    ...(limit === undefined ? matchPages(context, scene) : []),
    ...(isOnlyKind ? [] : loneMatches(context, scene)),
    ...[...failing, ...links].flatMap((one) => filteredPages(context, question, request, one)),
  ]);
}

/** Conditions that are checked after items were read, and of which the items of one request may meet some. */
function filterOf({ job }: WitnessContext, request: ReadRequest): readonly Predicate[] {
  const later = readsIn(job.plan).filter((one) => one.part === request.part);
  const all = [...request.filter, ...later.flatMap(({ remainder }) => remainder.filter)];
  return [...new Set(all)].filter(({ attribute }) => !isShared(request, attribute));
}

/** Whether all items of one request have the same value of an attribute. */
function isShared({ partition, sort }: ReadRequest, attribute: string): boolean {
  const equal = sort.filter(({ kind }) => kind === "equals");
  return [...partition, ...equal].some(({ text }) => text.native === attribute);
}

/** Why the first page of a request has all that is wanted. */
function whyFirstPage(
  context: WitnessContext,
  request: ReadRequest,
  scene: Scene,
  filter: readonly Predicate[],
): string | undefined {
  const { remainder, limit } = request;
  if (remainder.links.length > 0) return undefined;
  const evaluated = scene.where.filter((one) => !request.filter.includes(one));
  const most = mostMatches(context, { ...scene, where: evaluated });
  if (limit !== undefined && most !== undefined && most <= limit) {
    return `there are at most ${most} different ids of ${scene.question.entity.name} for one request`;
  }
  if (filter.length > 0) return undefined;
  const { limit: wanted, order } = scene.question.asked;
  if (wanted === 1 && order.every(({ attribute }) => isShared(request, attribute))) {
    return "one match is wanted, all matches of one request tie, and its first page has one";
  }
  return (
    whyOneMatch(context, scene) ??
    (limit === undefined
      ? undefined
      : "the items of one request meet all conditions or none of them does, and its first page has as many as are wanted")
  );
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

/** One match among entities of other kinds: the order of reading is unknown. */
function loneMatches(context: WitnessContext, scene: Scene): readonly ReadWitness[] {
  return moreIn(context, scene, placesMax).map((one) => witnessOf(context, scene, [one]));
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
  const missCount = 2 * Math.min(request.limit ?? 1, pageMax) + matchCount;
  // Ids may be few, and their order is that of reading: each of them may match, or be kept out.
  const isEither = isStated && !question.entity.id.includes(failing.attribute);
  const hitCount = isEither ? missCount : matchCount;
  const hits = moreInLastShard(context, { ...scene, found: hit }, request, hitCount);
  const others = { ...scene, beside: [...scene.beside, ...(isEither ? [] : hits)] };
  const misses = isStated
    ? moreInLastShard(context, others, request, missCount, fails)
    : moreStrangers(context, others, failing.attribute, missCount);
  // The order of reading is unknown, so the match is first, last, or in between.
  const sorted = names.flatMap((attribute): readonly EntityValues[] => {
    const all = hits.toSorted((a, b) => compareBy([{ attribute, direction: "ascending" }], a, b));
    return [all.at(-1), all[0], all[Math.floor(all.length / 2)]].flatMap((one) => one ?? []);
  });
  const chosen = new Set([...sorted, ...hits.slice(0, placesMax)]);
  const lists = [...[...chosen].map((one) => [one]), hits.slice(0, 3)].map((some) => {
    const ids = idsOf(question.entity, some);
    return [...misses.filter((one) => !ids.has(idText(question.entity, one))), ...some];
  });
  const { parameters } = hit;
  return [...lists, ...exchanged(scene, request, failing, hits, misses)].map((list) =>
    witnessOf(context, scene, list, parameters),
  );
}

/** A match that comes first or last, by each attribute that may decide the order of reading: it changes values with another entity. */
function exchanged(
  { question: { entity, asked }, where, links }: Scene,
  { record, index }: ReadRequest,
  failing: Predicate | Link,
  [hit]: readonly EntityValues[],
  misses: readonly EntityValues[],
): readonly (readonly EntityValues[])[] {
  const texts = structuresOf(record).find((one) => one.index === index)?.sort ?? [];
  const names = [...asked.order, ...where, ...texts.flatMap(({ text }) => attributesOf(text))].map(
    ({ attribute }) => attribute,
  );
  const isFree = (name: string): boolean =>
    !entity.id.includes(name) && !links.has(name) && name !== failing.attribute;
  return [...new Set(names)].filter(isFree).flatMap((attribute) => {
    const sorted = misses.toSorted((a, b) =>
      compareBy([{ attribute, direction: "ascending" }], a, b),
    );
    return [sorted[0], sorted.at(-1)].flatMap((miss) => {
      const [own, other] = [hit?.get(attribute), miss?.get(attribute)];
      if (hit === undefined || miss === undefined || own === undefined || other === undefined) {
        return [];
      }
      const rest = misses.filter((one) => one !== miss);
      return [[...rest, new Map(miss).set(attribute, own), new Map(hit).set(attribute, other)]];
    });
  });
}

/** What meets all conditions, for the same parameters. */
function hitBeside(context: WitnessContext, { question, where, links, found }: Scene) {
  const { parameters } = found;
  return context.solve(question.entity, where, { fixed: links, parameters });
}
