import { testAccessRule } from "../access.test-support.ts";
import { strongReadOnIndex } from "./strong-read-on-index.ts";

testAccessRule(strongReadOnIndex, {
  "a question that only an index answers": {
    bad: [
      [
        "where: { teamId: equals, state: { equals: open } }",
        "where: { topic: equals }, consistency: strong",
      ],
      [
        "      indexes:\n",
        "      indexes:\n        ByTopic: { key: { partition: topic, sort: openedAt }, projection: all }\n",
      ],
    ],
    at: ["patterns.waiting.consistency"],
    line: "consistency: strong",
    says: ["only the global index Desk.ByTopic", "all of Desk would be read by Scan"],
    good: {
      "a strong read of the table": [["limit: 20", "limit: 20, consistency: strong"]],
      "a strong read that a table answers at a higher price": [
        ["limit: 50", "limit: 50, consistency: strong"],
      ],
    },
  },
  "a plan that says so": {
    bad: [
      ["limit: 50", "limit: 50, consistency: strong"],
      [
        "design:\n",
        "design:\n  plans:\n    waiting: { steps: [{ operation: Query, table: Desk, index: Waiting }] }\n",
      ],
    ],
    at: ["patterns.waiting.consistency"],
    line: "consistency: strong",
    says: ["only the global index Desk.Waiting", "a global index refuses ConsistentRead"],
  },
});
