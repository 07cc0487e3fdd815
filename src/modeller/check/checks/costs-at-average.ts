import { sumOfLines } from "../../cost/load.ts";
import { counted, numberText } from "../../lint/words.ts";
import { type Check, Findings, notApplicable } from "../check.ts";
import { patternName } from "../check-context.ts";

export const costsAtAverage: Check = {
  id: "costs-at-average",
  title: "Every pattern can be priced at its average rate",
  run(context) {
    if (context.design === undefined) return notApplicable("There is no design yet.");
    const findings = new Findings();
    const { loads, missing } = context.loads;
    for (const { pattern: id, why } of missing) {
      const pattern = id === undefined ? undefined : context.model.patterns.get(id);
      if (pattern === undefined) findings.open(["design"], `What is not priced: ${why}.`);
      else findings.open(pattern.path, `${patternName(pattern)} cannot be priced: ${why}.`);
    }
    const lines = loads.flatMap((load) => load.lines);
    const [reads, writes] = [
      sumOfLines(lines, (one) => one.reads),
      sumOfLines(lines, (one) => one.writes),
    ];
    const priced = new Set(lines.flatMap(({ pattern }) => pattern ?? []));
    findings.saw(
      `Priced: ${counted(priced.size, "pattern")} with ${numberText(reads.average)} read and ${numberText(writes.average)} write units per second on average, ${numberText(reads.peak)} and ${numberText(writes.peak)} at peak.`,
    );
    return findings.outcome();
  },
};
