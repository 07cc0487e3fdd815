import type { Predicate } from "../../../model/requirements.ts";
import type { EntityValues } from "../../values/render-key.ts";
import { takesLists } from "../mutants/mutant.ts";
import type { Parameters } from "../oracle/state.ts";
import type { Question, Wanted, WitnessContext } from "./context.ts";
import { allowedBy, whyNoMatch } from "./no-match.ts";
import type { Solution } from "./solve.ts";
import { type Construction, impossible, type ReadWitness, witnesses } from "./witness.ts";

/** The smallest data around a question of a read, and why there may be none: what the witnesses of reads are made of. */

/** What a question is asked about: its parent if it has one, and what it finds. */
export interface Scene {
  readonly question: Question;
  readonly where: readonly Predicate[];
  readonly parent: Solution | undefined;
  /** What a child repeats of its parent. */
  readonly links: EntityValues;
  readonly found: Solution;
  /** Others of the same kind that there are in any case: the parent. */
  readonly beside: readonly EntityValues[];
}

/** A parent, if the question is about children, and one entity that meets the conditions but for those that fail. */
export function sceneFor(
  context: WitnessContext,
  question: Question,
  wanted: Wanted = {},
): Scene | undefined {
  const where = context.predicatesOf(question);
  const { entity } = question;
  if (!question.isChild) {
    const found = context.solve(entity, where, wanted);
    return found && { question, where, parent: undefined, links: new Map(), found, beside: [] };
  }
  const own = context.question(0);
  if (own === undefined) return undefined;
  const parent = parentFor(context, question, own, wanted);
  if (parent === undefined) return undefined;
  const fixed = new Map(
    [...context.linksTo(entity, own.entity)].flatMap(([theirs, ours]) => {
      const value = parent.values.get(ours);
      return value === undefined ? [] : [[theirs, value] as const];
    }),
  );
  const { parameters } = parent;
  const found = context.solve(entity, where, { ...wanted, fixed, parameters });
  if (found === undefined) return undefined;
  const scene = { question, where, parent, links: fixed, found, beside: [] };
  if (own.entity !== entity) return scene;
  // A child of its own kind is another entity.
  const beside = [parent.values];
  const { fails = new Set() } = wanted;
  const [child] = context.moreLike(entity, where, found, 1, { fixed, fails, beside });
  return child && { ...scene, beside, found: { values: child, parameters: found.parameters } };
}

/** What a child repeats of its parent, and has to be, the parent has to be. */
function parentFor(
  context: WitnessContext,
  question: Question,
  own: Question,
  { fails = new Set(), parameters = new Map() }: Wanted,
): Solution | undefined {
  const links = context.linksTo(question.entity, own.entity);
  const asked = context.predicatesOf(own);
  const inherited = context.predicatesOf(question).flatMap((one) => {
    const ours = links.get(one.attribute);
    return ours === undefined ? [] : [{ of: one, predicate: { ...one, attribute: ours } }];
  });
  const failing = new Set(
    inherited.flatMap(({ of, predicate }) => (fails.has(of) ? [predicate] : [])),
  );
  const all = [...asked, ...inherited.map(({ predicate }) => predicate)];
  return (
    context.solve(own.entity, all, { fails: failing, parameters }) ??
    context.solve(own.entity, asked, { parameters })
  );
}

export function witnessOf(
  context: WitnessContext,
  { question, parent, found, beside }: Scene,
  entities: readonly EntityValues[],
  parameters: Parameters = found.parameters,
): ReadWitness {
  const lists = new Map([[question.entity.name, [...beside, ...entities]]]);
  const own = context.question(0);
  if (parent !== undefined && own !== undefined && beside.length === 0) {
    lists.set(own.entity.name, [parent.values]);
  }
  const state = context.stateWith(lists);
  const [first] = own === undefined ? [] : (state.get(own.entity.name) ?? []);
  const chosen = question.part === 0 ? found.values : (parent?.values ?? first);
  return { kind: "read", state, chosen: chosen ?? new Map(), parameters };
}

