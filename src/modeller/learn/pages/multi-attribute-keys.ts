import type { PatternPage } from "../page.ts";

export const page: PatternPage = {
  id: "multi-attribute-keys",
  summary:
    "The key of a global index may have up to four partition and four sort attributes, each with its own type: nothing is joined or padded.",
  when: [
    "A new index on a table that has items: the attributes are there already, no backfill.",
    "Numbers and texts in one order; step-by-step narrowing: year, month, day.",
    "Tenant and customer, seller and region: partitions by several attributes.",
  ],
  how: [
    "`key: { partition: [sellerId, region], sort: [orderDate, category, orderId] }`. A Query names all partition attributes with `=`, then sort attributes from the left, equal until the last, which may be a range.",
  ],
  pitfalls: [
    "A sort attribute cannot be skipped, and nothing may follow a range.",
    "Partition attributes take `=` only, and all of them.",
    "Tables themselves cannot have it: their key stays one and one.",
    "An entity prefix and `begins_with` over several kinds of items need a made-up key.",
    "Items that lack any of the attributes are not in the index.",
    "`region`, `year` and others are reserved words: use placeholders.",
  ],
  example: {
    model: `
keywright: 1
name: seller-orders
overview: { domain: marketplace, scale: { users: 300_000 } }
entities:
  Order:
    id: [orderId]
    count: 5_000_000
    attributes:
      orderId: { type: S, format: ulid }
      sellerId: { type: S, bytes: 10, distinct: 40_000, mutable: false }
      region: { type: S, bytes: 2, distinct: 30, mutable: false }
      orderDate: { type: S, format: iso-date, mutable: false }
      category: { type: S, bytes: 8, mutable: false }
      total: { type: N, digits: 6, mutable: false }
patterns:
  sales:
    name: A seller's orders in a region between two days
    read: Order
    where: { sellerId: equals, region: equals, orderDate: between }
    order: { orderDate: ascending }
    limit: 100
    returns: [orderId, orderDate, category, total]
    rps: { average: 5, peak: 40 }
  place: { name: Place, create: Order, condition: absent, rps: { average: 60, peak: 300 } }
design:
  tables:
    Orders:
      purpose: orders by their number
      key: { orderId: S }
      entities: { Order: { key: { orderId: "{orderId}" } } }
      indexes:
        SalesByDay:
          purpose: what a seller sold in a region
          key: { partition: [sellerId, region], sort: [orderDate, category, orderId] }
          projection: [total]
  tradeoffs: [what sellers see is a moment behind]
`,
    requests: [
      {
        pattern: "sales",
        operation: "Query",
        input: {
          TableName: "Orders",
          IndexName: "SalesByDay",
          KeyConditionExpression:
            "sellerId = :seller AND #region = :r AND orderDate BETWEEN :a AND :z",
          ExpressionAttributeNames: { "#region": "region" },
          ExpressionAttributeValues: {
            ":seller": { S: "s-1001" },
            ":r": { S: "BY" },
            ":a": { S: "2026-11-01" },
            ":z": { S: "2026-11-15" },
          },
          Limit: 100,
        },
      },
    ],
  },
  see: {
    topics: ["composite-sort-key", "begins-with", "natural-boundaries", "time-series"],
    examples: ["device-readings", "saas-workspaces", "game-leaderboard"],
    rules: ["begins-with-across-gap", "component-order", "reserved-word"],
  },
};
