import { testAccessRule } from "../access.test-support.ts";
import { scopeNotLeading } from "./scope-not-leading.ts";

testAccessRule(scopeNotLeading, {
  "a read under another key": {
    bad: [["limit: 100", "limit: 100, scope: [commentId]"]],
    at: ["patterns.comments.scope"],
    line: "scope: [commentId]",
    says: ["bound to commentId", "The partition key of Desk is 'K#{ticketId}'"],
    good: { "a scope that leads": [["limit: 20", "limit: 20, scope: [teamId]"]] },
  },
  "a write under another key": {
    bad: [
      [
        "create: Session, condition: absent",
        "create: Session, condition: absent, scope: [agentId]",
      ],
    ],
    at: ["patterns.enter.scope"],
    line: "scope: [agentId]",
    says: ["the partition key of Session in Sessions"],
    good: {
      "a guard beside it that has another key": [
        ["create: Agent, condition: absent", "create: Agent, condition: absent, scope: [agentId]"],
      ],
    },
  },
});
