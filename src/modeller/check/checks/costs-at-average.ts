import { sumOf } from "../../cost/bill.ts";
import { billOf } from "../../cost/estimate.ts";
import { sumOfLines } from "../../cost/load.ts";
import { months } from "../../cost/month.ts";
import { patternFacts, tableFacts } from "../../cost/table-facts.ts";
import { counted, moneyText, numberText, shareText } from "../../lint/words.ts";
import { defaultRegion, pricesOf } from "../../prices/book.ts";
import { type Check, Findings, notApplicable } from "../check.ts";
import { type CheckContext, patternName } from "../check-context.ts";

export const costsAtAverage: Check = {
  id: "costs-at-average",
  title: "Every pattern is priced at its average rate, and the peak stands beside it",
  run(context) {
    if (context.design === undefined) return notApplicable("There is no design yet.");
    const findings = new Findings();
    const { loads, missing } = context.loads;
    for (const { pattern: id, why } of missing) {
      const pattern = id === undefined ? undefined : context.model.patterns.get(id);
      if (pattern === undefined) findings.open(["design"], `Something has no price: ${why}.`);
      else findings.open(pattern.path, `${patternName(pattern)} has no price: ${why}.`);
    }
    const lines = loads.flatMap((load) => load.lines);
    const reads = sumOfLines(lines, (one) => one.reads);
    const writes = sumOfLines(lines, (one) => one.writes);
    const priced = new Set(lines.flatMap(({ pattern }) => pattern ?? []));
    findings.saw(
      `Priced: ${counted(priced.size, "pattern")} with ${numberText(reads.average)} read and ${numberText(writes.average)} write units per second on average, ${numberText(reads.peak)} and ${numberText(writes.peak)} at peak.`,
    );
    total(context, findings);
    return findings.outcome();
  },
};

/** The bill of a month, and the pattern that has most of it. */
function total(context: CheckContext, findings: Findings): void {
  const { model } = context;
  const region = model.overview.region ?? defaultRegion;
  const prices = pricesOf(region);
  if (prices === undefined) {
    findings.open(
      ["overview", "region"],
      `No prices of ${region} are known: which Region is near to it? (region)`,
    );
    return;
  }
  const input = {
    tables: tableFacts(model, context.loads.loads),
    patterns: patternFacts(model),
    prices,
    pricesOf,
    month: months["730h"],
  };
  const { lines } = billOf(input);
  const { average, peak } = sumOf(lines);
  findings.saw(
    `In ${region} that is ${moneyText(average)} a month; ${moneyText(peak)} if the peak never ended.`,
  );
  const byPattern = new Map<string, number>();
  for (const { pattern, dollars } of lines) {
    if (pattern === undefined) continue;
    byPattern.set(pattern, (byPattern.get(pattern) ?? 0) + dollars.average);
  }
  const [most] = [...byPattern].toSorted(([, a], [, b]) => b - a);
  const pattern = most && model.patterns.get(most[0]);
  if (most === undefined || pattern === undefined || average === 0) return;
  findings.saw(`${patternName(pattern)} has ${shareText(most[1] / average)} of it.`);
}
