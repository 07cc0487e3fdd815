import { testAccessRule } from "../access.test-support.ts";
import { nPlusOne } from "./n-plus-one.ts";

const flow = (steps: string) => `workflows:\n  shift: { steps: [${steps}] }\ndesign:\n`;

testAccessRule(nPlusOne, {
  "a Query for each result": {
    bad: [["limit: 20", "limit: 20, together: [{ entity: Comment, limit: all }]"]],
    at: ["patterns.tickets"],
    line: "tickets: {",
    says: ["a Query of Desk for each item", "20 Queries with 10 read units", "30 times per second"],
    good: {
      "items that are fetched in one batch": [
        ["projection: [ticketId, topic]", "projection: keys"],
      ],
      "one item and what belongs to it": [
        [
          "read: Ticket, where: { teamId: equals, ticketId: equals }, rps",
          "read: Ticket, where: { teamId: equals, ticketId: equals }, together: [{ entity: Comment, limit: all }], rps",
        ],
      ],
    },
  },
  "a loop in a workflow": {
    bad: [["design:\n", flow("waiting, ticket, ticket, ticket")]],
    at: ["workflows.shift.steps"],
    line: "shift: {",
    says: ["ticket stands 3 times among its 4 steps"],
    good: {
      "the same twice": [["design:\n", flow("waiting, ticket, close, ticket")]],
      "a write that is made again and again": [["design:\n", flow("waiting, close, close, close")]],
    },
  },
});
