import { testAccessRule } from "../access.test-support.ts";
import { hotPartitionWrite } from "./hot-partition-write.ts";

const open = (rates: string) =>
  [
    "create: Ticket, condition: absent, rps: { average: 2, peak: 15 }",
    `create: Ticket, condition: absent, rps: ${rates}`,
  ] as const;

const counted = (by: string) =>
  [
    [
      "      fullName: { type: S, bytes: 30 }\n",
      "      fullName: { type: S, bytes: 30 }\n      logins: { type: N, digits: 6, counter: true }\n",
    ],
    [
      "      ttl: expiresAt\n",
      `      ttl: expiresAt\n      stream: new-image\n      aggregates: [{ of: Session, into: Agent.logins, by: ${by} }]\n`,
    ],
    [
      "rps: { average: 1, peak: 20 }",
      "rps: { average: 1, peak: 4_000 }, skew: { key: agentId, hottest: 0.5 }",
    ],
  ] as const;

testAccessRule(hotPartitionWrite, {
  // One write unit each, and a fifth of 10,000 goes to one team.
  "a team that has most of it": {
    bad: [open("{ average: 100, peak: 10_000 }, skew: { key: teamId, hottest: 0.2 }")],
    at: ["design.tables.Desk.entities.Team.key.owner"],
    line: `Team: { key: { owner: "T#{teamId}"`,
    says: ["'T#{teamId}' of Desk", "of 1,000 keys", "2,000 by open (20 % of it)"],
    // 2,000 of 10,000 and a little more go there, of which 1,000 are served.
    price: { throttled: 0.1 },
    good: {
      "teams alike": [open("{ average: 100, peak: 10_000 }")],
      "a counter, of which another rule speaks": [
        [
          "changes: [title], condition: exists, rps: { average: 0.01, peak: 1 }",
          "adds: { solved: 1 }, rps: { average: 1, peak: 4_000 }, skew: { key: teamId, hottest: 0.5 }",
        ],
      ],
      "shards, of which another rule speaks": [
        [
          `owner: "K#{ticketId}", part: "{commentId}"`,
          `owner: "K#{ticketId}#{shard:4}", part: "{commentId}"`,
        ],
        [
          "create: Comment, condition: absent, rps: { average: 4, peak: 30 }",
          "create: Comment, condition: absent, rps: { average: 4, peak: 10_000 }, skew: { key: ticketId, hottest: 0.5 }",
        ],
      ],
    },
  },
  // Every session adds to a number of its agent, and half of them are of one.
  "a number that a stream keeps": {
    bad: counted("stream"),
    at: ["design.tables.Agents.entities.Agent.key.agentId"],
    line: `Agent: { key: { agentId: "{agentId}" } }`,
    says: ["2,000 by Agent.logins by stream", "a collection with no sort key is never split"],
    good: { "a number that is counted once a minute": counted("{ schedule: rate(1 minute) }") },
  },
});
