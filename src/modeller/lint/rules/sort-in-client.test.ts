import { testAccessRule } from "../access.test-support.ts";
import { sortInClient } from "./sort-in-client.ts";

testAccessRule(sortInClient, {
  "the newest of many, by a time that is in no key": {
    bad: [["order: { ticketId: descending }", "order: { topic: ascending }"]],
    at: ["patterns.tickets.order"],
    line: "tickets: {",
    says: ["the order of topic", "1,000 items", "return 20"],
    good: {
      "a few": [["order: { commentId: ascending }", "order: { words: ascending }"]],
    },
  },
});
