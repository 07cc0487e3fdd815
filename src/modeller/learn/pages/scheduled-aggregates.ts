import type { PatternPage } from "../page.ts";

export const page: PatternPage = {
  id: "scheduled-aggregates",
  summary: "A job sums up every minute or hour: simple, repeatable, and as late as its schedule.",
  when: [
    "Totals over shards, dashboards, daily figures.",
    "A minute or an hour late is fine, and the data to read each time is bounded.",
  ],
  how: [
    "A function on a schedule queries what is new since the last run, or the shards of a total, and writes the result. It runs outside the table's request path and can run again without harm, because it replaces the result instead of adding.",
  ],
  pitfalls: [
    "Scanning the whole table every minute costs more than a stream. Read only the newest keys, or the sparse ones.",
    "Two runs at once: take a lock item with a condition, or make the result depend on the period alone.",
    "Give the job units of its own on provisioned tables: it must not starve users.",
  ],
  example: {
    model: `
keywright: 1
name: like-counts
overview: { domain: social media, scale: { users: 400_000 } }
entities:
  Post:
    id: [postId]
    count: 1_000_000
    attributes:
      postId: { type: S, format: ulid }
      text: { type: S, bytes: 280 }
      likes: { type: N, digits: 5, counter: true }
  Like:
    id: [postId, personId]
    count: 10_000_000
    attributes: { postId: { type: S, format: ulid }, personId: { type: S, format: ulid } }
patterns:
  like: { name: Like, create: Like, condition: absent, rps: { average: 30, peak: 900 } }
  post:
    name: A post
    read: Post
    where: { postId: equals }
    rps: { average: 300, peak: 2_000 }
  publish: { name: Post, create: Post, condition: absent, rps: { average: 1, peak: 20 } }
design:
  tables:
    Posts:
      purpose: posts and who likes them
      key: { postId: S, part: S }
      entities:
        Post: { key: { postId: "{postId}", part: POST } }
        Like: { key: { postId: "{postId}", part: "LIKE#{personId}" } }
      aggregates: [{ of: Like, into: Post.likes, by: { schedule: rate(1 minute) } }]
  tradeoffs: [likes are counted a minute late]
`,
    requests: [
      {
        pattern: "like",
        operation: "PutItem",
        input: {
          TableName: "Posts",
          Item: { postId: { S: "01JH" }, part: { S: "LIKE#01J9" }, personId: { S: "01J9" } },
          ConditionExpression: "attribute_not_exists(postId)",
        },
      },
    ],
  },
  see: {
    topics: ["stream-aggregates", "write-sharding", "scans"],
    examples: ["social-network", "voting"],
    rules: ["hot-counter", "counter-not-idempotent"],
  },
};
