import { testAccessRule } from "../access.test-support.ts";
import { batchWithoutRetry } from "./batch-without-retry.ts";

const one = "create: Comment, condition: absent";

testAccessRule(batchWithoutRetry, {
  "a batch of writes": {
    bad: [[one, "create: Comment, batch: 10"]],
    at: ["patterns.comment"],
    line: "comment: {",
    says: ["10 items (10 write units)", "4 times per second, 30 at peak"],
    good: {
      "a batch that says what it does": [
        [one, "create: Comment, batch: 10, considerations: [unprocessed items are sent again]"],
      ],
      "one item": [[one, "create: Comment"]],
    },
  },
});
