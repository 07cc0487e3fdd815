import { expect, test } from "vitest";
import type { Weights } from "../../src/modeller/designer/weighing.ts";
import { costModel } from "../../src/workbench/model-cost.ts";
import { designModel, isFailing, modelDesignOutput } from "../../src/workbench/model-design.ts";

const now = Date.UTC(2026, 0, 15, 12);
const timeout = 240_000;
const none: Weights = { index: 0, roundTrip: 0, table: 0 };

/** Few orders are open or held, and each of the two is asked for by itself. */
const orders = (count: number, rate: number): string => `keywright: 1
name: orders
entities:
  Order:
    id: [orderId]
    count: ${count}
    attributes:
      orderId: { type: S, format: ulid }
      createdAt: { type: S, format: iso-time, mutable: false }
      status: { type: S, values: { open: 0.04, held: 0.01, done: 0.95 } }
      note: { type: S, bytes: 600 }
patterns:
  open: { name: Open, read: Order, where: { status: { equals: open } }, order: { createdAt: ascending }, limit: 20, rps: ${rate} }
  held: { name: Held, read: Order, where: { status: { equals: held } }, order: { createdAt: ascending }, limit: 20, rps: ${rate} }
  one: { name: One, read: Order, where: { orderId: equals }, rps: ${rate} }
  place: { name: Place, create: Order, condition: absent, rps: ${rate / 2} }
  go: { name: Go on, update: Order, where: { orderId: equals }, changes: [status], rps: ${rate / 2} }
`;

async function designed(text: string, weights?: Weights) {
  const design = await designModel(text, "orders.yaml", { now, ...(weights && { weights }) });
  expect(design.refused).toEqual([]);
  expect(isFailing(design)).toBe(false);
  const { report } = costModel(design.text ?? "", "orders.yaml");
  const total = design.designed?.total ?? Number.NaN;
  expect(report?.total.average).toBeCloseTo(total, 2);
  const tables = design.designed?.design.tables ?? {};
  const indexes = Object.values(tables).flatMap((one) => Object.entries(one.indexes ?? {}));
  return { total, tables, indexes, said: modelDesignOutput(design, "text") };
}

test("an index weight makes one sparse index of two, and the price is that of the bill", {
  timeout,
}, async () => {
  const free = await designed(orders(500_000_000, 30));
  expect(free.indexes.map(([name]) => name).toSorted()).toEqual([
    "HeldOrdersByCreatedAt",
    "OpenOrdersByCreatedAt",
  ]);
  expect((await designed(orders(500_000_000, 30), none)).tables).toEqual(free.tables);
  const weighed = await designed(orders(500_000_000, 30), { ...none, index: 5 });
  expect(weighed.indexes).toMatchObject([
    [
      "OpenOrHeldOrdersByCreatedAt",
      {
        key: { partition: "openOrHeldOrder", sort: "createdAt" },
        sets: { Order: { openOrHeldOrder: "{status}" } },
        only: { Order: { status: { "one-of": ["open", "held"] } } },
      },
    ],
  ]);
  expect(weighed.total).toBeGreaterThan(free.total + 0.005);
  expect(weighed.total).toBeLessThan(free.total + 5);
  expect(weighed.said).toContain("is better with $5 for each index.");
  expect(weighed.said).toMatch(/\$\d+\.\d\d less: without it: Order .*open/);
});

test("where there is no difference in price, two sparse indexes are one without a weight", {
  timeout,
}, async () => {
  const { indexes } = await designed(orders(100_000, 0.3));
  expect(indexes.map(([name]) => name)).toEqual(["OpenOrHeldOrdersByCreatedAt"]);
});

/** A page is almost 1 KB, so what its key would need to lie with its book makes it dearer to write. */
const notes = `keywright: 1
name: notes
entities:
  Book:
    id: [bookId]
    count: 100_000
    attributes: { bookId: { type: S, format: ulid }, title: { type: S, bytes: 500 } }
  Page:
    id: [bookId, pageId]
    count: 200_000
    attributes: { bookId: { type: S, format: ulid }, pageId: { type: S, format: ulid }, text: { type: S, bytes: 940 } }
relations:
  - { from: Book, to: Page, kind: one-to-many, average: 2, max: 50, identifying: true }
patterns:
  book: { name: A book, read: Book, where: { bookId: equals }, rps: 50 }
  all: { name: A book with its pages, read: Book, where: { bookId: equals }, together: [{ entity: Page, limit: all }], rps: 5 }
  page: { name: A page, read: Page, where: { bookId: equals, pageId: equals }, rps: 5 }
  write: { name: Write, create: Page, rps: 10 }
`;

test("tables and round trips can be weighed, too", { timeout }, async () => {
  const free = await designed(notes);
  const trips = await designed(notes, { ...none, roundTrip: 10 });
  const tables = await designed(notes, { ...none, table: 50 });
  expect(Object.keys(free.tables)).toEqual(["Books", "Pages"]);
  expect(Object.keys(trips.tables)).toEqual(["Books"]);
  expect(Object.keys(tables.tables)).toEqual(["Books"]);
  expect(trips.total).toBeGreaterThan(free.total);
});
