import { pageBytesMax } from "../../../api/limits.ts";
import type { Pattern } from "../../../model/requirements.ts";
import { bytesText, counted, numberText } from "../../lint/words.ts";
import { structureName } from "../../plans/plan.ts";
import { type Check, Findings, notApplicable } from "../check.ts";
import { patternName } from "../check-context.ts";
import { isBlamed, withPrices } from "../reading.ts";

export const noScans: Check = {
  id: "no-scans",
  title: "No pattern reads a whole table or index for each request",
  run(context) {
    if (context.design === undefined) return notApplicable("There is no design yet.");
    const findings = new Findings();
    let small = 0;
    for (const pattern of context.served) {
      for (const { request, bytes, read } of context.run(pattern).requests) {
        if (request.kind !== "read" || request.operation !== "Scan") continue;
        const name = structureName(request.table, request.index);
        // One page is read by one call, whether by Query or by Scan.
        if (bytes <= pageBytesMax) {
          small += 1;
          findings.saw(
            `${patternName(pattern)} scans ${name}, which has only ${bytesText(bytes)}: ${numberText(read)} read units.`,
          );
          continue;
        }
        const verdict = context.readVerdict(pattern, request);
        const says = `${patternName(pattern)} scans ${name}: ${bytesText(bytes)} and ${numberText(read)} read units for each request.`;
        if (isBlamed(verdict) && !isEverything(pattern)) {
          findings.wrong(pattern.path, withPrices(says, verdict));
        } else if (isEverything(pattern) && !context.isDecided(pattern.path)) {
          findings.open(
            pattern.path,
            withPrices(
              `${says} Does it need all items? (limit, status: alternative, or a decision about it)`,
              verdict,
            ),
          );
        } else findings.saw(withPrices(says, verdict));
      }
    }
    const reading = context.served.filter((one) => context.reads(one).length > 0).length;
    if (small === 0) findings.saw(`${counted(reading, "pattern")} that read were looked at.`);
    return findings.outcome();
  },
};

/** Whether a pattern asks for all that there is: then no key makes it read less. */
function isEverything({ kind, actions }: Pattern): boolean {
  return (
    kind === "read" &&
    actions.every(({ where, limit }) => where.length === 0 && typeof limit !== "number")
  );
}
