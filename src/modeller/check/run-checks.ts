import type { Check, CheckOutcome } from "./check.ts";
import type { CheckContext } from "./check-context.ts";
import { allChecks } from "./checks/index.ts";

export interface CheckedLine extends CheckOutcome {
  readonly id: string;
  readonly title: string;
}

/** Goes through the checklist. `checks` are those that there are, for tests. */
export function runChecks(
  context: CheckContext,
  checks: readonly Check[] = allChecks,
): readonly CheckedLine[] {
  return checks.map(({ id, title, run }) => ({ id, title, ...run(context) }));
}
