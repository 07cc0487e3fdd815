import type { PatternPage } from "../page.ts";

export const page: PatternPage = {
  id: "stream-aggregates",
  summary:
    "A consumer of the stream adds up changes and writes the sums a few seconds later, many at once.",
  when: [
    "Counts, sums, maxima that are read often: followers, likes, totals of a customer.",
    "Being seconds behind does no harm.",
  ],
  how: [
    "A batch of records is summed by target, then each target gets one update. A batch window of seconds turns a hot counter into a few writes. New and old image together tell what was added and taken away.",
  ],
  pitfalls: [
    "A batch may come twice. Remember the last sequence number with the sum, or take the sum from what is there, or accept an estimate.",
    "Filter `eventName` and kind, or the consumer's own update calls it again.",
    "One bad record stops a shard: split batches on error, and park what fails.",
    "Exact at every moment (a balance)? Then a transaction, not a stream.",
  ],
  example: {
    model: `
keywright: 1
name: review-counts
overview: { domain: e-commerce, scale: { users: 200_000 } }
entities:
  Product:
    id: [productId]
    count: 50_000
    attributes:
      productId: { type: S, format: uuid }
      reviews: { type: N, digits: 4, counter: true }
  Review:
    id: [productId, reviewId]
    count: 2_000_000
    attributes:
      productId: { type: S, format: uuid }
      reviewId: { type: S, format: ulid }
      text: { type: S, bytes: 300 }
relations:
  - { from: Product, to: Review, kind: one-to-many, average: 40, identifying: true }
patterns:
  review: { name: Review, create: Review, condition: absent, rps: { average: 5, peak: 90 } }
  list:
    name: Reviews of a product, newest first
    read: Review
    where: { productId: equals }
    order: { reviewId: descending }
    limit: 10
    rps: { average: 40, peak: 300 }
  product:
    name: A product
    read: Product
    where: { productId: equals }
    rps: { average: 90, peak: 500 }
  offer: { name: Offer, create: Product, condition: absent, rps: { average: 0.1, peak: 2 } }
design:
  tables:
    Products:
      purpose: what can be bought
      key: { productId: S }
      entities: { Product: { key: { productId: "{productId}" } } }
    Reviews:
      purpose: reviews of products
      key: { productId: S, reviewId: S }
      entities: { Review: { key: { productId: "{productId}", reviewId: "{reviewId}" } } }
      stream: new-and-old-images
      consumers:
        - name: counts
          purpose: counts the reviews of each product
          batch: 500
          window: 2s
          filter: { eventName: [INSERT, REMOVE] }
      aggregates: [{ of: Review, into: Product.reviews, by: stream }]
  tradeoffs: [the count is seconds behind]
`,
    requests: [
      {
        pattern: "review",
        operation: "PutItem",
        input: {
          TableName: "Reviews",
          Item: { productId: { S: "7c2a" }, reviewId: { S: "01JK" }, text: { S: "…" } },
          ConditionExpression: "attribute_not_exists(productId)",
        },
      },
    ],
  },
  see: {
    topics: ["streams", "scheduled-aggregates", "write-sharding", "transactions"],
    examples: ["social-network", "code-hosting", "learning"],
    rules: [
      "number-not-kept",
      "counter-not-idempotent",
      "hot-counter",
      "consumer-without-filter",
      "stream-without-consumer",
    ],
  },
};
