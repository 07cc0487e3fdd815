import type { RunEstimate } from "../../units/estimate.ts";
import { readsPrice } from "../bills.ts";
import { patternText, readsIn, runsText, sourceText } from "../requests.ts";
import type { Rule } from "../rule.ts";
import { listText, numberText } from "../words.ts";

export const readBeforeWrite: Rule = {
  id: "read-before-write",
  severity: "hint",
  title: "A write has to read first, for a key or a number that it could have or need not know.",
  topic: "update-expressions",
  *check(context) {
    for (const { pattern, step, request, plan } of readsIn(context)) {
      // What it reads next follows from the first.
      if (pattern.kind !== "write" || step > 0) continue;
      const { read, assumptions } = context.estimate(pattern.id) as RunEstimate;
      yield {
        path: pattern.path,
        message: `${patternText(pattern)} reads ${sourceText(request)} before it writes.`,
        evidence: `${plan.notes[0] ?? "Its values are needed."} That takes ${numberText(read)} read units and a second round trip each time; ${runsText(pattern)}.`,
        price: readsPrice(context.prices, pattern, request.table, read, assumptions.length > 0),
        cure:
          request.operation === "GetItem"
            ? "Let the caller hand in the old values, with a condition that they still hold, or make the keys of indexes of less that changes."
            : "Let the caller hand in the whole key: it has read the item before, and its id can carry what the key is made of.",
      };
    }
    for (const pattern of context.served) {
      for (const action of pattern.actions) {
        const entity = context.model.entities.get(action.entity);
        const counters = action.changes.filter(
          ({ attribute, to }) =>
            to.kind === "parameter" && entity?.attributes.get(attribute)?.counter,
        );
        if (counters.length === 0) continue;
        const names = listText(counters.map(({ attribute }) => attribute));
        yield {
          path: [...action.path, "changes"],
          message: `${patternText(pattern)} sets ${names}, which is counted, to a value that somebody has read before.`,
          evidence: `Two writers that read the same number write the same one, and a count is lost; ${runsText(pattern)}.`,
          cure: `Add to ${names} (adds) instead of setting it: the update needs no read and loses nothing.`,
        };
      }
    }
  },
};
