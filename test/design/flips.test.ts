import { describe, expect, test } from "vitest";
import { designed, expectFlip } from "./flipping.ts";

const orders = `keywright: 1
name: orders
entities:
  Order:
    id: [orderId]
    count: 5_000_000
    attributes:
      orderId: { type: S, format: ulid }
      customerId: { type: S, format: ulid, distinct: 1_000_000, mutable: false }
      createdAt: { type: S, format: iso-time, mutable: false }
      note: { type: S, bytes: 300 }
patterns:
  1: { name: An order, read: Order, where: { orderId: equals }, rps: { average: 200, peak: 400 } }
  2:
    name: Orders of a customer
    read: Order
    where: { customerId: equals }
    order: { createdAt: descending }
    limit: 5
    rps: { average: 10, peak: 20 }
  3: { name: Place, create: Order, condition: absent, rps: { average: 15, peak: 30 } }
`;

const shop = `keywright: 1
name: shop
entities:
  Order:
    id: [orderId]
    count: 5_000_000
    attributes:
      orderId: { type: S, format: ulid }
      note: { type: S, bytes: 100 }
  Item:
    id: [orderId, position]
    count: 15_000_000
    attributes:
      orderId: { type: S, format: ulid }
      position: { type: N, digits: 3 }
      name: { type: S, bytes: 900 }
relations:
  - { from: Order, to: Item, kind: one-to-many, average: 3, max: 50, identifying: true }
patterns:
  1:
    name: An order with its items
    read: Order
    where: { orderId: equals }
    together: [{ entity: Item, limit: all, order: { position: ascending } }]
    rps: { average: 100, peak: 200 }
  2:
    name: Place
    transaction:
      - { create: Order, condition: absent }
      - { create: Item, condition: absent, average: 3 }
    rps: { average: 15, peak: 30 }
  3: { name: The head of an order, read: Order, where: { orderId: equals }, rps: { average: 5, peak: 9 } }
`;

const votes = `keywright: 1
name: votes
entities:
  Vote:
    id: [voteId]
    count: 1_000_000
    attributes:
      voteId: { type: S, format: ulid }
      show: { type: S, bytes: 8, distinct: 100, mutable: false }
      at: { type: S, format: iso-time, mutable: false }
patterns:
  1:
    name: Vote
    create: Vote
    condition: absent
    skew: { key: show, hottest: 0.4 }
    rps: { average: 10, peak: 2_000 }
  2:
    name: The newest votes of a show
    read: Vote
    where: { show: equals }
    order: { at: descending }
    limit: 20
    rps: { average: 20, peak: 50 }
`;

describe("the design is another one right behind a flip point, and not before", {
  timeout: 120_000,
}, () => {
  test("of a rate", () => {
    expectFlip(orders, "2.rps.average", "below");
  });

  test("of a size", () => {
    expectFlip(orders, "Order.note.bytes", "above");
  });

  test("of a fan-out", () => {
    expectFlip(shop, "Order->Item.average", "above");
  });

  test("of a skew: 0.5 of 2,000 writes a second are what one key takes", () => {
    expectFlip(votes, "1.skew.hottest", "above");
    const flips = designed(votes).flips();
    expect(flips.find(({ path }) => path === "1.skew.hottest")?.value).toBe(0.5);
  });
});
