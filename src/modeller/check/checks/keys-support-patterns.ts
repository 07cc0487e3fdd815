import { pageBytesMax } from "../../../api/limits.ts";
import type { Pattern } from "../../../model/requirements.ts";
import { counted, listText, numberText, shareText } from "../../lint/words.ts";
import { type ReadRequest, structureName } from "../../plans/plan.ts";
import { type Check, Findings, notApplicable } from "../check.ts";
import { type CheckContext, patternName } from "../check-context.ts";
import { peakOf } from "../rates.ts";
import { evaluatedBy, isBlamed, isWholeRead, withPrices } from "../reading.ts";

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
          const asked = listText(filter.map(({ attribute }) => attribute));
          judgeScan(context, findings, pattern, request, asked);
        } else if (sortsInClient && items > sortedMax) {
          const verdict = context.readVerdict(pattern, request);
          const says = `${patternName(pattern)} gets ${numberText(items)} items of ${name} in another order than it wants, and has to sort them all.`;
          if (isBlamed(verdict)) findings.wrong(pattern.path, withPrices(says, verdict));
          else findings.saw(withPrices(says, verdict));
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

/** A Scan is wrong only if an index would be better; if no key can answer, only the user can decide. */
function judgeScan(
  context: CheckContext,
  findings: Findings,
  pattern: Pattern,
  request: ReadRequest,
  asked: string,
): void {
  const verdict = context.readVerdict(pattern, request);
  const { table } = request;
  if (isBlamed(verdict)) {
    const says = `${patternName(pattern)} asks for ${asked}, which no key of ${table.name} begins with.`;
    findings.wrong(pattern.path, withPrices(says, verdict));
    return;
  }
  const says = `${patternName(pattern)} asks for ${asked} by a Scan of ${table.name}`;
  const bytes = context.run(pattern).requests.find((one) => one.request === request)?.bytes ?? 0;
  const isLarge = bytes > pageBytesMax || request.limit !== undefined;
  const isGuess = context.facts.share(request.record.entity, request.filter).assumed;
  if (!isLarge || context.isDecided(pattern.path)) findings.saw(withPrices(`${says}.`, verdict));
  else if (verdict?.kind === "cheapest") {
    if (!isGuess || pattern.matches !== undefined) findings.saw(withPrices(`${says}.`, verdict));
    else {
      findings.open(
        pattern.path,
        withPrices(
          `${says}, and how many items match is assumed. How many do? (matches, or distinct of ${asked})`,
          verdict,
        ),
      );
    }
  } else if (pattern.consistency === "strong") {
    findings.open(
      pattern.path,
      withPrices(
        `${says}, as GSIs refuse strongly consistent reads. May the answer be eventually consistent? (consistency)`,
        verdict,
      ),
    );
  } else {
    findings.open(
      pattern.path,
      withPrices(
        `${says}. Does another service answer it, or is the Scan accepted? (status: alternative, or a decision about it)`,
        verdict,
      ),
    );
  }
}
