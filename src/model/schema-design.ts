import type { Schema } from "../document/schema.ts";
import { list, map, number, part, shape, text, whole, words } from "./schema-build.ts";
import { keyTextsOf, patternIds, tableSchema } from "./schema-table.ts";

const planStep: Schema = shape(
  "One request.",
  ["operation"],
  {
    operation: words(
      "The operation.",
      ...["GetItem", "BatchGetItem", "Query", "Scan", "TransactGetItems", "PutItem"],
      ...["UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems"],
    ),
    table: part("resourceName", "The table.", "Shop"),
    index: part("resourceName", "The index.", "OrdersByStatus"),
    entity: part("entityName", "The entity that it is about.", "Order"),
    key: keyTextsOf("The key, or the beginning of it."),
    filter: part("where", "What is filtered after reading.", { status: { equals: "open" } }),
    order: words("The direction.", "ascending", "descending"),
    limit: whole("How many are read at most.", 1, 20),
    note: text("What else is to be said.", "once for every shard"),
  },
  { operation: "Query", table: "Shop", index: "OrdersByStatus" },
);

const decision: Schema = shape(
  "Something that was decided.",
  ["about", "chosen"],
  {
    about: text("What it is about: a path in this file, or words.", "design.tables.Shop.key"),
    chosen: text("What was chosen.", "orders lie with their customer"),
    rejected: list(
      "What else there was.",
      shape(
        "One of them.",
        ["what"],
        {
          what: text("What it was.", "an index on the customer"),
          why: text("Why not.", "doubles the cost of writes"),
          perMonth: number("What it costs more, in dollars a month.", 120),
        },
        { what: "an index on the customer", perMonth: 120 },
      ),
      [{ what: "an index on the customer", perMonth: 120 }],
    ),
    why: text("Why it was chosen.", "they are read together"),
  },
  { about: "design.tables.Shop.key", chosen: "orders lie with their customer" },
);

export const designSchema: Schema = shape(
  "The design: tables, keys and indexes that serve the patterns.",
  ["tables"],
  {
    style: words("How key attributes and indexes are named.", "natural", "generic"),
    decisions: list(
      "What was decided, and why.",
      decision,
      [{ about: "keys", chosen: "natural ones" }],
      0,
    ),
    tables: map(
      "The tables.",
      tableSchema,
      { Shop: { key: { PK: "S" }, entities: { Customer: { key: { PK: "{customerId}" } } } } },
      { $ref: "#/$defs/resourceName" },
    ),
    plans: map(
      "How patterns are carried out, where that should not be derived.",
      shape(
        "The requests, in order.",
        ["steps"],
        { steps: list("The requests.", planStep, [{ operation: "Query" }]) },
        { steps: [{ operation: "Query" }] },
      ),
      { "4": { steps: [{ operation: "Query", index: "OrdersByStatus" }] } },
      undefined,
      0,
    ),
    services: list(
      "Services that do what DynamoDB should not.",
      shape(
        "One of them.",
        ["name"],
        {
          name: text("The service.", "OpenSearch"),
          for: patternIds("The patterns that it serves."),
          via: text("How the data gets there.", "stream"),
          why: text("Why it is needed.", "full-text search"),
        },
        { name: "OpenSearch", for: [7], via: "stream" },
      ),
      [{ name: "OpenSearch", for: [7], via: "stream" }],
      0,
    ),
    tradeoffs: list(
      "What was given up for what.",
      text("One of them.", "names of products are copied into orders"),
      ["names of products are copied into orders"],
      0,
    ),
  },
  {
    tables: { Shop: { key: { PK: "S" }, entities: { Customer: { key: { PK: "{customerId}" } } } } },
  },
);
