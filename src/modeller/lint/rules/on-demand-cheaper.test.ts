import { testAccessRule } from "../access.test-support.ts";
import { onDemandCheaper } from "./on-demand-cheaper.ts";

const sessions = "      ttl: expiresAt\n";
const provisioned = (units: string) =>
  [sessions, `${sessions}      billing: { provisioned: ${units} }\n`] as const;

testAccessRule(onDemandCheaper, {
  // 60 reads of 0.5 units and one write per second, on 500 and 100 provisioned units.
  "far more than is used": {
    bad: [provisioned("{ read: 500, write: 100 }")],
    at: ["design.tables.Sessions.billing"],
    line: "billing:",
    says: ["costs less on demand"],
    // 500 × 730 × 0.00013 + 100 × 730 × 0.00065 − (30 × 0.3285 + 1 × 1.6425)
    price: 94.9 - 11.4975,
    fixed: "billing: on-demand",
    good: { "what is used": [provisioned("{ read: 40, write: 3 }")] },
  },
});
