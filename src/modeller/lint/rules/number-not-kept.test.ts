import { testAccessRule } from "../access.test-support.ts";
import { numberNotKept } from "./number-not-kept.ts";

const title = "      title: { type: S, bytes: 30 }\n";
const tickets = (staleness: string) =>
  [
    title,
    `${title}      tickets: { type: N, digits: 4, keeps: { count: Ticket }, staleness: ${staleness} }\n`,
  ] as const;
const kept = (by: string, of = "Ticket") =>
  [
    "      discriminator: kind\n",
    `      discriminator: kind\n      stream: new-image\n      consumers: [{ name: tickets }]\n      aggregates: [{ of: ${of}, into: Team.tickets, by: ${by} }]\n`,
  ] as const;

testAccessRule(numberNotKept, {
  "a number that nobody keeps": {
    bad: [tickets("accepted")],
    at: ["entities.Team.attributes.tickets"],
    line: "tickets:",
    says: ["is the number of Ticket, and nothing keeps it", "open makes or takes away a Ticket"],
    good: {
      "a stream": [tickets("accepted"), kept("stream")],
      "a pattern that sees to it": [
        tickets("accepted"),
        [
          "create: Ticket, condition: absent,",
          "transaction: [{ create: Ticket, condition: absent }, { update: Team, where: { teamId: equals }, adds: { tickets: 1 } }],",
        ],
      ],
    },
  },
  "a number that is of something else": {
    bad: [tickets("accepted"), kept("stream", "Comment")],
    at: ["entities.Team.attributes.tickets"],
    line: "tickets:",
    says: ["what the design keeps there is something else"],
    good: { "a transaction": [tickets("accepted"), kept("transaction")] },
  },
  "a number that must not be behind": {
    bad: [tickets("refused"), kept("stream")],
    at: ["design.tables.Desk.aggregates[0]"],
    line: "aggregates",
    says: ["must not be behind, and a stream keeps it"],
    good: { "a transaction": [tickets("refused"), kept("transaction")] },
  },
});
