import { testAccessRule } from "../access.test-support.ts";
import { tooManyShards } from "./too-many-shards.ts";

const comments = (count: number, more = "") =>
  [
    [
      `owner: "K#{ticketId}", part: "{commentId}"`,
      `owner: "K#{ticketId}#{shard:${count}}", part: "{commentId}"`,
    ],
    [
      "create: Comment, condition: absent, rps: { average: 4, peak: 30 }",
      `create: Comment, condition: absent, rps: { average: 4, peak: ${more === "" ? 30 : 10_000} }${more}`,
    ],
  ] as const;

testAccessRule(tooManyShards, {
  "ten shards for a few writes": {
    bad: comments(10),
    at: ["design.tables.Desk.entities.Comment.key.owner"],
    line: "shard:10",
    says: ["has 10 shards and needs 1", "comments asks all shards, 100 read units per second"],
    // 10 shards at half a unit, 20 times per second; with two of them 20 units: 80 × 0.3285.
    price: 26.28,
    good: {
      "hardly ever read": [
        ...comments(10),
        [
          "limit: 100, rps: { average: 20, peak: 80 }",
          "limit: 100, rps: { average: 0.1, peak: 1 }",
        ],
      ],
      "as many as are needed": comments(10, ", skew: { key: ticketId, hottest: 0.8 }"),
      "two for reserve": comments(2),
    },
  },
});
