import { testRule } from "../lint.test-support.ts";
import { ttlWithoutTime } from "./ttl-without-time.ts";

testRule(ttlWithoutTime, {
  "a plain number": {
    bad: [
      ["expiresAt: { type: N, format: epoch-seconds }", "weight: { type: N, digits: 5 }"],
      ["sessionId: equals, expiresAt: { greater: $now } }", "sessionId: equals }"],
      ["      ttl: expiresAt\n", "      ttl: weight\n"],
    ],
    at: ["design.tables.Sessions.ttl"],
    line: "ttl: weight",
    says: ["Session.weight is the expiry", "seconds since 1970"],
    good: {
      "a name that says what it is": [
        ["expiresAt: { type: N, format: epoch-seconds }", "expiresAt: { type: N, digits: 10 }"],
      ],
    },
  },
});
