import { testAccessRule } from "../access.test-support.ts";
import { writeAmplification } from "./write-amplification.ts";

const indexes = (count: number) =>
  [
    "      unique: [{ entity: Agent",
    `      indexes:\n${Array.from({ length: count }, (_, i) => `        Names${i}: { key: { partition: fullName, sort: agentId }, projection: all }\n`).join("")}      unique: [{ entity: Agent`,
  ] as const;
const rate = ["{ average: 0.1, peak: 2 }", "{ average: 10, peak: 20 }"] as const;

testAccessRule(writeAmplification, {
  // A change of the name takes an entry away and puts another one: 2 for each index, 1 for the table.
  "two indexes by a name that changes": {
    bad: [indexes(2), rate],
    at: ["design.tables.Agents.indexes"],
    line: "Names0: {",
    says: ["take 80 % of its write units", "times what the table alone would"],
    good: {
      "one index": [indexes(1), rate],
      "a table that is hardly written": [indexes(2)],
    },
  },
});
