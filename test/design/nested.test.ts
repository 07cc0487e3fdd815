import { describe, expect, test } from "vitest";
import { editText } from "../../src/document/edit.ts";
import type { DesignDocument, PlacementDocument } from "../../src/model/document-design.ts";
import { examples } from "../../src/model/model.test-support.ts";
import { costModel } from "../../src/workbench/model-cost.ts";
import { designModel, isFailing, modelDesignOutput } from "../../src/workbench/model-design.ts";
import { designed, expectFlip } from "./flipping.ts";

const now = Date.UTC(2026, 0, 15, 12);

/** An order is placed and looked at with its lines; now and then one of them changes. */
const orders = `keywright: 1
name: shop
entities:
  Order:
    id: [orderId]
    count: 5_000_000
    attributes:
      orderId: { type: S, format: ulid }
      note: { type: S, bytes: 100 }
  OrderLine:
    id: [orderId, position]
    count: 15_000_000
    attributes:
      orderId: { type: S, format: ulid }
      position: { type: N, digits: 3 }
      name: { type: S, bytes: 600 }
      quantity: { type: N, digits: 3 }
relations:
  - { from: Order, to: OrderLine, kind: one-to-many, average: 3, max: 50, identifying: true }
patterns:
  1:
    name: An order with its lines
    read: Order
    where: { orderId: equals }
    together: [{ entity: OrderLine, limit: all, order: { position: ascending } }]
    rps: 100
  2:
    name: Place
    transaction:
      - { create: Order, condition: absent }
      - { create: OrderLine, condition: absent, average: 3 }
    rps: 15
  3: { name: One line, read: OrderLine, where: { orderId: equals, position: equals }, rps: 5 }
  4: { name: Change a line, update: OrderLine, where: { orderId: equals, position: equals }, changes: [quantity], rps: 2 }
  5: { name: Strike a line, delete: OrderLine, where: { orderId: equals, position: equals }, rps: 1 }
  6: { name: Add a line, create: OrderLine, condition: absent, rps: 1 }
  7: { name: Forget an order, delete: Order, where: { orderId: equals }, rps: 1 }
`;

/** The best that there was: both under one key, in a transaction. */
const apart: DesignDocument = {
  tables: {
    Orders: {
      billing: "on-demand",
      key: { orderId: "S", part: "S" },
      entities: {
        Order: { key: { orderId: "{orderId}", part: "#ORDER" } },
        OrderLine: { key: { orderId: "{orderId}", part: "ORDERLINE#{position|pad:3}" } },
      },
    },
  },
};

const people = `keywright: 1
name: people
entities:
  User:
    id: [userId]
    count: 1_000_000
    attributes:
      userId: { type: S, format: ulid }
      mail: { type: S, bytes: 30 }
      seenAt: { type: S, format: iso-time }
  UserProfile:
    id: [userId]
    count: 800_000
    attributes:
      userId: { type: S, format: ulid }
      bio: { type: S, bytes: 600 }
      visits: { type: N, digits: 4 }
relations:
  - { from: User, to: UserProfile, kind: one-to-one, identifying: true }
patterns:
  1:
    name: A user with what is said of them
    read: User
    where: { userId: equals }
    together: [{ entity: UserProfile }]
    rps: 100
  2:
    name: Sign up
    transaction:
      - { create: User, condition: absent }
      - { create: UserProfile, condition: absent }
    rps: 15
  3: { name: Say it, update: UserProfile, where: { userId: equals }, changes: [bio], adds: { visits: 1 }, condition: exists, rps: 5 }
  4: { name: What is said, read: UserProfile, where: { userId: equals }, rps: 5 }
  5: { name: Seen, update: User, where: { userId: equals }, changes: [seenAt], rps: 5 }
  6: { name: Leave, delete: User, where: { userId: equals }, with: [UserProfile], rps: 1 }
`;

function embedsIn(text: string): PlacementDocument["embeds"] {
  const tables = Object.values(designed(text).design.tables);
  const all = tables.flatMap(({ entities = {} }) =>
    Object.values(entities).flatMap(({ embeds = [] }) => embeds),
  );
  return all.length === 0 ? undefined : all;
}

