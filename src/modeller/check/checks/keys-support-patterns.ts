import { counted, listText, numberText, shareText } from "../../lint/words.ts";
import { structureName } from "../../plans/plan.ts";
import { type Check, Findings, notApplicable } from "../check.ts";
import { patternName } from "../check-context.ts";
import { peakOf } from "../rates.ts";
import { evaluatedBy, isWholeRead } from "../reading.ts";

/** So many items are sorted by a caller without anybody noticing. */
const sortedMax = 100;

export const keysSupportPatterns: Check = {
  id: "keys-support-patterns",
  title: "Keys and indexes give every read what it asks for, in the order that it wants",
  run(context) {
    const reads = context.served.filter((one) => context.reads(one).length > 0);
    if (reads.length === 0) return notApplicable("No pattern reads anything by the design.");
    const findings = new Findings();
    const rate = { table: 0, index: 0, none: 0 };
    for (const pattern of reads) {
      const requests = context.reads(pattern);
      const [first] = requests;
      const isScan = requests.some(({ operation }) => operation === "Scan");
      const peak = peakOf(pattern.rps);
      if (isScan) rate.none += peak;
      else if (first?.index === undefined) rate.table += peak;
      else rate.index += peak;
      for (const request of requests) {
        const { table, index, operation, sortsInClient, filter } = request;
        const name = structureName(table, index);
        const items = evaluatedBy([request]);
        if (operation === "Scan" && !isWholeRead(request)) {
          const asked = filter.map(({ attribute }) => attribute);
          findings.wrong(
            pattern.path,
            `${patternName(pattern)} asks for ${listText(asked)}, which no key of ${table.name} begins with.`,
          );
        } else if (sortsInClient && items > sortedMax) {
          findings.wrong(
            pattern.path,
            `${patternName(pattern)} gets ${numberText(items)} items of ${name} in another order than it wants, and has to sort them all.`,
          );
        }
      }
    }
    const total = rate.table + rate.index + rate.none;
    const part = (value: number): string => shareText(total === 0 ? 0 : value / total);
    findings.saw(
      `Of the peak rate of ${counted(reads.length, "pattern")} that read, ${part(rate.table)} is answered by keys of tables, ${part(rate.index)} by indexes and ${part(rate.none)} by no key.`,
    );
    return findings.outcome();
  },
};
