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

export function askOf(pattern: Pattern, action: Action, via?: Index): Ask {
  return {
    part: Math.max(0, pattern.actions.indexOf(action)),
    childPart: pattern.actions.length,
    entity: action.entity,
    where: action.where,
    order: action.order,
    limit: typeof action.limit === "number" ? action.limit : undefined,
    returns: action.returns,
    consistent: pattern.consistency === "strong",
    known: new Map(),
    matches: pattern.matches,
    batch: pattern.batch?.value,
    transaction: pattern.transaction,
    via,
  };
}