describe("many in one item", { timeout: 120_000 }, () => {
  test("are chosen where they are made and read together, and are proved", async () => {
    const design = await designModel(orders, "model.yaml", { now });
    expect(isFailing(design)).toBe(false);
    expect(design.designed?.design.tables.Orders?.entities).toEqual({
      Order: {
        key: { orderId: "{orderId}" },
        embeds: [{ entity: "OrderLine", as: "lines", by: "position" }],
      },
    });
    const before = costModel(
      editText(orders, [{ kind: "set", path: ["design"], value: apart }]),
      "model.yaml",
    ).report?.total.average;
    const total = design.designed?.total ?? 0;
    expect(costModel(design.text ?? "", "model.yaml").report?.total.average).toBeCloseTo(total, 2);
    expect(design.designed?.design.decisions).toEqual([
      {
        about: "design.tables.Orders",
        chosen: "Order and OrderLine by orderId, each OrderLine inside of its Order",
        rejected: [
          {
            what: "Order and OrderLine under one orderId",
            perMonth: Math.round(((before ?? 0) - total) * 100) / 100,
          },
        ],
        why: "it is the cheapest",
      },
    ]);
    // A transaction of four items, eight units, is one write of two or three.
    expect((before ?? 0) / total).toBeGreaterThan(1.8);
  });

  test("are not chosen where single ones change often, and the number between is told", () => {
    expect(embedsIn(orders.replace("rps: 2 }", "rps: 500 }"))).toBeUndefined();
    expectFlip(orders, "4.rps.average", "above");
  });

  test("have a bound, and fit into an item with all that there can be", () => {
    expect(embedsIn(orders.replace(", max: 50", ""))).toBeUndefined();
    const most = Math.floor((409_600 - 4_096) / 660);
    expect(embedsIn(orders.replace("max: 50", `max: ${most - 60}`))).toBeDefined();
    expect(embedsIn(orders.replace("max: 50", `max: ${most + 60}`))).toBeUndefined();
  });

  test("are not lost: not where an order may take another one's place, or goes alone", () => {
    expect(embedsIn(orders.replace("create: Order, condition: absent", "create: Order"))).toBe(
      undefined,
    );
    expect(embedsIn(orders.replace(", identifying: true", ""))).toBeUndefined();
  });

  test("are not chosen if somebody looks for them without knowing where", () => {
    const named = `${orders}  8: { name: By name, read: OrderLine, where: { name: equals }, rps: 1 }\n`;
    expect(embedsIn(named)).toBeUndefined();
  });

  test("stay where a design with them is kept, and can be tried with other numbers", async () => {
    const first = await designModel(orders, "model.yaml", { now });
    const kept = await designModel(first.text ?? "", "model.yaml", { now, keep: "Orders" });
    expect(kept.designed?.design.tables).toEqual(first.designed?.design.tables);
    const tried = await designModel(orders, "model.yaml", { now, whatIf: "4.rps.average=500" });
    expect(modelDesignOutput(tried, "text")).toContain("each OrderLine inside of its Order");
    expect(
      tried.designed?.design.tables.OrderLines ?? tried.designed?.design.tables.Orders,
    ).not.toEqual(first.designed?.design.tables.Orders);
  });
});

describe("one in the item of another", { timeout: 120_000 }, () => {
  test("is chosen where both are made and read together, and is proved", async () => {
    const design = await designModel(people, "model.yaml", { now });
    expect(isFailing(design)).toBe(false);
    expect(design.designed?.design.tables.Users?.entities).toEqual({
      User: {
        key: { userId: "{userId}" },
        embeds: [{ entity: "UserProfile", as: "profile", one: true }],
      },
    });
    const [decision] = design.designed?.design.decisions ?? [];
    expect(decision?.rejected?.[0]?.perMonth).toBeGreaterThan(50);
    expect(costModel(design.text ?? "", "model.yaml").report?.total.average).toBeCloseTo(
      design.designed?.total ?? 0,
      2,
    );
  });

  test("is not chosen where the one changes often and the other one is large", () => {
    const large = people.replace("bytes: 600", "bytes: 3000");
    expect(embedsIn(large)).toBeDefined();
    expect(embedsIn(large.replace("changes: [seenAt], rps: 5", "changes: [seenAt], rps: 50"))).toBe(
      undefined,
    );
    expectFlip(large, "5.rps.average", "above");
  });
});

test("a child may lie inside in a table that is not the best for its parent alone", {
  timeout: 200_000,
}, async () => {
  const [, text = ""] = examples.find(([name]) => name === "online-shop.yaml") ?? [];
  const { designed: found } = await designModel(text, "shop.yaml", {
    now,
    replace: true,
    style: "natural",
  });
  const { decisions = [], tables = {} } = found?.design ?? {};
  expect(tables.Orders?.entities?.Order).toMatchObject({
    key: { customerId: "{customerId}", orderId: "{orderId}" },
    embeds: [{ entity: "OrderItem" }],
  });
  // The table by the order alone is the one that would have been looked at.
  const others = decisions.flatMap(({ rejected = [] }) => rejected);
  const alone = others.find(({ what }) => what.startsWith("without it: Orders by orderId, each"));
  expect(alone?.perMonth).toBeGreaterThan(30);
});
