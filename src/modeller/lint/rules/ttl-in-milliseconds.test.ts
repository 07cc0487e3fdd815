import { testRule } from "../lint.test-support.ts";
import { ttlInMilliseconds } from "./ttl-in-milliseconds.ts";

testRule(ttlInMilliseconds, {
  "a format in milliseconds": {
    bad: [
      [
        "expiresAt: { type: N, format: epoch-seconds }",
        "expiresAt: { type: N, format: epoch-milliseconds }",
      ],
    ],
    at: ["entities.Session.attributes.expiresAt"],
    line: "expiresAt: {",
    says: ["Session.expiresAt is the expiry", "seconds"],
    fixed: "format: epoch-seconds",
    good: {
      "milliseconds that nothing expires by": [
        [
          "placedAt: { type: S, format: iso-time",
          "placedAt: { type: N, format: epoch-milliseconds",
        ],
      ],
    },
  },
  "thirteen digits": {
    bad: [["expiresAt: { type: N, format: epoch-seconds }", "expiresAt: { type: N, digits: 13 }"]],
    at: ["entities.Session.attributes.expiresAt"],
    line: "digits: 13",
    says: ["Session.expiresAt"],
    fixed: "format: epoch-seconds",
    good: {
      "ten digits": [
        ["expiresAt: { type: N, format: epoch-seconds }", "expiresAt: { type: N, digits: 10 }"],
      ],
    },
  },
});
