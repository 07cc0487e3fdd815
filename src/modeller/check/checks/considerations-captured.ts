import type { Pattern } from "../../../model/requirements.ts";
import { counted, listText } from "../../lint/words.ts";
import { type Check, Findings, notApplicable } from "../check.ts";
import { type CheckContext, patternName } from "../check-context.ts";

export const considerationsCaptured: Check = {
  id: "considerations-captured",
  title: "Where a pattern is not plain, it is said what was considered",
  run(context) {
    if (context.design === undefined) return notApplicable("There is no design yet.");
    const findings = new Findings();
    let unusual = 0;
    for (const pattern of context.served) {
      const reasons = reasonsOf(context, pattern);
      if (reasons.length === 0) continue;
      unusual += 1;
      if (isConsidered(context, pattern)) continue;
      findings.open(
        pattern.path,
        `${patternName(pattern)} ${listText(reasons)}: is that as it should be? (considerations, or a decision)`,
      );
    }
    if (unusual === 0) return notApplicable("All patterns are plain.");
    findings.saw(
      `Not plain requests by one key: ${unusual} of ${counted(context.served.length, "pattern")}.`,
    );
    return findings.outcome();
  },
};

/** What somebody who meets a plan for the first time would ask about. */
function reasonsOf(context: CheckContext, pattern: Pattern): readonly string[] {
  const reasons = new Set<string>();
  for (const request of context.plan(pattern).requests) {
    if (request.kind !== "read") continue;
    if (request.operation === "Scan") reasons.add(`scans ${request.table.name}`);
    if (request.sortsInClient && request.expected.returned > 1) {
      reasons.add("sorts its answer by itself");
    }
    for (const { why, count } of request.times) {
      if (why === "shards") reasons.add(`asks ${count} shards`);
      if (why === "periods") reasons.add(`asks ${count} tables`);
    }
  }
  return [...reasons];
}

function isConsidered(context: CheckContext, pattern: Pattern): boolean {
  if (pattern.considerations.length + pattern.requirements.length > 0) return true;
  const plan = context.plan(pattern);
  if (plan.stated) return true;
  return plan.requests.some(
    (request) =>
      request.kind === "read" &&
      (context.isDecided((request.index ?? request.table).path) ||
        context.isDecidedWithin((request.index ?? request.table).path)),
  );
}
