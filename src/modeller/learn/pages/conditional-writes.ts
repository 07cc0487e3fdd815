import type { PatternPage } from "../page.ts";

export const page: PatternPage = {
  id: "conditional-writes",
  summary: "A condition is checked in the same moment as the write: no reading before, no race.",
  when: [
    "A create must not overwrite: `attribute_not_exists(key)`.",
    "An update must find something: `attribute_exists(key)`.",
    "A state may change only from a certain other one; stock must not fall below zero.",
  ],
  how: [
    "`ConditionExpression` on Put, Update, Delete, and on each action of a transaction, with AND, OR and NOT. If it fails, `ConditionalCheckFailedException` comes back, and with `ReturnValuesOnConditionCheckFailure: ALL_OLD` the item as it is.",
  ],
  pitfalls: [
    "Reading first and then writing is two requests and a race.",
    "`attribute_not_exists` looks at the item with this key only. It keeps keys unique, no other value.",
    "A failed condition is paid for.",
    "BatchWriteItem takes no conditions.",
    "A retry after a lost answer may fail on its own success: compare the item before you report an error.",
  ],
  example: {
    model: `
keywright: 1
name: stock
overview: { domain: e-commerce, scale: { users: 200_000 } }
entities:
  Product:
    id: [productId]
    count: 50_000
    attributes:
      productId: { type: S, format: uuid }
      stock: { type: N, digits: 5, counter: true }
patterns:
  create:
    name: Add a product
    create: Product
    condition: absent
    rps: { average: 0.1, peak: 5 }
  take:
    name: Take one from the stock
    update: Product
    where: { productId: equals }
    adds: { stock: -1 }
    condition: { stock: { greater: 0 } }
    writers: 20
    rps: { average: 10, peak: 200 }
  stock:
    name: What is left
    read: Product
    where: { productId: equals }
    rps: { average: 50, peak: 300 }
design:
  tables:
    Products:
      purpose: what is in stock
      key: { productId: S }
      entities: { Product: { key: { productId: "{productId}" } } }
`,
    requests: [
      {
        pattern: "create",
        operation: "PutItem",
        input: {
          TableName: "Products",
          Item: { productId: { S: "7c2a" }, stock: { N: "100" } },
          ConditionExpression: "attribute_not_exists(productId)",
        },
      },
      {
        pattern: "take",
        operation: "UpdateItem",
        input: {
          TableName: "Products",
          Key: { productId: { S: "7c2a" } },
          UpdateExpression: "ADD stock :minus",
          ConditionExpression: "stock > :none",
          ExpressionAttributeValues: { ":minus": { N: "-1" }, ":none": { N: "0" } },
        },
      },
    ],
  },
  see: {
    topics: ["optimistic-locking", "unique-values", "transactions", "update-expressions"],
    examples: ["online-shop", "code-hosting", "documents"],
    rules: [
      "missing-condition",
      "create-overwrites",
      "id-not-unique",
      "read-before-write",
      "condition-in-batch",
    ],
  },
};
