import { testAccessRule } from "../access.test-support.ts";
import { strongReadWithoutNeed } from "./strong-read-without-need.ts";

const ticket = "read: Ticket, where: { teamId: equals, ticketId: equals }";
const found =
  "  found: { name: Make a team, create: Team, condition: absent, rps: { average: 0.01, peak: 1 } }\n";
const rename =
  "  rename: { name: Rename a team, update: Team, where: { teamId: equals }, changes: [title], condition: exists, rps: { average: 0.01, peak: 1 } }\n";

testAccessRule(strongReadWithoutNeed, {
  "no reason": {
    bad: [[ticket, `${ticket}, consistency: strong`]],
    at: ["patterns.ticket.consistency"],
    line: "consistency: strong",
    says: ["Ticket is written 4 times per second", "1 read units instead of 0.5"],
    // 0.5 × 20 × 2,628,000 × 0.125 / 1,000,000
    price: 3.285,
    good: {
      "a reason": [
        [ticket, `${ticket}, consistency: strong, requirements: [who closes it sees it closed]`],
      ],
    },
  },
  "nobody writes": {
    bad: [
      [
        "read: Team, where: { teamId: equals }",
        "read: Team, where: { teamId: equals }, consistency: strong",
      ],
      [found, ""],
      [rename, ""],
    ],
    at: ["patterns.team.consistency"],
    line: "consistency: strong",
    says: ["No pattern writes Team"],
    price: 3.285,
    fixed: "where: { teamId: equals }, rps: { average: 20, peak: 90 }",
  },
});
