import { testAccessRule } from "../access.test-support.ts";
import { indexUnderprovisioned } from "./index-underprovisioned.ts";

const desk = "    Desk:\n";
const provisioned = [
  desk,
  `${desk}      billing: { provisioned: { read: 500, write: 200 } }\n`,
] as const;
const throughput = (write: number) =>
  [
    "          purpose: tickets that somebody has to look at\n",
    `          purpose: tickets that somebody has to look at\n          throughput: { read: 100, write: ${write} }\n`,
  ] as const;

testAccessRule(indexUnderprovisioned, {
  // Opening a ticket writes an entry for one in twenty, closing one takes it away: 15 × 0.05 + 15.
  "fewer writes than the table": {
    bad: [provisioned, throughput(10)],
    at: ["design.tables.Desk.indexes.Waiting"],
    line: "purpose: tickets that",
    says: ["takes 10 write units per second and needs 15.75 at peak"],
    price: { throttled: 0.3651 },
    good: { enough: [provisioned, throughput(16)] },
  },
  "a maximum of an on-demand index": {
    bad: [
      [
        "          purpose: tickets that somebody has to look at\n",
        "          purpose: tickets that somebody has to look at\n          maximum: { write: 10 }\n",
      ],
    ],
    at: ["design.tables.Desk.indexes.Waiting"],
    line: "purpose: tickets that",
    says: ["its maximum is 10"],
  },
});
