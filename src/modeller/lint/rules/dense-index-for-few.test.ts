import { testAccessRule } from "../access.test-support.ts";
import { denseIndexForFew } from "./dense-index-for-few.ts";

const only = "          only: { Ticket: { state: { equals: open } } }\n";
const dense = [
  [only, ""],
  ["projection: [ticketId, topic]", "projection: [ticketId, topic, state]"],
] as const;

testAccessRule(denseIndexForFew, {
  "open ones in an index of all": {
    bad: dense,
    at: ["design.tables.Desk.indexes.Waiting"],
    line: "purpose: tickets that",
    says: ["only those with state open are asked for", "5 % of 1,000,000 entries"],
    fixed: "only:\n            Ticket:\n              state:\n                equals: open",
    good: {
      "half of them": [
        ...dense,
        ["values: { open: 0.05, closed: 0.95 }", "values: { open: 0.5, closed: 0.5 }"],
      ],
      "others are asked for too": [
        ...dense,
        [
          "patterns:\n",
          "patterns:\n  old: { name: All tickets by time, read: Ticket, where: { teamId: equals }, order: { openedAt: ascending }, limit: 20, returns: [ticketId, topic], rps: 1 }\n",
        ],
      ],
    },
  },
  "an attribute as the key": {
    bad: [
      [
        "      indexes:\n",
        "      indexes:\n        ByState: { key: { partition: state, sort: openedAt }, projection: all }\n",
      ],
      [
        "patterns:\n",
        "patterns:\n  all: { name: All open tickets, read: Ticket, where: { state: { equals: open } }, order: { openedAt: ascending }, limit: 20, rps: 1 }\n",
      ],
    ],
    at: ["design.tables.Desk.indexes.ByState"],
    line: "ByState: {",
    says: ["Index ByState of Desk holds every Ticket"],
  },
});
