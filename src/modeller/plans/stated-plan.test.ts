import { expect, test } from "vitest";
import { planFor, planLines } from "./plan.test-support.ts";

const tables = {
  Orders:
    '{ key: { pk: S, sk: S }, entities: { Order: { key: { pk: "ORDER#{orderId}", sk: ORDER }, split: [ { name: more, key: { pk: "ORDER#{orderId}", sk: MORE }, attributes: [text] } ] } } }',
};
const byId = "read: Order, where: { orderId: equals }";

function steps(...keys: readonly string[]): string {
  const lines = keys.map((key) => `        - { operation: GetItem, table: Orders, key: ${key} }`);
  return `  plans:\n    p:\n      steps:\n${lines.join("\n")}\n`;
}

test("fetches a part by a key that the pattern gives, and completes the rows of the step before", () => {
  const own = '{ pk: "ORDER#{orderId}", sk: ORDER }';
  const more = '{ pk: "ORDER#{orderId}", sk: MORE }';
  expect(planLines(tables, byId, steps(own, more)).slice(0, 2)).toEqual([
    "GetItem Orders pk = ORDER#{orderId} and sk = ORDER",
    "GetItem Orders pk = ORDER#{orderId} and sk = MORE",
  ]);
  const [, second] = planFor(tables, byId, steps(own, more)).plan.requests;
  expect(second?.kind === "read" && second.completes).toBe(0);
});

test("refuses a step whose key no item has", () => {
  const { plan } = planFor(tables, byId, steps('{ pk: "O#{orderId}", sk: ORDER }'));
  expect(plan.requests).toEqual([]);
  expect(plan.problem).toBe("Order has no pk that is made of 'O#{orderId}'");
});
