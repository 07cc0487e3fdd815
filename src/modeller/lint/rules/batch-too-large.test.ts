import { testAccessRule } from "../access.test-support.ts";
import { batchTooLarge } from "./batch-too-large.ts";

const one = "create: Comment, condition: absent";
const agent = "read: Agent, where: { agentId: equals }";

testAccessRule(batchTooLarge, {
  "a batch of thirty": {
    bad: [[one, "create: Comment, batch: 30"]],
    at: ["patterns.comment"],
    line: "comment: {",
    says: ["30 items in one BatchWriteItem", "takes 25 items and 16 MB"],
    good: {
      "a batch of 25": [[one, "create: Comment, batch: 25"]],
      "what follows from a long list": [
        ["projection: [ticketId, topic]", "projection: keys"],
        ["values: { open: 0.05, closed: 0.95 }", "values: { open: 0.5, closed: 0.5 }"],
        ["limit: 50", "limit: 300"],
      ],
    },
  },
  "a transaction of more than a hundred": {
    bad: [
      [
        "create: Agent, condition: absent",
        "transaction: [{ create: Agent, average: 60, condition: absent }]",
      ],
    ],
    at: ["patterns.hire"],
    line: "hire: {",
    says: ["120 items in one TransactWriteItems"],
  },
  "a batch of many bytes": {
    bad: [
      [agent, "read: Agent, where: { agentId: one-of }, batch: 60"],
      ["fullName: { type: S, bytes: 30 }", "fullName: { type: S, bytes: 300 KB }"],
    ],
    at: ["patterns.agent"],
    line: "agent: {",
    says: ["17.58 MB in one BatchGetItem"],
    good: { "small items": [[agent, "read: Agent, where: { agentId: one-of }, batch: 60"]] },
  },
});
