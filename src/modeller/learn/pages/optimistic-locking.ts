import type { PatternPage } from "../page.ts";

export const page: PatternPage = {
  id: "optimistic-locking",
  summary:
    "A version number in the item: each writer says which version it saw, and only the first of two wins.",
  when: [
    "People or programs read, think, and write back several attributes.",
    "Conflicts are rare. If they are the rule, change the data instead: adds, separate items, a queue.",
  ],
  how: [
    "Read the item with its version. Update with the condition `version = :seen` and `SET …, version = :next`. On failure read again, merge or ask, and repeat a few times.",
    "In the model, `version` names the attribute and `condition: version` asks for the check.",
  ],
  pitfalls: [
    "All writers must take part. One without the condition undoes it.",
    "The sum takes placeholders: `version + :one`; a bare number is a syntax error.",
    "A busy counter under a lock is retried for ever: use ADD.",
    "Read strongly before a retry, or you retry with the same old version.",
  ],
  example: {
    model: `
keywright: 1
name: pages
overview: { domain: office software, scale: { users: 5_000 } }
entities:
  Page:
    id: [pageId]
    count: 20_000
    version: version
    attributes:
      pageId: { type: S, format: ulid }
      text: { type: S, bytes: 3 KB }
      version: { type: N, digits: 4 }
patterns:
  read:
    name: A page
    read: Page
    where: { pageId: equals }
    rps: { average: 40, peak: 200 }
  edit:
    name: Save a page
    update: Page
    where: { pageId: equals }
    changes: [text]
    condition: version
    writers: 3
    rps: { average: 1, peak: 10 }
  begin: { name: Begin, create: Page, condition: absent, rps: { average: 0.1, peak: 2 } }
design:
  tables:
    Pages:
      purpose: pages that several people write
      key: { pageId: S }
      entities: { Page: { key: { pageId: "{pageId}" } } }
`,
    requests: [
      {
        pattern: "edit",
        operation: "UpdateItem",
        input: {
          TableName: "Pages",
          Key: { pageId: { S: "01JF" } },
          UpdateExpression: "SET #text = :text, version = version + :one",
          ConditionExpression: "version = :seen",
          ExpressionAttributeNames: { "#text": "text" },
          ExpressionAttributeValues: {
            ":text": { S: "…" },
            ":one": { N: "1" },
            ":seen": { N: "7" },
          },
        },
      },
    ],
  },
  see: {
    topics: ["conditional-writes", "versioning", "read-consistency"],
    examples: ["online-shop", "documents", "game-leaderboard"],
    rules: ["missing-condition", "hot-counter"],
  },
};
