import { ceilingOf, demandsOf, isOver } from "../capacity.ts";
import type { Rule } from "../rule.ts";
import { numberText, shareText } from "../words.ts";

export const indexUnderprovisioned: Rule = {
  id: "index-underprovisioned",
  severity: "error",
  title: "An index takes fewer writes than its table, and holds the table's writes back.",
  topic: "index-writes",
  *check(context) {
    for (const { load, name, path, write, maximum } of demandsOf(context)) {
      const ceiling = ceilingOf(load.billing, maximum, "write");
      if (load.index === undefined || ceiling === undefined || !isOver(write.peak, ceiling.units))
        continue;
      const share = 1 - ceiling.units / write.peak;
      yield {
        path,
        message: `${name} takes ${numberText(ceiling.units)} write units per second and needs ${numberText(write.peak)} at peak.`,
        evidence: `${numberText(write.average)} write units per second on average, ${numberText(write.peak)} at peak; ${ceiling.why} is ${numberText(ceiling.units)}. ${shareText(share)} of the writes of ${load.table} that touch it are then refused, though the table itself could take them.`,
        price: { kind: "throttled", share },
        cure: `Give the index ${numberText(Math.ceil(write.peak))} write units, or auto scaling up to that.`,
      };
    }
  },
};
