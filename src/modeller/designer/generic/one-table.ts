import type { DecisionDocument } from "../../../model/document-design.ts";
import type { Designed } from "../designer.ts";
import { withPurposes } from "../emit.ts";
import { type Generic, genericOf, type Natural, type Price } from "./generic.ts";

/** A design that was chosen, in one table as far as that can be. */
export function inOneTable(designed: Designed, natural: Natural, price: Price): Designed {
  const found = genericOf(natural, price);
  const { style, ...rest } = withPurposes(found.design, natural.model, found.bill);
  const decisions = decisionsMoved(designed.design.decisions ?? [], found);
  return {
    ...designed,
    design: { ...(style && { style }), decisions, ...rest },
    total: found.bill.total,
    natural: designed.total,
  };
}

/** Decisions about the natural design, about where its parts are now. */
function decisionsMoved(
  all: readonly DecisionDocument[],
  { decisions, moved }: Generic,
): readonly DecisionDocument[] {
  const rest = all.map((one): DecisionDocument => {
    const now = moved.get(one.about);
    if (now === undefined) return one;
    const index = one.about.split(".indexes.")[1];
    const chosen = index === undefined ? one.chosen : `${index}: ${one.chosen}`;
    return { ...one, about: now, chosen };
  });
  return [...decisions, ...rest];
}
