import { testAccessRule } from "../access.test-support.ts";
import { tooFewShards } from "./too-few-shards.ts";

const comments = (shards: string, peak: number) =>
  [
    [
      `owner: "K#{ticketId}", part: "{commentId}"`,
      `owner: "K#{ticketId}#{${shards}}", part: "{commentId}"`,
    ],
    [
      "create: Comment, condition: absent, rps: { average: 4, peak: 30 }",
      `create: Comment, condition: absent, rps: { average: 4, peak: ${peak} }, skew: { key: ticketId, hottest: 0.5 }`,
    ],
  ] as const;

testAccessRule(tooFewShards, {
  // Half of 10,000 on four shards are 1,250 each; 1,000 of them are served: 0.2 of 0.125 of all.
  "four where five are needed": {
    bad: comments("shard:4", 10_000),
    at: ["design.tables.Desk.entities.Comment.key.owner"],
    line: "shard:4",
    says: ["The 4 shards", "1,250 write units", "without shards it were 5,000"],
    price: { throttled: 0.025 },
    good: {
      "no shards at all": comments("shard:4", 10_000).slice(1),
      five: comments("shard:5", 10_000),
      "four of which each takes its part": comments("shard:4", 8_000),
    },
  },
  "shards by time": {
    bad: comments("shard:24:hour", 4_000),
    at: ["design.tables.Desk.entities.Comment.key.owner"],
    line: "shard:24:hour",
    says: ["2,000 write units", "a shard by time takes all that is written now"],
  },
});
