import type { Index } from "../../model/design.ts";
import type { Action, Order, Pattern, Predicate } from "../../model/requirements.ts";
import type { Bindings } from "./plan.ts";

/** What is asked of one entity, by a pattern or by what a pattern needs on its way. */
export interface Ask {
  readonly entity: string;
  readonly where: readonly Predicate[];
  readonly order: readonly Order[];
  /** Items that are wanted; all if nothing is said. */
  readonly limit: number | undefined;
  readonly returns: readonly string[];
  readonly consistent: boolean;
  /** Values that are known besides the conditions. */
  readonly known: Bindings;
  /** How many there are for one request, if that was said. */
  readonly matches: { readonly value: number; readonly assumed: boolean } | undefined;
  /** How many keys one request names. */
  readonly batch: number | undefined;
  readonly transaction: boolean;
  /** The question of the pattern: the place in its actions, followed by its `together`. */
  readonly part: number;
  /** The part of the first child entity (`together`). */
  readonly childPart: number;
  /** The only index that may be read, for entities that are in it; undefined if all access paths may be taken. */
  readonly via: Index | undefined;
}

/** A question of which nothing is said but this. */
export function askFor(entity: string, asked: Partial<Ask>): Ask {
  return {
    entity,
    where: [],
    order: [],
    limit: undefined,
    returns: [],
    consistent: false,
    known: new Map(),
    matches: undefined,
    batch: undefined,
    transaction: false,
    part: 0,
    childPart: 1,
    via: undefined,
    ...asked,
  };
}

export function askOf(pattern: Pattern, action: Action, via?: Index): Ask {
  const { actions, consistency, matches, batch, transaction } = pattern;
  const { entity, where, order, returns } = action;
  return askFor(entity, {
    part: Math.max(0, actions.indexOf(action)),
    childPart: actions.length,
    where,
    order,
    limit: limitOf(action),
    returns,
    consistent: consistency === "strong",
    matches,
    batch: batch?.value,
    transaction,
    via,
  });
}

/** The most items that are wanted, if a number is stated. */
export function limitOf({ limit }: Pick<Action, "limit">): number | undefined {
  return typeof limit === "number" ? limit : undefined;
}
