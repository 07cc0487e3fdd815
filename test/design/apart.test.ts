import { expect, test } from "vitest";
import { costModel } from "../../src/workbench/model-cost.ts";
import { designModel, isFailing } from "../../src/workbench/model-design.ts";

const now = Date.UTC(2026, 0, 15, 12);
const timeout = 120_000;

/** Orders and their lines are read together; whose lines they were is asked of the lines alone. */
const shop = (orderAttributes: string): string => `keywright: 1
name: shop
entities:
  Order:
    id: [orderId]
    count: 1_000_000
    attributes: { orderId: { type: S, format: ulid }, ${orderAttributes}state: { type: S, values: [new, paid, done] } }
  Line:
    id: [orderId, sku]
    count: 2_000_000
    attributes:
      orderId: { type: S, format: ulid }
      sku: { type: S, bytes: 10 }
      customerId: { type: S, format: ulid, distinct: 100_000, mutable: false }
      orderedAt: { type: S, format: iso-time, mutable: false }
relations:
  - { from: Order, to: Line, kind: one-to-many, average: 2, max: 50, identifying: true }
patterns:
  order: { name: An order, read: Order, where: { orderId: equals }, together: [{ entity: Line, limit: all }], rps: 300 }
  bought:
    name: What a customer bought
    read: Line
    where: { customerId: equals, orderedAt: between }
    order: { orderedAt: ascending }
    limit: 20
    rps: 50
  place: { name: Place, transaction: [{ create: Order }, { create: Line, average: 2 }], rps: 10 }
  pay: { name: Pay, update: Order, where: { orderId: equals }, changes: [state], rps: 10 }
`;

async function indexesOf(text: string) {
  const design = await designModel(text, "shop.yaml", { now });
  expect(design.refused).toEqual([]);
  expect(isFailing(design)).toBe(false);
  const { report } = costModel(design.text ?? "", "shop.yaml");
  expect(report?.total.average).toBeCloseTo(design.designed?.total ?? 0, 2);
  const { tables } = design.designed?.design ?? { tables: {} };
  expect(Object.keys(tables)).toEqual(["Orders"]);
  return tables.Orders?.indexes;
}

test("what would be in an index by chance is kept out by a mark", { timeout }, async () => {
  const both =
    "customerId: { type: S, format: ulid, distinct: 100_000, mutable: false }, orderedAt: { type: S, format: iso-time, mutable: false }, ";
  const indexes = await indexesOf(shop(both));
  expect(indexes).toMatchObject({
    LinesByCustomer: {
      key: { partition: ["customerId", "allLine"], sort: "orderedAt" },
      sets: { Line: { allLine: "1" } },
    },
  });
});

test("where nothing else would be in the index, there is no mark", { timeout }, async () => {
  const indexes = await indexesOf(shop(""));
  expect(indexes).toMatchObject({
    LinesByCustomer: { key: { partition: "customerId", sort: "orderedAt" } },
  });
  expect(indexes?.LinesByCustomer?.sets).toBeUndefined();
});
