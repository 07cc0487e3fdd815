import type { AttributeValue } from "../../item/attribute-value.ts";
import { equalValues } from "../../item/compare.ts";
import type { Action, Entity, Pattern } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import { linkOf } from "../plans/links.ts";
import type { Given } from "../requests/given.ts";
import type { EntityValues } from "../values/render-key.ts";
import { inOneCase } from "./folding.ts";
import { compareInOrder, isAskedFor } from "./meaning.ts";

/** All entities there are, as their attributes alone: nothing here knows of keys or tables. */
export type State = ReadonlyMap<string, readonly EntityValues[]>;

/** What a read has to answer. */
export interface Expected {
  /** All that fulfil the conditions, in order; ties are in no order. */
  readonly matches: readonly EntityValues[];
  readonly limit: number | undefined;
  /** The attributes that identify a match. */
  readonly id: readonly string[];
  /** For each child entity, what belongs to each of some parents. Where matches tie, the answer decides which they are. */
  readonly childrenOf: (
    parents: readonly EntityValues[],
  ) => ReadonlyMap<string, readonly Children[]>;
}

/** The children of one parent, in order; ties are in no order. */
export interface Children {
  readonly matches: readonly EntityValues[];
  readonly limit: number | undefined;
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
  if (action === undefined) {
    return { matches: [], limit: undefined, id: [], childrenOf: () => new Map() };
  }
  // The steps of a transaction are answered one by one, each with as many as it wants.
  const matches = pattern.transaction
    ? pattern.actions.flatMap((one) =>
        matching(facts, one, given, state, folded).slice(0, limitOf(one)),
      )
    : matching(facts, action, given, state, folded);
  const limit = pattern.transaction ? undefined : limitOf(action);
  const own = facts.model.entities.get(action.entity) as Entity;
  const childrenOf = (parents: readonly EntityValues[]): ReturnType<Expected["childrenOf"]> =>
    new Map(
      pattern.together.map((one) => {
        const other = facts.model.entities.get(one.entity) as Entity;
        const pairs = pairsOf(facts, own, other);
        const children = (state.get(one.entity) ?? [])
          .filter((values) => isAskedFor(other.attributes, one.where, given.parameters, values))
          .toSorted((a, b) => compareInOrder(one.order, a, b));
        const most = limitOf(one);
        return [
          one.entity,
          parents.map((parent) => ({
            matches: children.filter((values) =>
              pairs.every(([theirs, ours]) => same(values.get(theirs), parent.get(ours))),
            ),
            limit: most,
          })),
        ] as const;
      }),
    );
  return { matches, limit, id: own.id, childrenOf };
}

function limitOf({ limit }: Pick<Action, "limit">): number | undefined {
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
    .filter(({ seen }) => isAskedFor(entity.attributes, action.where, given.parameters, seen))
    .toSorted((a, b) => compareInOrder(action.order, a.seen, b.seen))
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
