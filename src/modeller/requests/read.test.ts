import { expect, test } from "vitest";
import type { AttributeValue, Item } from "../../item/attribute-value.ts";
import { planFor } from "../plans/plan.test-support.ts";
import { runPlan } from "./run-plan.ts";

const tables = {
  Orders:
    '{ key: { PK: S, SK: S }, entities: { Order: { key: { PK: "{customerId}", SK: "{orderId}" } } } }',
};

function orderOf(orderId: string, state: string, gift: string): Item {
  return { PK: { S: "a" }, SK: { S: orderId }, state: { S: state }, gift: { S: gift } };
}

test("values of two lists outside the key belong together, although an expression compares each list by itself", async () => {
  const pattern =
    "read: Order, where: { customerId: equals, state: equals, gift: equals }, batch: 2";
  const parameters: Readonly<Record<string, readonly AttributeValue[]>> = {
    customerId: [{ S: "a" }],
    state: [{ S: "open" }, { S: "sent" }],
    gift: [{ S: "book" }, { S: "ball" }],
  };
  const stored = [
    orderOf("1", "open", "book"),
    orderOf("2", "open", "ball"),
    orderOf("3", "sent", "ball"),
  ];
  const given = {
    parameters: new Map(Object.entries(parameters)),
    items: () => [],
    writing: { now: 0, shard: () => 0 },
  };
  const { plan } = planFor(tables, pattern);
  const { items } = await runPlan(plan, given, async () => ({ Items: stored }));
  expect(items.map((one) => one.get("orderId"))).toEqual([{ S: "1" }, { S: "3" }]);
});
