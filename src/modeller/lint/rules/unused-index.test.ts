import { testAccessRule } from "../access.test-support.ts";
import { unusedIndex } from "./unused-index.ts";

const added = (projection: string) =>
  [
    "      indexes:\n",
    `      indexes:\n        ByTopic: { key: { partition: topic, sort: openedAt }, projection: ${projection} }\n`,
  ] as const;

testAccessRule(unusedIndex, {
  // An entry: topic 5 + 60, openedAt 8 + 24, owner 5 + 12, part 4 + 33 = 151 B, and 100 B that are billed: a million
  // of them are 0.2338 GB. Opening a ticket writes one, at 2 per second; closing one does not touch it.
  "an index on topics": {
    bad: [added("keys")],
    at: ["design.tables.Desk.indexes.ByTopic"],
    line: "key: { partition: topic",
    says: [
      "ByTopic of Desk is read by no pattern",
      "1,000,000 entries",
      "2 write units per second",
    ],
    // 2 × 2,628,000 × 0.625 / 1,000,000 + 251,000,000 / 1,073,741,824 × 0.25
    price: 3.285 + 0.05844,
    fixed: "      indexes:\n        Waiting:",
    good: {
      "a pattern that reads it": [
        added("all"),
        [
          "patterns:\n",
          "patterns:\n  about: { name: Tickets on a topic, read: Ticket, where: { topic: equals }, limit: 20, rps: 1 }\n",
        ],
      ],
    },
  },
  "the only index": {
    bad: [
      [
        "  waiting: { name: Open tickets, read: Ticket, where: { teamId: equals, state: { equals: open } }, order: { openedAt: ascending }, limit: 50, returns: [ticketId, openedAt, topic], rps: { average: 10, peak: 40 } }\n",
        "",
      ],
    ],
    at: ["design.tables.Desk.indexes.Waiting"],
    line: "purpose: tickets that",
    says: ["50,000 entries", "2.1 write units per second"],
    fixed: `part: "{commentId}" } }\n      pitr: true`,
  },
});
