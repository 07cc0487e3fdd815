import { testAccessRule } from "../access.test-support.ts";
import { noPointInTimeRecovery } from "./no-point-in-time-recovery.ts";

const mails = "      key: { mail: S }\n      pitr: true\n";
const sessions = "      ttl: expiresAt\n      pitr: true\n";

testAccessRule(noPointInTimeRecovery, {
  "a table that guards values": {
    bad: [[mails, "      key: { mail: S }\n"]],
    at: ["design.tables.Mails"],
    line: "key: { mail: S }",
    says: ["Mails has neither", "It holds 5,000 Agent.mail"],
    fixed: "pitr: true",
    good: {
      backups: [[mails, "      key: { mail: S }\n      backups: { every: 1d, keep: 30d }\n"]],
      "what expires in a day": [[sessions, "      ttl: expiresAt\n"]],
    },
  },
  "what expires late": {
    bad: [
      [sessions, "      ttl: expiresAt\n"],
      ["retention: 1d", "retention: 90d"],
    ],
    at: ["design.tables.Sessions"],
    line: "key: { sessionId: S }",
    says: ["It holds 20,000 Session"],
    fixed: "pitr: true",
  },
});
