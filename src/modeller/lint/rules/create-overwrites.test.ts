import { testAccessRule } from "../access.test-support.ts";
import { createOverwrites } from "./create-overwrites.ts";

testAccessRule(createOverwrites, {
  "an id that somebody chooses": {
    bad: [["create: Agent, condition: absent", "create: Agent"]],
    at: ["patterns.hire"],
    line: "hire: {",
    says: ["creates Agent without a condition", "The id agentId is not drawn anew"],
    fixed: "condition: absent",
    good: {
      "an id that is drawn": [["create: Comment, condition: absent", "create: Comment"]],
      "a line in a list": [
        ["id: [ticketId, commentId]", "id: [agentId, words]"],
        [
          "      commentId: { type: S, format: ulid }\n",
          "      commentId: { type: S, format: ulid }\n      agentId: { type: S, bytes: 10 }\n",
        ],
        [`        Comment: { key: { owner: "K#{ticketId}", part: "{commentId}" } }\n`, ""],
        [
          `Agent: { key: { agentId: "{agentId}" } }`,
          `Agent: { key: { agentId: "{agentId}" }, embeds: [{ entity: Comment, as: said }] }`,
        ],
        ["create: Comment, condition: absent", "create: Comment"],
      ],
      "a batch": [["create: Agent, condition: absent", "create: Agent, batch: 10"]],
    },
  },
  "a step of a transaction": {
    bad: [
      [
        "create: Agent, condition: absent,",
        "transaction: [{ create: Team }, { create: Agent, condition: absent }],",
      ],
    ],
    at: ["patterns.hire.transaction[0]"],
    line: "hire: {",
    says: ["creates Team without a condition"],
    fixed: "{ create: Team, condition: absent }",
    good: {
      "what belongs to something new": [
        ["id: [ticketId, commentId]", "id: [agentId, words]"],
        [
          "      words: { type: S, bytes: 300 }\n",
          "      words: { type: S, bytes: 300 }\n      agentId: { type: S, bytes: 10 }\n",
        ],
        [
          "create: Agent, condition: absent,",
          "transaction: [{ create: Comment }, { create: Agent, condition: absent }],",
        ],
      ],
    },
  },
});
