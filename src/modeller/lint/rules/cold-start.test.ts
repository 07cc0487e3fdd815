import { testAccessRule } from "../access.test-support.ts";
import { coldStart } from "./cold-start.ts";

const peak = (value: number) =>
  ["rps: { average: 1, peak: 20 }", `rps: { average: 1, peak: ${value} }`] as const;

testAccessRule(coldStart, {
  "a launch": {
    bad: [peak(5_000)],
    at: ["design.tables.Sessions"],
    line: "key: { sessionId: S }",
    says: ["Sessions is new", "5,000 write units against 4,000"],
    price: { throttled: 0.2 },
    fixed: "write: 5000",
    good: {
      "a peak that it takes": [peak(4_000)],
      "a table that is warm": [
        peak(5_000),
        ["      ttl: expiresAt\n", "      ttl: expiresAt\n      prewarm: { write: 5_000 }\n"],
      ],
      "a provisioned table": [
        peak(5_000),
        [
          "      ttl: expiresAt\n",
          "      ttl: expiresAt\n      billing: { provisioned: { read: 200, write: 5_000 } }\n",
        ],
      ],
    },
  },
  "not warm enough": {
    bad: [
      peak(10_000),
      ["      ttl: expiresAt\n", "      ttl: expiresAt\n      prewarm: { write: 5_000 }\n"],
    ],
    at: ["design.tables.Sessions.prewarm"],
    line: "prewarm",
    says: ["10,000 write units against 5,000"],
    price: { throttled: 0.5 },
    fixed: "write: 10000",
  },
});
