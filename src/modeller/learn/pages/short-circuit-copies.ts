import type { PatternPage } from "../page.ts";

export const page: PatternPage = {
  id: "short-circuit-copies",
  summary: "A small attribute of another entity, copied to where it is shown, saves a second read.",
  when: [
    "A list shows a name or title of something else for every line.",
    "The attribute hardly ever changes, or an old value does no harm.",
    "It is small: it must not push items over the next KB.",
  ],
  how: [
    "Copy it when the item is written. `copyOf: Product.name` names the source of truth, `staleness` says whether the copy may be old. If it may not, a consumer of the source's stream rewrites the copies, found by a key or an index.",
  ],
  pitfalls: [
    "A rename touches every copy: a product in 200,000 orders is 200,000 writes.",
    "A copy with nobody who renews it and no consent to be old is a defect.",
    "A fact of the past, such as the price paid, is no copy: it must not be renewed.",
    "Copies of personal data must be found again when somebody asks to be forgotten.",
  ],
  example: {
    model: `
keywright: 1
name: order-lines
overview: { domain: e-commerce, scale: { users: 200_000 } }
entities:
  Product:
    id: [productId]
    count: 50_000
    attributes: { productId: { type: S, format: uuid }, name: { type: S, bytes: 40 } }
  Line:
    id: [orderId, position]
    count: 3_000_000
    attributes:
      orderId: { type: S, format: ulid }
      position: { type: N, digits: 2 }
      productId: { type: S, format: uuid, mutable: false }
      productName: { type: S, bytes: 40, copyOf: Product.name, staleness: accepted }
      price: { type: N, digits: 6, mutable: false }
patterns:
  lines:
    name: The lines of an order
    read: Line
    where: { orderId: equals }
    order: { position: ascending }
    limit: all
    matches: 3
    rps: { average: 60, peak: 300 }
  add: { name: Add a line, create: Line, condition: absent, rps: { average: 10, peak: 90 } }
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
    Lines:
      purpose: what was bought, by order
      key: { orderId: S, position: N }
      entities: { Line: { key: { orderId: "{orderId}", position: "{position}" } } }
  tradeoffs: [an order shows the name that a product had]
`,
    requests: [
      {
        pattern: "lines",
        operation: "Query",
        input: {
          TableName: "Lines",
          KeyConditionExpression: "orderId = :order",
          ExpressionAttributeValues: { ":order": { S: "01JB" } },
        },
      },
    ],
  },
  see: {
    topics: ["denormalisation", "streams", "workflows"],
    examples: ["online-shop", "social-network", "code-hosting"],
    rules: ["copy-without-upkeep", "n-plus-one", "fetch-after-index"],
  },
};
