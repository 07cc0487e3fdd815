import type { PatternPage } from "../page.ts";

export const page: PatternPage = {
  id: "overloaded-index",
  summary:
    "One index with generic key attributes serves several entities, each with its own meaning and prefix.",
  when: [
    "Several entities share a table and each needs one more way in.",
    "Their index entries do not mix: the prefixes differ, and no question spans them.",
    "You would come near 20 indexes, or pay for several provisioned ones.",
  ],
  how: [
    "Key attributes such as `GSI1PK` and `GSI1SK`, set by each entity to what it is asked by: `CUSTOMER#…`, `CATEGORY#…`. An entity that sets nothing is not in it.",
  ],
  pitfalls: [
    "The projection is shared: what one entity needs, all carry. A narrow and a wide need are better apart.",
    "Heat is shared by name only: each key has its own partition. But a constant prefix alone is one key.",
    "Nobody knows what GSI1 is: write its purpose. Several attributes as a key do not go with it.",
    "On-demand indexes cost nothing by themselves, so overloading saves money only on provisioned tables.",
  ],
  example: {
    model: `
keywright: 1
name: shared-index
overview: { domain: e-commerce, scale: { users: 200_000 } }
entities:
  Order:
    id: [orderId]
    count: 1_000_000
    attributes:
      orderId: { type: S, format: ulid }
      customerId: { type: S, format: ulid, mutable: false }
      total: { type: N, digits: 6, mutable: false }
  Product:
    id: [productId]
    count: 20_000
    attributes:
      productId: { type: S, format: ulid }
      category: { type: S, bytes: 12, distinct: 200, mutable: false }
      price: { type: N, digits: 5 }
patterns:
  orders:
    name: Orders of a customer, newest first
    read: Order
    where: { customerId: equals }
    order: { orderId: descending }
    limit: 20
    rps: { average: 30, peak: 150 }
  products:
    name: Products of a category
    read: Product
    where: { category: equals }
    order: { productId: ascending }
    limit: 40
    rps: { average: 50, peak: 200 }
  place: { name: Place, create: Order, condition: absent, rps: { average: 4, peak: 40 } }
  offer: { name: Offer, create: Product, condition: absent, rps: { average: 0.1, peak: 2 } }
design:
  style: generic
  tables:
    Shop:
      purpose: orders and products
      key: { PK: S }
      discriminator: type
      entities:
        Order: { key: { PK: "ORDER#{orderId}" } }
        Product: { key: { PK: "PRODUCT#{productId}" } }
      indexes:
        GSI1:
          purpose: orders of a customer; products of a category
          key: { partition: GSI1PK, sort: GSI1SK }
          projection: all
          sets:
            Order: { GSI1PK: "CUSTOMER#{customerId}", GSI1SK: "{orderId}" }
            Product: { GSI1PK: "CATEGORY#{category}", GSI1SK: "{productId}" }
  tradeoffs: [both lists are a moment behind]
`,
    requests: [
      {
        pattern: "products",
        operation: "Query",
        input: {
          TableName: "Shop",
          IndexName: "GSI1",
          KeyConditionExpression: "GSI1PK = :category",
          ExpressionAttributeValues: { ":category": { S: "CATEGORY#garden" } },
          Limit: 40,
        },
      },
    ],
  },
  see: {
    topics: ["global-index", "natural-names", "sparse-index", "projection"],
    examples: ["online-shop", "code-hosting", "saas-workspaces"],
    rules: ["generic-key-names", "over-projection", "constant-partition-key"],
  },
};
