import { expect, test } from "vitest";
import type { AttributeValue } from "../../item/attribute-value.ts";
import { planFor } from "../plans/plan.test-support.ts";
import { runPlan } from "./run-plan.ts";

const tables = {
  Orders: '{ key: { PK: S }, entities: { Order: { key: { PK: "{orderId}" } } } }',
  Lines:
    '{ key: { PK: S, SK: N }, entities: { Line: { key: { PK: "{orderId}", SK: "{position}" } } } }',
};

async function sentFor(
  pattern: string,
  parameters: Readonly<Record<string, readonly AttributeValue[]>>,
): Promise<readonly object[]> {
  const sent: object[] = [];
  const given = {
    parameters: new Map(Object.entries(parameters)),
    items: () => [],
    writing: { now: 0, shard: () => 0 },
  };
  await runPlan(planFor(tables, pattern).plan, given, async (_, request) => {
    sent.push(request);
    return {};
  });
  return sent;
}

test("several items that share what is checked send the check once", async () => {
  const [request] = await sentFor(
    "transaction: [{ delete: Line, where: { orderId: equals, position: equals }, average: 2 }, { check: Order, where: { orderId: equals }, condition: exists }]",
    { orderId: [{ S: "a" }, { S: "a" }], position: [{ N: "1" }, { N: "2" }] },
  );
  const { TransactItems: members } = request as { readonly TransactItems: readonly object[] };
  expect(members.map((one) => Object.keys(one)[0])).toEqual(["Delete", "Delete", "ConditionCheck"]);
});

test("a value that a list has twice is in the condition once", async () => {
  const [request] = await sentFor(
    "delete: Order, where: { orderId: equals }, condition: { state: { one-of: $states } }",
    { orderId: [{ S: "a" }], states: [{ S: "open" }, { S: "open" }, { S: "sent" }] },
  );
  expect(request).toMatchObject({
    ConditionExpression: "#n0 IN (:v0, :v1)",
    ExpressionAttributeValues: { ":v0": { S: "open" }, ":v1": { S: "sent" } },
  });
});
