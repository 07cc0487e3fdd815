import { testAccessRule } from "../access.test-support.ts";
import { sortInClient } from "./sort-in-client.ts";

testAccessRule(sortInClient, {
  "the newest of many, by a time that is in no key": {
    bad: [["order: { ticketId: descending }", "order: { topic: ascending }"]],
    at: ["patterns.tickets.order"],
    line: "tickets: {",
    says: ["the order of topic", "1,000 items", "return 20"],
    good: {
      "a long list in the order of its key": [["limit: 20", "limit: 200"]],
      "a Scan, of which another rule speaks": [
        [
          "read: Agent, where: { agentId: equals }",
          "read: Agent, where: { fullName: equals }, order: { mail: ascending }, limit: 5",
        ],
      ],
      "a few": [["order: { commentId: ascending }", "order: { words: ascending }"]],
    },
  },
});
