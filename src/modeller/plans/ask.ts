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
  /** All that is wanted has to come by one request: the answer has other things in it, too. */
  readonly whole?: boolean;
}

export function askOf(pattern: Pattern, action: Action): Ask {
  return {
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
  };
}
