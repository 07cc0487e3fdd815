import { testAccessRule } from "../access.test-support.ts";
import { transactionContention } from "./transaction-contention.ts";

const open = (skew: string) =>
  [
    "create: Ticket, condition: absent, rps: { average: 2, peak: 15 }",
    `transaction: [{ create: Ticket, condition: absent }, { update: Team, where: { teamId: equals }, adds: { solved: 1 } }], rps: { average: 20, peak: 150 }${skew}`,
  ] as const;

testAccessRule(transactionContention, {
  "a counter of the largest team": {
    bad: [open(", skew: { key: teamId, hottest: 0.2 }")],
    at: ["patterns.open"],
    line: "open: {",
    says: ["writes the same Team", "30 of them change the item", "45.1 % meet another one"],
    // 1 − e^(−150 × 0.2 × 0.02)
    price: { throttled: 0.4512 },
    good: {
      "a plain update": [
        [
          "changes: [title], condition: exists, rps: { average: 0.01, peak: 1 }",
          "adds: { solved: 1 }, rps: { average: 1, peak: 900 }, skew: { key: teamId, hottest: 0.5 }",
        ],
      ],
      "a thousand teams alike": [open("")],
      "an item for each": [
        [
          "create: Ticket, condition: absent",
          "transaction: [{ create: Ticket, condition: absent }]",
        ],
      ],
    },
  },
});
