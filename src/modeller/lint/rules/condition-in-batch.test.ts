import { testAccessRule } from "../access.test-support.ts";
import { conditionInBatch } from "./condition-in-batch.ts";

testAccessRule(conditionInBatch, {
  "a batch with a condition": {
    bad: [["create: Comment, condition: absent", "create: Comment, condition: absent, batch: 10"]],
    at: ["patterns.comment.batch"],
    line: "batch: 10",
    says: ["has a condition", "10 items need as many requests"],
    good: {
      "a batch without": [["create: Comment, condition: absent", "create: Comment, batch: 10"]],
      "a transaction": [
        [
          "create: Comment, condition: absent",
          "transaction: [{ create: Comment, average: 10, condition: absent }]",
        ],
      ],
    },
  },
  "a plan with a batch": {
    bad: [
      [
        "design:\n",
        "design:\n  plans:\n    comment: { steps: [{ operation: BatchWriteItem, table: Desk }] }\n",
      ],
    ],
    at: ["design.plans.comment.steps[0]"],
    line: "BatchWriteItem",
    says: ["Pattern comment (Say something)"],
  },
});
