import { expect, test } from "vitest";
import { modelOf } from "../../model/model.test-support.ts";
import type { Pattern } from "../../model/requirements.ts";
import { withCopies } from "./copies.ts";

const text = (rename: string, staleness = "refused"): string => `keywright: 1
name: plans
entities:
  Plan:
    id: [planId]
    attributes:
      planId: { type: S, format: ulid }
      name: { type: S, bytes: 40 }
      seats: { type: N, digits: 4 }
  Seat:
    id: [planId, seatId]
    attributes:
      planId: { type: S, format: ulid }
      seatId: { type: S, format: ulid }
      planName: { type: S, bytes: 40, copyOf: Plan.name, staleness: ${staleness} }
      seats: { type: N, digits: 4, copyOf: Plan.seats, staleness: ${staleness} }
relations: [{ from: Plan, to: Seat, kind: one-to-many, max: 50 }]
patterns:
  rename: { name: Rename, ${rename}, rps: 1 }
`;

function carriedOut(rename: string, staleness?: string): Pattern {
  const model = modelOf(text(rename, staleness));
  return withCopies(model, model.patterns.get("rename") as Pattern);
}

test("what changes a source changes its copies", () => {
  const { transaction, actions } = carriedOut(
    "update: Plan, where: { planId: { equals: $plan } }, changes: { name: Free }, adds: { seats: 2 }",
  );
  expect(transaction).toBe(true);
  expect(actions[1]).toMatchObject({
    kind: "update",
    entity: "Seat",
    follows: true,
    where: [{ attribute: "planId", operands: [{ kind: "parameter", name: "plan" }] }],
    changes: [{ attribute: "planName", to: { kind: "constant", value: "Free" } }],
    adds: [{ attribute: "seats", amount: 2 }],
  });
});

test.each([
  [
    "a copy that may be behind",
    "update: Plan, where: { planId: equals }, changes: [name]",
    "accepted",
  ],
  [
    "what sees to it itself",
    "transaction: [{ update: Plan, where: { planId: equals }, changes: [name] }, { update: Seat, where: { planId: equals, seatId: equals }, changes: [planName] }]",
    "refused",
  ],
  ["somebody who reads", "read: Plan, where: { planId: equals }", "refused"],
])("nothing is added for %s", (_, rename, staleness) => {
  expect(carriedOut(rename, staleness).actions.some(({ follows }) => follows)).toBe(false);
});
