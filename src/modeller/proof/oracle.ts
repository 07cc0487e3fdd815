import type { AttributeValue } from "../../item/attribute-value.ts";
import { equalValues } from "../../item/compare.ts";
import type { Action, Entity, Pattern } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import { linkOf } from "../plans/links.ts";
import { type Given, passes } from "../requests/given.ts";
import { compareBy } from "../requests/run-plan.ts";
import type { EntityValues } from "../values/render-key.ts";
import { inOneCase } from "./folding.ts";

/** All entities there are, as their attributes alone: nothing here knows of keys or tables. */
export type State = ReadonlyMap<string, readonly EntityValues[]>;

/** What a read has to answer. */
export interface Expected {
  /** All that fulfil the conditions, in order; ties are in no order. */
  readonly matches: readonly EntityValues[];
  readonly limit: number | undefined;
  readonly together: ReadonlyMap<string, readonly EntityValues[]>;
}

/** Looks at every entity, one by one. */
export function expectedOf(
  facts: Facts,
  pattern: Pattern,
  given: Given,
  state: State,
  folded: ReadonlySet<string> = new Set(),
): Expected {
  const [action] = pattern.actions;
  if (action === undefined) return { matches: [], limit: undefined, together: new Map() };
  // The steps of a transaction are answered one by one, each with as many as it wants.
  const matches = pattern.transaction
    ? pattern.actions.flatMap((one) =>
        matching(facts, one, given, state, folded).slice(0, limitOf(one)),
      )
    : matching(facts, action, given, state, folded);
  const limit = pattern.transaction ? undefined : limitOf(action);
  const shown = limit === undefined ? matches : matches.slice(0, limit);
  const own = facts.model.entities.get(action.entity) as Entity;
  const together = new Map(
    pattern.together.map((one) => {
      const other = facts.model.entities.get(one.entity) as Entity;
      const pairs = pairsOf(facts, own, other);
      const related = (state.get(one.entity) ?? []).filter(
        (values) =>
          passes(given, other.attributes, one.where, values) &&
          shown.some((main) =>
            pairs.every(([theirs, ours]) => same(values.get(theirs), main.get(ours))),
          ),
      );
      const sorted = related.toSorted((a, b) => compareBy(one.order, a, b));
      const most =
        typeof one.limit === "number" ? one.limit * Math.max(1, shown.length) : sorted.length;
      return [one.entity, sorted.slice(0, most)] as const;
    }),
  );
  return { matches, limit, together };
}

function limitOf({ limit }: Action): number | undefined {
  return typeof limit === "number" ? limit : undefined;
}

function matching(
  facts: Facts,
  action: Action,
  given: Given,
  state: State,
  folded: ReadonlySet<string>,
): readonly EntityValues[] {
  const entity = facts.model.entities.get(action.entity) as Entity;
  return (state.get(action.entity) ?? [])
    .map((values) => ({ values, seen: inOneCase(values, folded) }))
    .filter(({ seen }) => passes(given, entity.attributes, action.where, seen))
    .toSorted((a, b) => compareBy(action.order, a.seen, b.seen))
    .map(({ values }) => values);
}

/** Attributes of two entities that are equal if they belong together. */
function pairsOf(facts: Facts, own: Entity, other: Entity): readonly (readonly [string, string])[] {
  return [...linkOf(facts, own, other, [], new Map(), 0)].flatMap(([theirs, binding]) =>
    binding.kind === "result" ? [[theirs, binding.attribute] as const] : [],
  );
}

function same(a: AttributeValue | undefined, b: AttributeValue | undefined): boolean {
  return a !== undefined && b !== undefined && equalValues(a, b);
}
