import { testAccessRule } from "../access.test-support.ts";
import { infrequentAccessCheaper } from "./infrequent-access-cheaper.ts";

const comments = (count: string) => ["count: 4_000_000", `count: ${count}`] as const;

testAccessRule(infrequentAccessCheaper, {
  "much that is hardly read": {
    bad: [comments("4_000_000_000")],
    at: ["design.tables.Desk"],
    line: "key: { owner: S, part: S }",
    says: ["costs less in the class Standard-IA"],
    fixed: "class: infrequent-access",
    good: {
      "a little": [comments("5_000_000")],
      "capacity that is reserved": [
        comments("4_000_000_000"),
        [
          "    Desk:\n",
          "    Desk:\n      billing: { provisioned: { read: 600, write: 100 }, reserved: { read: 100, write: 100, years: 1 } }\n",
        ],
      ],
    },
  },
});
