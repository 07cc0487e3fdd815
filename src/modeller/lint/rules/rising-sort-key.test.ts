import { testAccessRule } from "../access.test-support.ts";
import { risingSortKey } from "./rising-sort-key.ts";

const comments = (peak: number) =>
  [
    "create: Comment, condition: absent, rps: { average: 4, peak: 30 }",
    `create: Comment, condition: absent, rps: { average: 4, peak: ${peak} }, skew: { key: ticketId, hottest: 0.5 }`,
  ] as const;

testAccessRule(risingSortKey, {
  "ids in the order of time": {
    bad: [comments(1_400)],
    at: ["design.tables.Desk.entities.Comment.key.owner"],
    line: `owner: "K#{ticketId}"`,
    says: ["comes in the order of its sort key", "700 write units per second", "at the end"],
    good: {
      "a quiet collection": [comments(900)],
      "ids in no order": [
        comments(1_400),
        ["commentId: { type: S, format: ulid }", "commentId: { type: S, format: uuid }"],
      ],
    },
  },
});