export function moreIn(
  context: WitnessContext,
  { question: { entity }, where, found, links, beside }: Scene,
  count: number,
  spread: readonly string[] = [],
  fails: ReadonlySet<Predicate> = new Set(),
): readonly EntityValues[] {
  return context.moreLike(entity, where, found, count, { spread, fixed: links, beside, fails });
}

/** More that meet the conditions and belong to another parent, because of one attribute. */
export function moreStrangers(
  context: WitnessContext,
  { question: { entity }, where, found, links, beside }: Scene,
  name: string,
  count: number,
): readonly EntityValues[] {
  const own = found.values.get(name);
  const value = own && ("S" in own ? own.S : "N" in own ? own.N : undefined);
  if (value === undefined) return [];
  const operands = [{ kind: "constant", value } as const];
  const same: Predicate = { attribute: name, operator: "equals", operands, exists: true };
  const fixed = new Map([...links].filter(([theirs]) => theirs !== name));
  const fails = new Set([same]);
  const isNew = true;
  const options = { fixed, fails, beside: [...beside, found.values], isNew };
  return context.moreLike(entity, [...where, same], found, count, options);
}

/** Whether attributes are the same in all that a question finds. */
export function isFixed(
  context: WitnessContext,
  { where, links }: Pick<Scene, "where" | "links">,
  names: readonly string[],
): boolean {
  const isSeveral = takesLists(context.job.plan.pattern);
  const isOne = (one: Predicate): boolean =>
    context.isOneValue(one) &&
    (!isSeveral || one.operands.every(({ kind }) => kind === "constant"));
  return names.every(
    (name) =>
      (links.has(name) && !isSeveral) || where.some((one) => one.attribute === name && isOne(one)),
  );
}

/** How many ids there can be under the conditions, where all their parts have listed values. */
export function mostMatches(context: WitnessContext, scene: Scene): number | undefined {
  const { question, where } = scene;
  const { entity } = question;
  if (takesLists(context.job.plan.pattern)) return undefined;
  let most = 1;
  for (const name of entity.id) {
    if (isFixed(context, scene, [name])) continue;
    const attribute = entity.attributes.get(name);
    const stated = where.find(
      (one) =>
        one.attribute === name &&
        one.operator === "one-of" &&
        one.operands.every(({ kind }) => kind === "constant"),
    );
    const listed = attribute && allowedBy(attribute, where);
    const count = stated?.operands.length ?? listed ?? (attribute?.type === "BOOL" ? 2 : undefined);
    if (count === undefined) return undefined;
    most *= count;
  }
  return most;
}

/** Why a question never finds two entities; nothing if it may. */
export function whyOneMatch(context: WitnessContext, scene: Scene): string | undefined {
  const { entity } = scene.question;
  if (isFixed(context, scene, entity.id)) {
    return `the conditions state the whole id of ${entity.name}, so there is one match at most`;
  }
  const unique = [...entity.attributes.values()].find(
    (one) => one.unique && isFixed(context, scene, [one.name]),
  );
  return unique && `${unique.name} of ${entity.name} is unique, so there is one match at most`;
}

export function orderOf({ question }: Pick<Scene, "question">): readonly string[] {
  return question.asked.order.map(({ attribute }) => attribute);
}

/** The witnesses of several constructions; a reason only if all of them are impossible. */
export function combine(all: readonly Construction[]): Construction {
  const [first] = all;
  if (first?.kind === "impossible" && all.every(({ kind }) => kind === "impossible")) return first;
  return witnesses(all.flatMap((one) => (one.kind === "witnesses" ? one.witnesses : [])));
}

/** What can be said where no scene was found; `except` is an attribute that the mutant does not look at. */
export function sceneless(
  context: WitnessContext,
  question: Question,
  except?: string,
): Construction {
  const reason = whyNoMatch(context, question, except);
  return reason === undefined ? witnesses([]) : impossible(reason);
}
