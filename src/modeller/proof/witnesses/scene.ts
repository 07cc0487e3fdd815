import type { Predicate } from "../../../model/requirements.ts";
import type { EntityValues } from "../../values/render-key.ts";
import type { Parameters } from "../oracle/state.ts";
import type { Question, Wanted, WitnessContext } from "./context.ts";
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
}

/** A parent, if the question is about children, and one entity that meets the conditions but for those that fail. */
export function sceneFor(
  context: WitnessContext,
  question: Question,
  wanted: Wanted = {},
): Scene | undefined {
  const where = context.predicatesOf(question);
  if (!question.isChild) {
    const found = context.solve(question.entity, where, wanted);
    return found && { question, where, parent: undefined, links: new Map(), found };
  }
  const own = context.question(0);
  if (own === undefined || own.entity === question.entity) return undefined;
  const asked = context.predicatesOf(own);
  const links = context.linksTo(question.entity, own.entity);
  // What a child repeats of its parent, and has to be, the parent has to be.
  const inherited = where.flatMap((one): readonly Predicate[] => {
    const ours = links.get(one.attribute);
    return ours === undefined || wanted.fails?.has(one) ? [] : [{ ...one, attribute: ours }];
  });
  const parent =
    context.solve(own.entity, [...asked, ...inherited]) ?? context.solve(own.entity, asked);
  if (parent === undefined) return undefined;
  const fixed = new Map(
    [...links].flatMap(([theirs, ours]) => {
      const value = parent.values.get(ours);
      return value === undefined ? [] : [[theirs, value] as const];
    }),
  );
  const { parameters } = parent;
  const found = context.solve(question.entity, where, { ...wanted, fixed, parameters });
  return found && { question, where, parent, links: fixed, found };
}

export function witnessOf(
  context: WitnessContext,
  { question, parent, found }: Scene,
  entities: readonly EntityValues[],
  parameters: Parameters = found.parameters,
): ReadWitness {
  const lists = new Map([[question.entity.name, entities]]);
  const own = context.question(0);
  if (parent !== undefined && own !== undefined) lists.set(own.entity.name, [parent.values]);
  const state = context.stateWith(lists);
  const [first] = own === undefined ? [] : (state.get(own.entity.name) ?? []);
  const chosen = question.part === 0 ? found.values : (parent?.values ?? first);
  return { kind: "read", state, chosen: chosen ?? new Map(), parameters };
}

export function moreIn(
  context: WitnessContext,
  { question: { entity }, where, found, links }: Scene,
  count: number,
  spread: readonly string[] = [],
): readonly EntityValues[] {
  return context.moreLike(entity, where, found, count, { spread, fixed: links });
}

/** Why no entity misses a condition alone; nothing if that is not known. */
export function whyNeverFails(
  { entity }: Question,
  { attribute, operator, exists }: Predicate,
): string | undefined {
  const described = entity.attributes.get(attribute);
  const isAlways = described?.isOptional === false || entity.id.includes(attribute);
  if (operator === "exists" && exists && isAlways) {
    return `every ${entity.name} has ${attribute}, so the condition always holds`;
  }
  if (described?.values?.length === 1 && isAlways) {
    return `${attribute} of ${entity.name} has only one value`;
  }
  return undefined;
}

export function isFixed({ where, links }: Scene, names: readonly string[]): boolean {
  return names.every(
    (name) =>
      links.has(name) ||
      where.some(
        ({ attribute, operator, operands }) =>
          attribute === name && operator === "equals" && operands.length === 1,
      ),
  );
}

/** Why a question never finds two entities; nothing if it may. */
export function whyOneMatch(context: WitnessContext, scene: Scene): string | undefined {
  const { entity } = scene.question;
  if (context.job.plan.pattern.batch !== undefined) return undefined;
  if (isFixed(scene, entity.id)) {
    return `the conditions state the whole id of ${entity.name}, so there is one match at most`;
  }
  const unique = [...entity.attributes.values()].find(
    (one) => one.unique && isFixed(scene, [one.name]),
  );
  return unique && `${unique.name} of ${entity.name} is unique, so there is one match at most`;
}

export function orderOf({ question }: Pick<Scene, "question">): readonly string[] {
  return question.asked.order.map(({ attribute }) => attribute);
}

/** The witnesses; a reason if there are none. */
export function either(list: readonly ReadWitness[], [reason]: readonly string[]): Construction {
  return list.length === 0 && reason !== undefined ? impossible(reason) : witnesses(list);
}

export function addReason(reasons: string[], reason: string | undefined): void {
  if (reason !== undefined) reasons.push(reason);
}

/** Why nothing ever meets the conditions of a question; nothing if something may. */
export function whyNoMatch(context: WitnessContext, question: Question): string | undefined {
  const { entity } = question;
  for (const { attribute, operator, exists } of context.predicatesOf(question)) {
    const described = entity.attributes.get(attribute);
    const isAlways = described?.isOptional === false || entity.id.includes(attribute);
    if (operator === "exists" && !exists && isAlways) {
      return `no ${entity.name} meets the conditions: every one has ${attribute}`;
    }
  }
  return undefined;
}
