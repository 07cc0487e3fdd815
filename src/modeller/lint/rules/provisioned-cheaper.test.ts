import { testAccessRule } from "../access.test-support.ts";
import { provisionedCheaper } from "./provisioned-cheaper.ts";

const session = (rates: string) => ["rps: { average: 60, peak: 300 }", `rps: ${rates}`] as const;

testAccessRule(provisionedCheaper, {
  "a steady load": {
    bad: [session("{ average: 6000, peak: 7000 }")],
    at: ["design.tables.Sessions"],
    line: "key: { sessionId: S }",
    says: ["costs less with provisioned throughput"],
    // On demand 3,000 × 0.3285 and 1 × 1.6425; for the peak 3,500 × 730 × 0.00013 and 20 × 730 × 0.00065.
    price: 987.1425 - 332.15 - 9.49,
    good: {
      "a table that is provisioned": [
        session("{ average: 6000, peak: 7000 }"),
        [
          "      ttl: expiresAt\n",
          "      ttl: expiresAt\n      billing: { provisioned: { read: 9_000, write: 100 } }\n",
        ],
      ],
      "a load with high peaks": [session("{ average: 600, peak: 6000 }")],
      "a small one": [session("{ average: 6, peak: 7 }")],
    },
  },
});
