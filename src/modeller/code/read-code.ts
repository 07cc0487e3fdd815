import type { PlannedRequest, ReadRequest } from "../plans/plan.ts";
import { stepsOf } from "../requests/run-plan.ts";
import { getCode, togetherCode } from "./get-code.ts";
import { listCode } from "./list-code.ts";
import { arrangedCode, completedPart } from "./part-code.ts";
import type { ReadCode } from "./read-shared.ts";
import type { Scope } from "./scope.ts";

/** Carries out the reads of a plan up to its first write, and notes what they bring. */
export function readCodes(scope: Scope, requests: readonly PlannedRequest[]): readonly ReadCode[] {
  const codes: ReadCode[] = [];
  const all = requests.flatMap((one) => (one.kind === "read" ? [one] : []));
  for (const step of stepsOf(requests)) {
    const reads = step.flatMap((one) => (one.kind === "read" ? [one] : []));
    for (const code of stepCode(scope, reads, codes.length)) {
      const number = codes.length;
      codes.push(code);
      scope.brought.push(code.brought);
      const { completes = number } = code.brought.request;
      const isFetched = all[number + 1]?.completes !== undefined;
      // The next fetch reads by the rows as the first request found them.
      if (isFetched && completes !== number) continue;
      const completed = isFetched
        ? arrangedCode(scope, code, number)
        : completedPart(scope, codes.slice(completes), completes);
      codes[number] = completed;
      scope.brought[number] = completed.brought;
    }
  }
  return codes;
}

function stepCode(
  scope: Scope,
  reads: readonly ReadRequest[],
  number: number,
): readonly ReadCode[] {
  const [first] = reads;
  if (first === undefined) return [];
  if (first.operation === "TransactGetItems") return togetherCode(scope, reads, number);
  const isList = first.operation === "Query" || first.operation === "Scan";
  return [isList ? listCode(scope, first, number) : getCode(scope, first, number)];
}
