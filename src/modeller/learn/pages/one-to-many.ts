import type { PatternPage } from "../page.ts";

export const page: PatternPage = {
  id: "one-to-many",
  summary: "Children carry their parent's id in the partition key, so one Query lists them.",
  when: [
    "A customer's orders, a post's comments, a repository's issues: the many are listed by the one.",
    "The children are too many, too large or too lively to be embedded.",
  ],
  how: [
    "Partition key: the parent's id. Sort key: what the list is ordered by, then the child's id. If the parent lies under the same partition key, one Query returns it too.",
    "If children are also asked for by their own id alone, put the id into the request path with the parent's, or add an index on it.",
  ],
  pitfalls: [
    "The largest parent decides about heat: a million children of one parent, or 1,000 writes a second to one, need shards.",
    "The list needs a limit and a next page.",
    "Reading the children one by one is N+1 calls.",
  ],
  example: {
    model: `
keywright: 1
name: comments
overview: { domain: forum, scale: { users: 80_000 } }
entities:
  Post:
    id: [postId]
    count: 10_000
    attributes: { postId: { type: S, format: ulid }, title: { type: S, bytes: 60 } }
  Comment:
    id: [commentId]
    count: 200_000
    attributes:
      commentId: { type: S, format: ulid }
      postId: { type: S, format: ulid, mutable: false }
      writtenAt: { type: S, format: iso-time, mutable: false }
      text: { type: S, bytes: { min: 20, max: 500 } }
relations: [{ from: Post, to: Comment, kind: one-to-many, average: 20, max: 5_000 }]
patterns:
  comments:
    name: The newest comments on a post
    read: Comment
    where: { postId: equals }
    order: { writtenAt: descending }
    limit: 20
    rps: { average: 40, peak: 200 }
  write:
    { name: Comment, create: Comment, condition: absent, rps: { average: 2, peak: 30 } }
  post: { name: A post, read: Post, where: { postId: equals }, rps: { average: 9, peak: 50 } }
  publish: { name: Publish, create: Post, condition: absent, rps: { average: 0.1, peak: 2 } }
design:
  tables:
    Posts:
      purpose: posts with their comments
      key: { postId: S, part: S }
      entities:
        Post: { key: { postId: "{postId}", part: POST } }
        Comment: { key: { postId: "{postId}", part: "COMMENT#{writtenAt}#{commentId}" } }
`,
    requests: [
      {
        pattern: "comments",
        operation: "Query",
        input: {
          TableName: "Posts",
          KeyConditionExpression: "postId = :post AND begins_with(part, :kind)",
          ExpressionAttributeValues: { ":post": { S: "01J9" }, ":kind": { S: "COMMENT#" } },
          ScanIndexForward: false,
          Limit: 20,
        },
      },
    ],
  },
  see: {
    topics: ["identifying-relationship", "item-collection", "ordering-prefix", "paging"],
    examples: ["online-shop", "code-hosting", "device-readings"],
    rules: ["replaceable-index", "n-plus-one", "unlimited-list", "unbounded-list"],
  },
};
