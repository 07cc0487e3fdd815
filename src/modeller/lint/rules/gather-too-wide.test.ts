import { testAccessRule } from "../access.test-support.ts";
import { gatherTooWide } from "./gather-too-wide.ts";

const sharded = (count: number) =>
  [
    `owner: "T#{teamId}", part: "TICKET#{ticketId}"`,
    `owner: "T#{teamId}#{shard:${count}:ticketId}", part: "TICKET#{ticketId}"`,
  ] as const;

testAccessRule(gatherTooWide, {
  "twenty shards for twenty items": {
    bad: [sharded(20)],
    at: ["patterns.tickets"],
    line: "tickets: {",
    says: ["asks 20 keys of Desk", "20 shards: one run reads 400 items", "returns 20"],
    good: {
      "four shards": [sharded(4)],
      "all of it is wanted": [sharded(20), ["limit: 20", "limit: all"]],
      "hardly ever": [sharded(20), ["{ average: 30, peak: 100 }", "{ average: 0.1, peak: 1 }"]],
    },
  },
});
