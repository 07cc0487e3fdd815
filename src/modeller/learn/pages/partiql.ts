import type { ConceptPage } from "../page.ts";

export const page: ConceptPage = {
  id: "partiql",
  summary:
    "PartiQL is SQL's clothing for the same requests; it hides whether a statement is a Get, a Query or a Scan.",
  what: [
    "`SELECT … WHERE` the full key is a GetItem, with the partition key a Query, and without it a Scan of everything. UPDATE and DELETE want the full key; INSERT refuses an existing key; UPDATE does not create. No joins, no GROUP BY, no COUNT.",
  ],
  follows: [
    {
      list: [
        "Prefer the native requests in programs: a Scan must be called by its name there.",
        "In consoles and scripts, read the WHERE twice. IAM can refuse statements that scan: deny `dynamodb:PartiQLSelect` if `dynamodb:FullTableScan` is true.",
        "One use of its own: `BatchExecuteStatement` takes conditions, which `BatchWriteItem` does not. The statement must name the full key, and returns nothing of what it changed beyond `RETURNING`.",
      ],
    },
  ],
  see: {
    topics: ["scans", "batches", "conditional-writes"],
    rules: ["scan-in-pattern", "condition-in-batch"],
  },
};
