import { countedBy, isSeenTo, keepsText, keptNumbers } from "../../kept-numbers.ts";
import type { Rule } from "../rule.ts";
import { listText } from "../words.ts";

export const numberNotKept: Rule = {
  id: "number-not-kept",
  severity: "warning",
  title: "A number is worked out from other items, and nothing in the design keeps it right.",
  topic: "stream-aggregates",
  *check({ model, served, tables }) {
    if (model.design === undefined) return;
    const aggregates = tables.flatMap((table) => table.aggregates);
    for (const number of keptNumbers(model)) {
      const { name, holder, attribute, keeps } = number;
      const writers = countedBy(served, number);
      const missing = writers.filter((one) => !isSeenTo(one, number));
      // Patterns that see to it themselves need nobody else.
      if (writers.length > 0 && missing.length === 0) continue;
      const kept = aggregates.filter(
        ({ into }) => into.entity === holder.name && into.attribute === attribute.name,
      );
      const right = kept.find(
        (one) =>
          one.of === keeps.of && one.what === keeps.what && one.attribute === keeps.attribute,
      );
      const ids = missing.map(({ id }) => id);
      if (right === undefined) {
        yield {
          path: attribute.path,
          message: `${name} is ${keepsText(keeps)}, and nothing keeps it.`,
          evidence:
            ids.length === 0
              ? `No pattern makes or takes away a ${keeps.of}, and no table has an aggregate for it.`
              : `${listText(ids)} ${ids.length === 1 ? "makes or takes" : "make or take"} away a ${keeps.of}${kept.length === 0 ? "" : "; what the design keeps there is something else"}.`,
          cure: `Add { of: ${keeps.of}, into: ${name}, by: … } to the aggregates of the table of ${keeps.of}; 'keywright design' says which way is the cheapest.`,
        };
      } else if (attribute.staleness === "refused" && right.by !== "transaction") {
        yield {
          path: right.path,
          severity: "error",
          message: `${name} must not be behind, and ${right.by === "stream" ? "a stream" : "a schedule"} keeps it.`,
          evidence: `staleness: refused; what ${ids.length === 0 ? "is written" : `${listText(ids)} ${ids.length === 1 ? "writes" : "write"}`} is counted some time later.`,
          cure: "Keep it by transaction, or say staleness: accepted.",
        };
      }
    }
  },
};
