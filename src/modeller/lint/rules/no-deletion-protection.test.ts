import { testAccessRule } from "../access.test-support.ts";
import { noDeletionProtection } from "./no-deletion-protection.ts";

const sessions = "      ttl: expiresAt\n      pitr: true\n      deletionProtection: true\n";

testAccessRule(noDeletionProtection, {
  "a table without it": {
    bad: [[sessions, "      ttl: expiresAt\n      pitr: true\n"]],
    at: ["design.tables.Sessions"],
    line: "key: { sessionId: S }",
    says: ["Sessions is not protected", "It holds 20,000 Session"],
    fixed: "deletionProtection: true",
    good: {
      "tables that are dropped by the month": [
        [
          sessions,
          "      ttl: expiresAt\n      pitr: true\n      periods: { every: month, attribute: expiresAt, keep: 2 }\n",
        ],
      ],
    },
  },
});
