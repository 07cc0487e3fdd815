import { testAccessRule } from "../access.test-support.ts";
import { overProjection } from "./over-projection.ts";

testAccessRule(overProjection, {
  // waitingFor 10 + 10, openedAt 8 + 24, owner 5 + 12, part 4 + 33, ticketId 8 + 26, topic 5 + 60 are 205 B; teamId
  // 6 + 10, state 5 + 4, text 4 + 600 and kind 4 + 6 more are 844.
  "all instead of two": {
    bad: [["projection: [ticketId, topic]", "projection: all"]],
    at: ["design.tables.Desk.indexes.Waiting.projection"],
    line: "projection: all",
    says: ["holds state and text, which nobody reads there", "844 B on average instead of 205 B"],
    fixed: "projection: [ticketId, topic]",
    good: {
      "a few bytes": [["projection: [ticketId, topic]", "projection: [ticketId, topic, state]"]],
      "an index that nobody reads": [
        [
          "      indexes:\n",
          "      indexes:\n        ByTopic: { key: { partition: topic }, projection: all }\n",
        ],
      ],
      "all of it is read": [
        ["projection: [ticketId, topic]", "projection: all"],
        ["returns: [ticketId, openedAt, topic], ", ""],
      ],
    },
  },
  "nothing but the keys is read": {
    bad: [
      ["projection: [ticketId, topic]", "projection: [text]"],
      ["returns: [ticketId, openedAt, topic]", "returns: [openedAt]"],
    ],
    at: ["design.tables.Desk.indexes.Waiting.projection"],
    line: "projection: [text]",
    says: ["holds text, which nobody reads there"],
    fixed: "projection: keys",
  },
});
