import { testAccessRule } from "../access.test-support.ts";
import { transactionWithoutNeed } from "./transaction-without-need.ts";

const one = "create: Comment, condition: absent";

testAccessRule(transactionWithoutNeed, {
  "one comment": {
    bad: [[one, "transaction: [{ create: Comment, condition: absent }]"]],
    at: ["patterns.comment.transaction"],
    line: "comment: {",
    says: ["a transaction of one item", "2 write units of Desk instead of 1"],
    // 1 × 4 × 2,628,000 × 0.625 / 1,000,000
    price: 6.57,
    fixed: "create: Comment, condition: absent",
    good: {
      "ten comments": [[one, "transaction: [{ create: Comment, average: 10, condition: absent }]"]],
      "two items": [
        [
          one,
          "transaction: [{ create: Comment, condition: absent }, { update: Team, where: { teamId: equals }, adds: { solved: 1 } }]",
        ],
      ],
      "an item with its guard": [
        ["create: Agent, condition: absent", "transaction: [{ create: Agent, condition: absent }]"],
      ],
    },
  },
});
