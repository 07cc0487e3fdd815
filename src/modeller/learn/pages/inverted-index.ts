import type { PatternPage } from "../page.ts";

export const page: PatternPage = {
  id: "inverted-index",
  summary:
    "An index with the table's sort key as its partition key reads a relation from the other side.",
  when: [
    "Items are filed under a parent, and someone comes with the child's id alone.",
    "Both directions of an edge are asked for.",
  ],
  how: [
    "Swap the two: `key: { partition: orderId, sort: customerId }`. No attribute has to be made; the index uses what the items have.",
    "Often it returns exactly one item. Then `keys` and a GetItem, or the few attributes that are shown, is all the projection needed.",
  ],
  pitfalls: [
    "It is a full index: each item of the table is in it. If only one kind is looked up so, set the key attributes for that kind alone.",
    "It is eventually consistent: an order just made may not be found for a moment.",
    "If links can carry both ids, you do not need it.",
  ],
  example: {
    model: `
keywright: 1
name: orders-by-id
overview: { domain: e-commerce, scale: { users: 200_000 } }
entities:
  Order:
    id: [orderId]
    count: 1_000_000
    attributes:
      orderId: { type: S, format: ulid }
      customerId: { type: S, format: ulid, mutable: false }
      total: { type: N, digits: 6, mutable: false }
patterns:
  mine:
    name: Orders of a customer, newest first
    read: Order
    where: { customerId: equals }
    order: { orderId: descending }
    limit: 20
    rps: { average: 40, peak: 200 }
  one:
    name: An order
    read: Order
    where: { orderId: equals }
    rps: { average: 5, peak: 30 }
  place: { name: Place, create: Order, condition: absent, rps: { average: 4, peak: 40 } }
design:
  tables:
    Orders:
      purpose: orders of customers
      key: { customerId: S, orderId: S }
      entities: { Order: { key: { customerId: "{customerId}", orderId: "{orderId}" } } }
      indexes:
        OrdersById:
          purpose: whoever has nothing but an order's number
          key: { partition: orderId, sort: customerId }
          projection: [total]
  tradeoffs: [every order is written twice]
`,
    requests: [
      {
        pattern: "one",
        operation: "Query",
        input: {
          TableName: "Orders",
          IndexName: "OrdersById",
          KeyConditionExpression: "orderId = :order",
          ExpressionAttributeValues: { ":order": { S: "01JB" } },
        },
      },
    ],
  },
  see: {
    topics: ["adjacency-list", "many-to-many", "projection"],
    examples: ["social-network", "device-readings", "code-hosting"],
    rules: ["replaceable-index", "over-projection"],
  },
};
