import { ceilingOf, demandsOf, isOver } from "../capacity.ts";
import type { Rule } from "../rule.ts";
import { numberText, shareText } from "../words.ts";

export const peakAboveCapacity: Rule = {
  id: "peak-above-capacity",
  severity: "error",
  title: "At peak a table or index is asked for more units than it may take.",
  topic: "provisioned-and-auto-scaling",
  *check(context) {
    for (const { load, name, path, maximum, ...demand } of demandsOf(context)) {
      for (const kind of ["read", "write"] as const) {
        // Writes that an index cannot take are those of its table; another rule speaks of them.
        if (kind === "write" && load.index !== undefined) continue;
        const ceiling = ceilingOf(load.billing, maximum, kind);
        const { average, peak } = demand[kind];
        if (ceiling === undefined || !isOver(peak, ceiling.units)) continue;
        const share = 1 - ceiling.units / peak;
        yield {
          path,
          severity: average > ceiling.units ? "error" : "warning",
          message: `${name} is asked for ${numberText(peak)} ${kind} units per second at peak and takes ${numberText(ceiling.units)}.`,
          evidence: `${numberText(average)} ${kind} units per second on average, ${numberText(peak)} if all patterns are at their peaks; ${ceiling.why} is ${numberText(ceiling.units)}, so ${shareText(share)} are throttled after five minutes of burst.`,
          price: { kind: "throttled", share },
          cure: `Raise it to ${numberText(Math.ceil(peak))} ${kind} units, or let the table be on-demand without a maximum.`,
        };
      }
    }
  },
};
