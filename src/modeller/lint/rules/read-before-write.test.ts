import { testAccessRule } from "../access.test-support.ts";
import { readBeforeWrite } from "./read-before-write.ts";

const close = "update: Ticket, where: { teamId: equals, ticketId: equals }";

testAccessRule(readBeforeWrite, {
  "a key that is not known": {
    bad: [
      [close, "update: Ticket, where: { ticketId: equals }"],
      [
        "ticketId: { type: S, format: ulid }\n",
        "ticketId: { type: S, format: ulid, unique: true }\n",
      ],
      [
        "      indexes:\n",
        "      indexes:\n        ById: { key: { partition: ticketId }, projection: [teamId] }\n",
      ],
    ],
    at: ["patterns.close"],
    line: "close: {",
    says: ["reads index ById of Desk before it writes", "0.5 read units and a second round trip"],
    // 0.5 × 2 × 2,628,000 × 0.125 / 1,000,000
    price: 0.3285,
  },
  "a key that takes two reads": {
    bad: [
      [close, "update: Ticket, where: { ticketId: equals }"],
      [
        "ticketId: { type: S, format: ulid }\n",
        "ticketId: { type: S, format: ulid, unique: true }\n",
      ],
      [
        "      indexes:\n",
        "      indexes:\n        ById: { key: { partition: ticketId }, projection: keys }\n",
      ],
    ],
    at: ["patterns.close"],
    line: "close: {",
    says: ["reads index ById of Desk before it writes"],
  },
  "a counter that is set": {
    bad: [["changes: [title], condition: exists", "changes: [solved], condition: exists"]],
    at: ["patterns.rename.changes"],
    line: "rename: {",
    says: ["sets solved, which is counted"],
    good: {
      "a counter that is added to": [
        ["changes: [title], condition: exists", "adds: { solved: 1 }"],
      ],
      "a counter that begins anew": [
        ["changes: [title], condition: exists", "changes: { solved: 0 }, condition: exists"],
      ],
    },
  },
});
