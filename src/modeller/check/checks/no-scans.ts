import { pageBytesMax } from "../../../api/limits.ts";
import { bytesText, counted, numberText } from "../../lint/words.ts";
import { structureName } from "../../plans/plan.ts";
import { type Check, Findings, notApplicable } from "../check.ts";
import { patternName } from "../check-context.ts";

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
        // What fits into one page is read by one call, whatever it is called.
        if (bytes <= pageBytesMax) {
          small += 1;
          findings.saw(
            `${patternName(pattern)} scans ${name}, which has only ${bytesText(bytes)}: ${numberText(read)} read units.`,
          );
        } else {
          findings.wrong(
            pattern.path,
            `${patternName(pattern)} scans ${name}: ${bytesText(bytes)} and ${numberText(read)} read units for each request.`,
          );
        }
      }
    }
    const reading = context.served.filter((one) => context.reads(one).length > 0).length;
    if (small === 0) findings.saw(`${counted(reading, "pattern")} that read were looked at.`);
    return findings.outcome();
  },
};
