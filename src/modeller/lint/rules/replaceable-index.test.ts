import { testAccessRule } from "../access.test-support.ts";
import { replaceableIndex } from "./replaceable-index.ts";

const index = (name: string, key: string) =>
  [
    "      indexes:\n",
    `      indexes:\n        ${name}: { key: ${key}, projection: all }\n`,
  ] as const;
const own = `owner: "K#{ticketId}", part: "{commentId}"`;

testAccessRule(replaceableIndex, {
  // Its entries are smaller than the items, so reads go there; but they are few, and writes pay for it.
  "what the table's key does as well": {
    bad: [
      index("TicketsOfTeam", "{ partition: teamId, sort: ticketId }"),
      ["limit: 20, rps", "limit: 20, returns: [ticketId, topic], rps"],
      ["projection: all }", "projection: [topic] }"],
      ["{ average: 30, peak: 100 }", "{ average: 1, peak: 10 }"],
    ],
    at: ["design.tables.Desk.indexes.TicketsOfTeam"],
    line: "TicketsOfTeam: {",
    says: ["can be replaced", "1 pattern would be answered as well, tickets by Desk"],
    fixed: "      indexes:\n        Waiting:",
    good: {
      "an index that keeps an order": [
        [
          "      indexes:\n",
          "      indexes:\n        ByWords: { key: { partition: ticketId, sort: words }, projection: keys }\n",
        ],
        [
          "patterns:\n",
          "patterns:\n  sorted: { name: Comments by their words, read: Comment, where: { ticketId: equals }, order: { words: ascending }, returns: [commentId, words], limit: all, rps: 1 }\n",
        ],
      ],
      "an index that pays for itself": [
        index("TicketsOfTeam", "{ partition: teamId, sort: ticketId }"),
        ["limit: 20, rps", "limit: 20, returns: [ticketId, topic], rps"],
        ["projection: all }", "projection: [topic] }"],
        ["{ average: 30, peak: 100 }", "{ average: 3000, peak: 10000 }"],
      ],
    },
  },
  "a child under its own id": {
    bad: [
      [own, `owner: "K#{commentId}", part: COMMENT`],
      index("CommentsOfTicket", "{ partition: ticketId, sort: commentId }"),
      ["id: [teamId, ticketId]", "id: [ticketId]"],
    ],
    at: ["design.tables.Desk.indexes.CommentsOfTicket"],
    line: "CommentsOfTicket: {",
    says: ["finds Comment by ticketId", "all 1 pattern that read or change it know it"],
    good: {
      "a reader who knows only the child": [
        [own, `owner: "K#{commentId}", part: COMMENT`],
        index("CommentsOfTicket", "{ partition: ticketId, sort: commentId }"),
        ["id: [teamId, ticketId]", "id: [ticketId]"],
        [
          "patterns:\n",
          "patterns:\n  said: { name: A comment, read: Comment, where: { commentId: equals }, rps: 1 }\n",
        ],
      ],
    },
  },
});
