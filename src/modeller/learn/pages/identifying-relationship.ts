import type { PatternPage } from "../page.ts";

export const page: PatternPage = {
  id: "identifying-relationship",
  summary:
    "A child that means nothing without its parent takes the parent's id as its partition key, and an index is saved.",
  when: [
    "The parent's id is always known when a child is asked for: a product's reviews, an order's lines.",
    "All children of a parent are listed.",
    "A child never moves to another parent.",
  ],
  how: [
    "Table key: parent's id, child's id. Get one child by both, list them by the first. With the child's id as the only key you would need an index by parent: its entries double writes and storage.",
  ],
  pitfalls: [
    "If links contain only the child's id, the parent's must be put into them, or the index comes back.",
    "A child that can move must be deleted and put anew.",
    "The saving is a half only if the index would have had all attributes; a narrow one costs less.",
  ],
  example: {
    model: `
keywright: 1
name: reviews
overview: { domain: e-commerce, scale: { users: 900_000 } }
entities:
  Review:
    id: [productId, reviewId]
    count: 2_000_000
    attributes:
      productId: { type: S, format: uuid }
      reviewId: { type: S, format: ulid }
      stars: { type: N, digits: 1, mutable: false }
      text: { type: S, bytes: { min: 50, max: 900 } }
patterns:
  list:
    name: Reviews of a product, newest first
    read: Review
    where: { productId: equals }
    order: { reviewId: descending }
    limit: 10
    rps: { average: 100, peak: 600 }
  one:
    name: One review
    read: Review
    where: { productId: equals, reviewId: equals }
    rps: { average: 2, peak: 20 }
  write: { name: Review, create: Review, condition: absent, rps: { average: 1, peak: 10 } }
design:
  tables:
    Reviews:
      purpose: reviews of products
      key: { productId: S, reviewId: S }
      entities: { Review: { key: { productId: "{productId}", reviewId: "{reviewId}" } } }
`,
    requests: [
      {
        pattern: "list",
        operation: "Query",
        input: {
          TableName: "Reviews",
          KeyConditionExpression: "productId = :product",
          ExpressionAttributeValues: { ":product": { S: "7c2a" } },
          ScanIndexForward: false,
          Limit: 10,
        },
      },
    ],
  },
  see: {
    topics: ["one-to-many", "global-index", "index-writes"],
    examples: ["device-readings", "code-hosting", "documents"],
    rules: ["replaceable-index"],
  },
};
