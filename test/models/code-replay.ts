import { ServiceError } from "../../src/api/errors/service-error.ts";
import type { Plan } from "../../src/modeller/plans/plan.ts";
import type { Given } from "../../src/modeller/requests/given.ts";
import type { Run } from "../../src/modeller/requests/run.ts";
import { type Answer, runPlan } from "../../src/modeller/requests/run-plan.ts";
import type { EntityValues } from "../../src/modeller/values/render-key.ts";
import { canonical } from "../generate/typescript-answers.test-support.ts";
import { requestText } from "./request-text.ts";

/**
 * Compares generated code with its plan, call by call: the plan runs on the recorded answers of the requests that the code has sent.
 * So both see the same data, nothing is written twice, and calls that run at the same time are compared, too.
 */

/** A request of the code, and what the engine did with it. */
export interface Exchange {
  readonly operation: string;
  readonly request: object;
  readonly result:
    | { readonly kind: "answer"; readonly answer: object }
    | { readonly kind: "error"; readonly error: unknown };
}

/** How a call ended: with an answer; refused by the engine or, before any write, by the code; or with another error. */
export type Ending =
  | { readonly kind: "answer"; readonly answer: Pick<Answer, "items" | "together"> }
  | { readonly kind: "refused" }
  | { readonly kind: "error"; readonly message: string };

/** The plan has sent a request that the code has not sent. */
class OtherRequest extends Error {}

export interface Comparison {
  /** The differences between a call of the code and the plan; none if both are the same. */
  readonly lines: readonly string[];
  /** What the plan answered to the same requests. */
  readonly planned: Ending;
}

export async function comparedWithPlan(
  plan: Plan,
  given: Given,
  periods: Run["periods"],
  exchanges: readonly Exchange[],
  ending: Ending,
): Promise<Comparison> {
  const open = exchanges.map((one) => ({ ...one, text: requestText(one.operation, one.request) }));
  const lines: string[] = [];
  let failure: unknown;
  const execute = async (operation: string, request: object): Promise<object> => {
    const text = requestText(operation, request);
    const place = open.findIndex((one) => one.text === text);
    if (place < 0) {
      lines.push(`- ${text}`);
      throw new OtherRequest();
    }
    // Only requests to several partitions may come in another order: which page is used up first is up to the caller.
    if (place > 0 && !isList(operation)) lines.push(`- ${text} (sent later)`);
    const [exchange] = open.splice(place, 1);
    if (exchange?.result.kind === "answer") return exchange.result.answer;
    failure = exchange?.result.error;
    throw failure;
  };
  const planned = await runPlan(plan, given, execute, periods).then(
    (answer): Ending => ({ kind: "answer", answer }),
    (error: unknown): Ending =>
      error === failure && error instanceof ServiceError
        ? { kind: "refused" }
        : { kind: "error", message: String(error) },
  );
  lines.push(...open.map(({ text }) => `+ ${text}`));
  if (lines.length === 0 && !endsAlike(plan, planned, ending, exchanges)) {
    lines.push(`- ${endingText(plan, planned)}`, `+ ${endingText(plan, ending)}`);
  }
  return { lines, planned };
}

function isList(operation: string): boolean {
  return operation === "Query" || operation === "Scan";
}

/** A plan that finds nothing to change sends nothing; the code refuses. A deletion is then done for both. */
function endsAlike(
  plan: Plan,
  planned: Ending,
  ending: Ending,
  exchanges: readonly Exchange[],
): boolean {
  if (planned.kind === "answer" && ending.kind === "answer") {
    return plan.pattern.kind === "write" || endingText(plan, planned) === endingText(plan, ending);
  }
  if (planned.kind === "error" || ending.kind === "error") {
    return endingText(plan, planned) === endingText(plan, ending);
  }
  if (planned.kind === ending.kind) return true;
  const hasWritten = exchanges.some(({ operation }) => isWrite(operation));
  return ending.kind === "refused" && !hasWritten && planned.kind === "answer";
}

export function isWrite(operation: string): boolean {
  return /^(Put|Update|Delete|BatchWrite|TransactWrite)/.test(operation);
}

/** Only the attributes that the pattern returns are compared: the caller of a plan takes them from what it found. */
function endingText({ pattern }: Plan, ending: Ending): string {
  if (ending.kind === "refused") return "refused";
  if (ending.kind === "error") return `error: ${ending.message}`;
  const { items, together } = ending.answer;
  const [action, second] = pattern.actions;
  const others = pattern.together.map(({ entity, returns }) => [
    entity,
    objectsOf(together.get(entity) ?? [], returns),
  ]);
  const returned = second === undefined ? action?.returns : undefined;
  return `answer: ${canonical([objectsOf(items, returned), others])}`;
}

function objectsOf(
  items: readonly EntityValues[],
  returned: readonly string[] | undefined,
): readonly object[] {
  return items.map((one) =>
    Object.fromEntries([...one].filter(([name]) => returned?.includes(name) ?? true)),
  );
}
