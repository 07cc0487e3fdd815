import { testAccessRule } from "../access.test-support.ts";
import { indexForSmallCollection } from "./index-for-small-collection.ts";

const index = (rate: number) =>
  [
    [
      "      indexes:\n",
      "      indexes:\n        ByWords: { key: { partition: ticketId, sort: words }, projection: keys }\n",
    ],
    [
      "patterns:\n",
      `patterns:\n  sorted: { name: Comments by their words, read: Comment, where: { ticketId: equals }, order: { words: ascending }, returns: [ticketId, commentId, words], limit: all, rps: { average: ${rate}, peak: ${rate} } }\n`,
    ],
  ] as const;

testAccessRule(indexForSmallCollection, {
  "four comments of a ticket": {
    bad: index(1),
    at: ["design.tables.Desk.indexes.ByWords"],
    line: "ByWords: {",
    says: ["sorted from Desk", "B at most for one answer"],
    fixed: "      indexes:\n        Waiting:",
    good: {
      "an index without which nothing is lost": [
        [
          "      indexes:\n",
          "      indexes:\n        TicketsOfTeam: { key: { partition: teamId, sort: ticketId }, projection: [topic] }\n",
        ],
        ["limit: 20, rps", "limit: 20, returns: [ticketId, topic], rps"],
        ["{ average: 30, peak: 100 }", "{ average: 1, peak: 10 }"],
      ],
      "a thousand tickets of a team": [
        [
          "      indexes:\n",
          "      indexes:\n        ByTopic: { key: { partition: teamId, sort: topic }, projection: [state] }\n",
        ],
        [
          "patterns:\n",
          "patterns:\n  sorted: { name: Tickets by topic, read: Ticket, where: { teamId: equals }, order: { topic: ascending }, returns: [ticketId, topic], limit: 20, rps: 0.001 }\n",
        ],
      ],
    },
  },
});
