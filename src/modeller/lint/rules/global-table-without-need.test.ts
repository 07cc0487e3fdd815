import { testAccessRule } from "../access.test-support.ts";
import { globalTableWithoutNeed } from "./global-table-without-need.ts";

const sessions = "      ttl: expiresAt\n";
const replicas = [sessions, `${sessions}      replicas: [eu-west-1]\n`] as const;

testAccessRule(globalTableWithoutNeed, {
  "no reason": {
    bad: [replicas],
    at: ["design.tables.Sessions.replicas"],
    line: "replicas: [eu-west-1]",
    says: ["replicated to eu-west-1", "paid for in 2 Regions"],
    good: {
      "a constraint": [
        replicas,
        [
          "overview: { region: us-east-1 }",
          "overview: { region: us-east-1, context: [half of the agents work in another Region] }",
        ],
      ],
      "a decision": [
        replicas,
        [
          "design:\n",
          "design:\n  decisions: [{ about: design.tables.Sessions.replicas, chosen: a replica in Europe }]\n",
        ],
      ],
    },
  },
});
