import type {
  DesignDocument,
  KeyTexts,
  PlanStepDocument,
} from "../../src/model/document-design.ts";
import { Facts } from "../../src/modeller/facts.ts";
import type { Plan, PlannedRequest, ReadRequest } from "../../src/modeller/plans/plan.ts";
import { plansOf } from "../../src/modeller/plans/planner.ts";
import { tableStructure } from "../../src/modeller/plans/structures.ts";
import { type Draft, firstOf, type Transformation, withDesign } from "./design-draft.ts";

/** Writes the planner's own plan of a read into the document, as a person would state it. */

export interface Stated {
  readonly pattern: string;
  readonly steps: readonly PlanStepDocument[];
  readonly requests: readonly ReadRequest[];
}

/** Reads whose plan can be stated, with the steps. */
export function statablePlans({ model }: Draft): readonly Stated[] {
  return [...plansOf(Facts.of(model))].flatMap(([pattern, plan]) => {
    if (plan.stated || plan.problem !== undefined || !isStatable(plan)) return [];
    const requests = plan.requests.filter((one) => one.kind === "read");
    return [{ pattern, steps: requests.map(stepOf), requests }];
  });
}

/** Steps state requests one after the other: no other entities, no sorting and no joining by the caller. */
function isStatable({ pattern, requests }: Plan): boolean {
  if (pattern.kind !== "read" || pattern.transaction || pattern.together.length > 0) return false;
  const [first, ...others] = requests;
  if (first?.kind !== "read" || first.completes !== undefined) return false;
  if (
    first.table.periods !== undefined ||
    first.record.entity.name !== pattern.actions[0]?.entity
  ) {
    return false;
  }
  return [first, ...others].every(
    (one) =>
      one.kind === "read" &&
      !one.sortsInClient &&
      !one.merges &&
      one.remainder.links.length === 0 &&
      one.remainder.order.length === 0 &&
      (one === first || one.completes === 0),
  );
}

function stepOf(request: PlannedRequest & ReadRequest): PlanStepDocument {
  const { operation, table, index, record, forward, limit, completes } = request;
  const isRange = operation === "Query";
  return {
    operation,
    table: table.name,
    entity: record.entity.name,
    ...(index !== undefined && { index: index.name }),
    ...(completes !== undefined && { key: keyOf(request) }),
    ...(isRange && !forward && { order: "descending" as const }),
    ...(isRange && limit !== undefined && { limit }),
  };
}

function keyOf({ record }: ReadRequest): KeyTexts {
  const { partition, sort } = tableStructure(record);
  return Object.fromEntries(
    [...partition, ...sort].map(({ attribute, text }) => [attribute.name, text.text]),
  );
}

export function withSteps(
  { design }: Draft,
  pattern: string,
  steps: readonly PlanStepDocument[],
): DesignDocument {
  return { ...design, plans: { ...design.plans, [pattern]: { steps } } };
}

/** The steps are the requests that the planner derives, so nothing changes. */
export const statedPlan: Transformation = {
  name: "stated-plan",
  apply: (draft) =>
    firstOf(draft, statablePlans(draft), ({ pattern, steps }) => ({
      document: withDesign(draft, withSteps(draft, pattern, steps)),
      what: `the plan of ${pattern} is stated: ${steps.map(({ operation, index }) => `${operation} ${index ?? ""}`.trim()).join(", ")}`,
    })),
};
