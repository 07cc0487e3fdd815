import type { Plan } from "../../src/modeller/plans/plan.ts";
import type { Answer } from "../../src/modeller/requests/run-plan.ts";
import type { EntityValues } from "../../src/modeller/values/render-key.ts";
import { entityValues, type Sent } from "./typescript.test-support.ts";

/** Compares what generated code sends and answers with what its plan sends and answers. */

/** What both have sent, without what only the proof asks for and what is drawn for each request. */
export function sequences(
  planned: Answer["sent"],
  sent: readonly Sent[],
  isSpread: boolean,
): readonly [readonly string[], readonly string[]] {
  const text = (operation: string, input: object): string => {
    const {
      ReturnConsumedCapacity: _,
      ClientRequestToken: __,
      ...rest
    } = input as Record<string, unknown>;
    // Of a list with one value both forms mean the same.
    return `${operation} ${canonical(rest)}`.replaceAll(/ IN \((:\w+)\)/g, " = $1");
  };
  const left = planned.map(({ operation, request }) => text(operation, request));
  const right = sent.map(({ operation, input }) => text(operation, input));
  return isSpread ? [left.toSorted(), right.toSorted()] : [left, right];
}

export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    typeof one === "object" && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}

/** Requests to several partitions are merged, so pages come in the order in which they are used up. */
export function isSpread(plan: Plan): boolean {
  return plan.requests.some(
    (request) =>
      request.kind === "read" && request.operation === "Query" && request.times.length > 0,
  );
}

/** The answer of a function as that of a plan. */
export function answerOf(plan: Plan, value: unknown): Pick<Answer, "items" | "together"> {
  const { pattern } = plan;
  if (pattern.transaction && pattern.actions.length > 1) {
    return { items: Object.values(value as object).flatMap(listed), together: new Map() };
  }
  if (pattern.together.length > 0) {
    const [own, ...others] = Object.values(value as object) as unknown[];
    return {
      items: listed(own),
      together: new Map(pattern.together.map(({ entity }, i) => [entity, listed(others[i])])),
    };
  }
  return { items: listed(isPage(value) ? value.items : value), together: new Map() };
}

/** Whether an answer is a page of a list, and no entity that has an attribute of the same name. */
function isPage(value: unknown): value is { readonly items: readonly unknown[] } {
  return (
    typeof value === "object" &&
    value !== null &&
    "items" in value &&
    Array.isArray(value.items) &&
    Object.keys(value).every((name) => name === "items" || name === "token")
  );
}

function listed(value: unknown): readonly EntityValues[] {
  const list = value === undefined ? [] : Array.isArray(value) ? value : [value];
  return list.map((one) => entityValues(one as object));
}
