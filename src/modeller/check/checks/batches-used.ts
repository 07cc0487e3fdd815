import { batchGetKeysMax } from "../../../api/limits.ts";
import type { Pattern } from "../../../model/requirements.ts";
import { counted, numberText } from "../../lint/words.ts";
import { type Check, Findings, notApplicable } from "../check.ts";
import { type CheckContext, patternName } from "../check-context.ts";

export const batchesUsed: Check = {
  id: "batches-used",
  title: "Several items are read or written by one request where that is possible",
  run(context) {
    if (context.design === undefined) return notApplicable("There is no design yet.");
    const findings = new Findings();
    let batches = 0;
    for (const pattern of context.served) {
      for (const request of context.plan(pattern).requests) {
        if (request.operation.startsWith("Batch") || request.operation.startsWith("Transact")) {
          batches += 1;
        }
      }
    }
    oneByOne(context, findings);
    repeated(context, findings);
    if (batches === 0 && findings.outcome().points.length === 0) {
      return notApplicable("No pattern reads or writes several items by their keys.");
    }
    findings.saw(`${counted(batches, "request")} with several items: batches and transactions.`);
    return findings.outcome();
  },
};

/** A plan of the document that reads several items by as many requests. */
function oneByOne(context: CheckContext, findings: Findings): void {
  for (const [id, steps] of context.design?.plans ?? []) {
    const pattern = context.model.patterns.get(id);
    const requests = context.plans.get(id)?.requests ?? [];
    for (const [i, step] of steps.entries()) {
      const request = requests[i];
      if (pattern === undefined || request?.kind !== "read") continue;
      const { calls } = request.expected;
      if (step.operation !== "GetItem" || calls <= 1) continue;
      findings.wrong(
        step.path,
        `${patternName(pattern)} reads ${numberText(calls)} items by as many requests; BatchGetItem reads up to ${batchGetKeysMax} at once.`,
      );
    }
  }
}

/** A workflow that does the same several times in a row could do it once. */
function repeated(context: CheckContext, findings: Findings): void {
  for (const { name, path, steps } of context.model.workflows.values()) {
    let at = 0;
    while (at < steps.length) {
      let end = at + 1;
      while (steps[end] === steps[at]) end += 1;
      const pattern = context.model.patterns.get(steps[at] ?? "");
      if (end - at > 1 && pattern !== undefined && isBatchable(context, pattern)) {
        findings.wrong(
          [...path, "steps", at],
          `Workflow ${name} runs ${patternName(pattern).replace("P", "p")} ${end - at} times in a row; a batch does it in one request. (batch)`,
        );
      }
      at = end;
    }
  }
}

/** One item by its key, read or written without a condition. */
function isBatchable(context: CheckContext, pattern: Pattern): boolean {
  const [request, ...more] = context.plan(pattern).requests;
  if (request === undefined || more.length > 0) return false;
  if (request.kind === "read") return request.operation === "GetItem";
  return (
    (request.operation === "PutItem" || request.operation === "DeleteItem") &&
    request.actions.every(({ condition, also }) => condition === undefined && also.length === 0)
  );
}
