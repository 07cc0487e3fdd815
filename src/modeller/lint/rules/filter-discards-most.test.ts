import { testAccessRule } from "../access.test-support.ts";
import { filterDiscardsMost } from "./filter-discards-most.ts";

const index = "          only: { Ticket: { state: { equals: open } } }\n";

testAccessRule(filterDiscardsMost, {
  // The index holds all tickets of a team, of which one in twenty is open.
  "one of twenty passes": {
    bad: [
      [index, ""],
      ["projection: [ticketId, topic]", "projection: [ticketId, topic, state]"],
    ],
    at: ["patterns.waiting"],
    line: "waiting: {",
    says: ["throws away 95 %", "index Waiting of Desk", "keeps 50: a filter on state"],
    good: {
      "what one read unit holds anyway": [
        [
          "where: { ticketId: equals }, order: { commentId",
          "where: { ticketId: equals, words: equals }, order: { commentId",
        ],
        ["words: { type: S, bytes: 300 }", "words: { type: S, bytes: 300, distinct: 1_000 }"],
      ],
      "a Scan, of which another rule speaks": [
        ["read: Agent, where: { agentId: equals }", "read: Agent, where: { fullName: equals }"],
        ["fullName: { type: S, bytes: 30 }", "fullName: { type: S, bytes: 30, distinct: 5_000 }"],
      ],
      "all of a range": [["order: { ticketId: descending }, limit: 20", "limit: all, matches: 20"]],
      "half of them pass": [
        [index, ""],
        ["projection: [ticketId, topic]", "projection: [ticketId, topic, state]"],
        ["values: { open: 0.05, closed: 0.95 }", "values: { open: 0.5, closed: 0.5 }"],
      ],
    },
  },
  "others lie between": {
    bad: [
      [
        `owner: "K#{ticketId}", part: "{commentId}"`,
        `owner: "T#{teamId}", part: "TICKET#{ticketId}#{commentId}"`,
      ],
      ["id: [ticketId, commentId]", "id: [teamId, ticketId, commentId]"],
      [
        "      ticketId: { type: S, format: ulid, distinct: 1_000_000 }\n",
        "      teamId: { type: S, bytes: 10 }\n      ticketId: { type: S, format: ulid, distinct: 1_000_000 }\n",
      ],
      [
        "where: { ticketId: equals }, order: { commentId",
        "where: { teamId: equals, ticketId: equals }, order: { commentId",
      ],
      ["{ average: 4, peak: 30 }", "{ average: 40, peak: 300 }"],
      ["count: 4_000_000", "count: 400_000_000"],
      ["order: { ticketId: descending }, limit: 20", "order: { openedAt: descending }, limit: 20"],
    ],
    at: ["patterns.tickets"],
    line: "tickets: {",
    says: ["throws away 99.8 %", "Comment beside them"],
  },
});
