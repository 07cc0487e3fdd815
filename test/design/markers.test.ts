import { expect, test } from "vitest";
import { costModel } from "../../src/workbench/model-cost.ts";
import { designModel, isFailing } from "../../src/workbench/model-design.ts";

const now = Date.UTC(2026, 0, 15, 12);

interface Asked {
  readonly list: string;
  readonly peak?: number;
  readonly rps?: number;
  readonly note?: number;
  readonly more?: string;
}

const orders = ({ list, peak = 15, rps = 3, note = 600, more = "" }: Asked): string => `keywright: 1
name: orders
entities:
  Order:
    id: [orderId]
    count: 5_000_000
    attributes:
      orderId: { type: S, format: ulid }
      createdAt: { type: S, format: iso-time, mutable: false }
      status: { type: S, values: { open: 0.02, paid: 0.03, shipped: 0.95 } }
      note: { type: S, bytes: ${note} }
patterns:
  list: { name: List, read: Order, ${list}, rps: ${rps} }
  place: { name: Place, create: Order, condition: absent, rps: { average: 15, peak: ${peak} } }
  ship: { name: Ship, update: Order, where: { orderId: equals }, changes: [status], rps: 15 }
${more}`;

const newest = "order: { createdAt: descending }, limit: 20, returns: [orderId, createdAt]";

async function designed(asked: Asked) {
  const design = await designModel(orders(asked), "orders.yaml", { now });
  expect(design.refused).toEqual([]);
  expect(isFailing(design)).toBe(false);
  const { report } = costModel(design.text ?? "", "orders.yaml");
  expect(report?.total.average).toBeCloseTo(design.designed?.total ?? 0, 2);
  const decision = design.designed?.design.decisions?.find(({ about }) => about.includes("index"));
  const saved =
    decision?.rejected?.find(({ what }) => what.startsWith("without it"))?.perMonth ?? 0;
  return { indexes: design.designed?.design.tables.Orders?.indexes, saved };
}

test("few that are asked for by a constant are in an index of their own", {
  timeout: 120_000,
}, async () => {
  const { indexes, saved } = await designed({
    list: `where: { status: { equals: open } }, ${newest}`,
  });
  expect(indexes).toMatchObject({
    OpenOrdersByCreatedAt: {
      key: { partition: "openOrder", sort: "createdAt" },
      projection: "keys",
      sets: { Order: { openOrder: "1" } },
      only: { Order: { status: { equals: "open" } } },
    },
  });
  expect(saved).toBeGreaterThan(1);
});

test("where any value can be asked for, all are in the index", { timeout: 120_000 }, async () => {
  const { indexes } = await designed({ list: `where: { status: equals }, ${newest}` });
  expect(indexes).toMatchObject({
    OrdersByStatus: { key: { partition: "status", sort: "createdAt" } },
  });
  expect(indexes?.OrdersByStatus?.only).toBeUndefined();
});

test("a page of all in an order is read from one key", { timeout: 120_000 }, async () => {
  const { indexes, saved } = await designed({ list: newest });
  expect(indexes).toMatchObject({
    AllOrdersByCreatedAt: {
      key: { partition: "allOrder", sort: "createdAt" },
      sets: { Order: { allOrder: "1" } },
    },
  });
  expect(saved).toBeGreaterThan(1_000);
});

test("who reads all of them anyway gets no such key", { timeout: 120_000 }, async () => {
  const { indexes = {} } = await designed({ list: "returns: [orderId, createdAt]", rps: 0.001 });
  expect(Object.values(indexes).map(({ sets }) => sets)).toEqual(
    Object.keys(indexes).map(() => undefined),
  );
});

test("one key for all is spread if the peak needs it", { timeout: 120_000 }, async () => {
  const { indexes } = await designed({ list: newest, peak: 4_445 });
  expect(indexes?.AllOrdersByCreatedAt).toMatchObject({
    key: { partition: ["allOrder", "allOrderShard"], sort: "createdAt" },
    sets: { Order: { allOrder: "1", allOrderShard: "{shard:5:orderId}" } },
  });
});

test("two marks on items that are almost 1 KB are priced to the cent", {
  timeout: 120_000,
}, async () => {
  const { indexes } = await designed({
    list: `where: { status: { equals: open } }, ${newest}`,
    note: 930,
    more: `  paid: { name: Paid, read: Order, where: { status: { equals: paid } }, ${newest}, rps: 3 }\n`,
  });
  expect(Object.keys(indexes ?? {})).toEqual(["OpenOrdersByCreatedAt", "PaidOrdersByCreatedAt"]);
});
