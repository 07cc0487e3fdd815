import type { PatternPage } from "../page.ts";

export const page: PatternPage = {
  id: "versioning",
  summary:
    "Every version is an item under the document's key; the newest is the last of a query, or a copy of its own.",
  when: [
    "History is asked for: who changed what, give me version 7, undo.",
    "The newest is read far more often than the rest.",
  ],
  how: [
    "Sort key: the version as a number, or padded: `v{version|pad:6}`. The newest by a Query backwards with `Limit: 1`. If it is read very often, also keep a copy under a fixed key, `v0`, and write both in one transaction.",
    "Creation is conditional on absence, so two editors cannot both make version 8.",
  ],
  pitfalls: [
    "`v10` sorts before `v2`: pad, or use N.",
    "Versions of a large document add up: store differences, or the text in S3, or expire old ones.",
    "With a copy, a write costs both items, twice in a transaction.",
    "A busy document with rising versions is one hot key.",
  ],
  example: {
    model: `
keywright: 1
name: documents
overview: { domain: office software, scale: { users: 20_000 } }
entities:
  Document:
    id: [docId, version]
    count: 400_000
    attributes:
      docId: { type: S, format: ulid }
      version: { type: N, digits: 3 }
      text: { type: S, bytes: 3 KB, mutable: false }
      savedAt: { type: S, format: iso-time, mutable: false }
patterns:
  newest:
    name: The newest version
    read: Document
    where: { docId: equals }
    order: { version: descending }
    limit: 1
    rps: { average: 50, peak: 300 }
  history:
    name: All versions, newest first
    read: Document
    where: { docId: equals }
    order: { version: descending }
    limit: 20
    rps: { average: 1, peak: 5 }
  save: { name: Save, create: Document, condition: absent, rps: { average: 2, peak: 15 } }
design:
  tables:
    Documents:
      purpose: all versions of documents
      key: { docId: S, version: N }
      entities: { Document: { key: { docId: "{docId}", version: "{version}" } } }
      versioning: { entity: Document, attribute: version, latest: query }
`,
    requests: [
      {
        pattern: "newest",
        operation: "Query",
        input: {
          TableName: "Documents",
          KeyConditionExpression: "docId = :doc",
          ExpressionAttributeValues: { ":doc": { S: "01JG" } },
          ScanIndexForward: false,
          Limit: 1,
        },
      },
    ],
  },
  see: {
    topics: ["optimistic-locking", "sorting", "large-items", "ttl"],
    examples: ["social-network", "documents"],
    rules: ["unpadded-number", "create-overwrites", "rising-sort-key"],
  },
};
