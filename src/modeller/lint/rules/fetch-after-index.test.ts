import { testAccessRule } from "../access.test-support.ts";
import { fetchAfterIndex } from "./fetch-after-index.ts";

const rates = "returns: [ticketId, openedAt, topic], rps: { average: 10, peak: 40 }";

testAccessRule(fetchAfterIndex, {
  "a topic that is not projected": {
    bad: [["projection: [ticketId, topic]", "projection: [ticketId]"]],
    at: ["design.tables.Desk.indexes.Waiting.projection"],
    line: "projection: [ticketId]",
    says: ["lacks topic", "fetch 50 items each run, 25 read units", "10 times per second"],
    fixed: "projection: [ticketId, topic]",
    good: {
      // Hardly ever read, and 600 B more in 50,000 entries.
      "a text that is hardly ever read": [
        [rates, "returns: [ticketId, openedAt, text], rps: { average: 0.000001, peak: 1 }"],
      ],
    },
  },
});
