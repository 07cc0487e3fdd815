import type { PatternPage } from "../page.ts";

export const page: PatternPage = {
  id: "composite-sort-key",
  summary:
    "Several attributes joined in the sort key answer several questions: from the left, one more part each time.",
  when: [
    "Lists are narrowed step by step: a customer's orders, those of a day, that one.",
    "Several kinds of items share a collection and need prefixes.",
  ],
  how: [
    "Join with a separator that no part contains: `ORDER#{placedAt}#{orderId}`. First what is always given, then what is ranged over, last what makes it unique.",
    "Numbers are padded, texts brought to one case, times in ISO form.",
  ],
  pitfalls: [
    "The order of parts is the design. State behind date cannot be asked without the date.",
    "No part may change: a table key cannot be updated. A status belongs in an index, better a sparse one.",
    "At most 1,024 bytes.",
    "A prefix without its separator finds too much.",
    "In an index, a key of several attributes does the same without joining and padding.",
  ],
  example: {
    model: `
keywright: 1
name: orders-of-a-day
overview: { domain: e-commerce, scale: { users: 200_000 } }
entities:
  Order:
    id: [orderId]
    count: 1_000_000
    attributes:
      orderId: { type: S, format: ulid }
      customerId: { type: S, format: ulid, mutable: false }
      placedAt: { type: S, format: iso-time, mutable: false }
      total: { type: N, digits: 6, mutable: false }
patterns:
  all:
    name: All orders of a customer
    read: Order
    where: { customerId: equals }
    order: { placedAt: descending }
    limit: 20
    rps: { average: 40, peak: 200 }
  day:
    name: A customer's orders of one day
    read: Order
    where: { customerId: equals, placedAt: { begins-with: $day } }
    order: { placedAt: ascending }
    limit: 20
    rps: { average: 5, peak: 30 }
  place: { name: Place, create: Order, condition: absent, rps: { average: 4, peak: 40 } }
design:
  tables:
    Orders:
      purpose: orders of customers, by time
      key: { customerId: S, placed: S }
      entities:
        Order: { key: { customerId: "{customerId}", placed: "{placedAt}#{orderId}" } }
`,
    requests: [
      {
        pattern: "day",
        operation: "Query",
        input: {
          TableName: "Orders",
          KeyConditionExpression: "customerId = :customer AND begins_with(placed, :day)",
          ExpressionAttributeValues: { ":customer": { S: "01J9" }, ":day": { S: "2026-11-16" } },
          Limit: 20,
        },
      },
    ],
  },
  see: {
    topics: ["begins-with", "hierarchy", "multi-attribute-keys", "sorting"],
    examples: ["learning", "marketplace"],
    rules: [
      "component-order",
      "mutable-attribute-in-key",
      "unpadded-number",
      "separator-in-value",
      "key-too-long",
    ],
  },
};
