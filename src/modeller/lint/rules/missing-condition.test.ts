import { testAccessRule } from "../access.test-support.ts";
import { missingCondition } from "./missing-condition.ts";

testAccessRule(missingCondition, {
  "a change of an entity with a version": {
    bad: [["condition: version, writers: 2", "writers: 2"]],
    at: ["patterns.edit"],
    line: "edit: {",
    says: ["changes Agent without a condition", "2 writers at once", "sets fullName"],
    fixed: "condition: version",
    good: { "one writer": [["condition: version, writers: 2", "writers: 1"]] },
  },
  "a change without a version": {
    bad: [["condition: { state: { equals: open } }, writers: 2", "writers: { assumed: 3 }"]],
    at: ["patterns.close"],
    line: "close: {",
    says: ["3 (assumed) writers at once", "sets state"],
    good: {
      "a new item": [["create: Comment, condition: absent", "create: Comment, writers: 5"]],
      "a number that is added to": [
        ["changes: [title], condition: exists", "adds: { solved: 1 }, writers: 5"],
      ],
    },
  },
});
