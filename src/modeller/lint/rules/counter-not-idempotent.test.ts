import { testAccessRule } from "../access.test-support.ts";
import { counterNotIdempotent } from "./counter-not-idempotent.ts";

const rename = "changes: [title], condition: exists";
const stream = (consumer: string) =>
  [
    "      discriminator: kind\n",
    `      discriminator: kind\n      stream: new-image\n      consumers: [${consumer}]\n      aggregates: [{ of: Ticket, into: Team.solved, by: stream }]\n`,
  ] as const;

testAccessRule(counterNotIdempotent, {
  "an update that adds": {
    bad: [[rename, "adds: { solved: 1 }"]],
    at: ["patterns.rename"],
    line: "rename: {",
    says: ["adds to solved of Team", "0.01 times per second"],
    good: {
      "a transaction, which has a token": [
        [
          "update: Team, where: { teamId: equals }, changes: [title], condition: exists,",
          "transaction: [{ update: Team, where: { teamId: equals }, adds: { solved: 1 } }],",
        ],
      ],
      "a condition": [[rename, "adds: { solved: 1 }, condition: { solved: { equals: $before } }"]],
      "a consideration": [[rename, "adds: { solved: 1 }, considerations: [twice does no harm]"]],
    },
  },
  "a number that a stream keeps": {
    bad: [stream("{ name: counts }")],
    at: ["design.tables.Desk.aggregates[0]"],
    line: "aggregates",
    says: ["keeps Team.solved", "the count of Ticket"],
    good: {
      "a consumer that knows": [stream("{ name: counts, purpose: skips what came twice }")],
      "a schedule": [
        [
          "      discriminator: kind\n",
          "      discriminator: kind\n      aggregates: [{ of: Ticket, into: Team.solved, by: { schedule: rate(1 hour) } }]\n",
        ],
      ],
    },
  },
});
