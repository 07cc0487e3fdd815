import { testAccessRule } from "../access.test-support.ts";
import { unlimitedList } from "./unlimited-list.ts";

const tickets = "order: { ticketId: descending }, limit: 20";

testAccessRule(unlimitedList, {
  "no limit": {
    bad: [[tickets, "order: { ticketId: descending }"]],
    at: ["patterns.tickets"],
    line: "tickets: {",
    says: ["reads a list of Ticket and says no limit", "1,000 items", "30 times per second"],
    good: {
      "a write that looks up what it deletes": [
        ["create: Comment, condition: absent", "delete: Comment, where: { ticketId: equals }"],
      ],
      "a batch": [
        [
          "read: Agent, where: { agentId: equals }",
          "read: Agent, where: { agentId: one-of }, batch: 50",
        ],
      ],
      "all of a few": [["limit: 100", "limit: all"]],
      "one item": [["order: { commentId: ascending }, limit: 100", "matches: 1"]],
    },
  },
  "all of many": {
    bad: [
      [tickets, "limit: all"],
      ["text: { type: S, bytes: 600 }", "text: { type: S, bytes: 2000 }"],
    ],
    at: ["patterns.tickets"],
    line: "tickets: {",
    says: ["reads all of Ticket, which is more than a page", "3 calls"],
    good: {
      "a job at night": [
        [tickets, "limit: all"],
        ["text: { type: S, bytes: 600 }", "text: { type: S, bytes: 2000 }"],
        ["{ average: 30, peak: 100 }", "{ average: 0.001, peak: 1 }"],
      ],
    },
  },
  "others without a limit": {
    bad: [
      [
        "where: { teamId: equals }, rps: { average: 20",
        "where: { teamId: equals }, together: [{ entity: Ticket }], rps: { average: 20",
      ],
    ],
    at: ["patterns.team.together[0]"],
    line: "team: {",
    says: ["reads a list of Ticket"],
  },
});
