import { testAccessRule } from "../access.test-support.ts";
import { duplicateIndex } from "./duplicate-index.ts";

const added = (first: string, second: string) =>
  [
    "      indexes:\n",
    `      indexes:\n        ByTopic: { key: ${first} }\n        Topics: { key: ${second} }\n`,
  ] as const;

testAccessRule(duplicateIndex, {
  "the same key": {
    bad: [added("{ partition: topic, sort: openedAt }", "{ partition: topic, sort: openedAt }")],
    at: ["design.tables.Desk.indexes.Topics"],
    line: "Topics: {",
    says: ["Topics of Desk holds nothing that index ByTopic", "1,000,000 entries"],
    fixed: "ByTopic: { key: { partition: topic, sort: openedAt } }\n        Waiting:",
    good: {
      "another partition key": [
        added("{ partition: topic, sort: openedAt }", "{ partition: teamId, sort: openedAt }"),
      ],
      "another order": [
        added("{ partition: topic, sort: openedAt }", "{ partition: topic, sort: ticketId }"),
      ],
    },
  },
  "a key that begins like another": {
    bad: [
      added(
        "{ partition: topic, sort: [openedAt, ticketId] }",
        "{ partition: topic, sort: openedAt }, projection: keys",
      ),
    ],
    at: ["design.tables.Desk.indexes.Topics"],
    line: "Topics: {",
    says: ["Both are by topic and openedAt, ByTopic also by ticketId"],
    fixed: "        Waiting:",
    good: {
      "more in it": [
        added(
          "{ partition: topic, sort: [openedAt, ticketId] }, projection: keys",
          "{ partition: topic, sort: openedAt }",
        ),
      ],
    },
  },
});
