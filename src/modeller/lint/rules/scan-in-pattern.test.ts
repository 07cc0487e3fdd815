import { testAccessRule } from "../access.test-support.ts";
import { scanInPattern } from "./scan-in-pattern.ts";

const agents = (where: string) =>
  ["read: Agent, where: { agentId: equals }", `read: Agent, where: { ${where} }`] as const;

testAccessRule(scanInPattern, {
  // Agent: agentId 7 + 10, mail 4 + 40, fullName 8 + 30, revision 8 + 3 = 110 B; 5,000 are 550,000 B,
  // 135 times 4 KB, half for an eventual read. One of them is wanted: 67 units too much, at 10 per second.
  "a name": {
    bad: [
      agents("fullName: equals"),
      ["fullName: { type: S, bytes: 30 }", "fullName: { type: S, bytes: 30, distinct: 5_000 }"],
    ],
    at: ["patterns.agent"],
    line: "agent: {",
    says: ["reads all of Agents", "5,000 items", "67.5 read units to return 1"],
    // (67.5 − 0.5) × 10 × 2,628,000 × 0.125 / 1,000,000
    price: 220.095,
    good: { "a guarded value": [agents("mail: equals")] },
  },
});
