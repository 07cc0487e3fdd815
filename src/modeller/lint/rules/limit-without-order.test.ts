import { testAccessRule } from "../access.test-support.ts";
import { limitWithoutOrder } from "./limit-without-order.ts";

testAccessRule(limitWithoutOrder, {
  "the first few of many": {
    bad: [["order: { ticketId: descending }, ", ""]],
    at: ["patterns.tickets.limit"],
    line: "limit: 20",
    says: ["20 items", "Desk hands them out in the order of part"],
    good: {
      "all of them": [["order: { ticketId: descending }, limit: 20", "limit: all"]],
      "a limit that is never reached": [["order: { commentId: ascending }, ", ""]],
      "a single one": [["order: { ticketId: descending }, limit: 20", "limit: 1"]],
    },
  },
});
