import { testAccessRule } from "../access.test-support.ts";
import { daxBypassed } from "./dax-bypassed.ts";

const dax = (table: string, patterns: string) =>
  [
    `    ${table}:\n`,
    `    ${table}:\n      dax: { node: dax.t3.small, nodes: 1, hitRate: 0.9, patterns: [${patterns}] }\n`,
  ] as const;
const session = "where: { sessionId: equals, expiresAt: { greater: $now } }";

testAccessRule(daxBypassed, {
  "a strong read": {
    bad: [
      dax("Sessions", "session, agent"),
      [session, `${session}, consistency: strong`],
      ["rps: { average: 1, peak: 20 }", "rps: { average: 0, peak: 20 }"],
    ],
    at: ["design.tables.Sessions.dax.patterns[0]"],
    line: "dax:",
    says: ["Pattern session", "reads strongly", "60 times per second"],
    fixed: "patterns: [agent]",
    good: { "an eventual one": [dax("Sessions", "session")] },
  },
  "more writes than reads": {
    bad: [
      dax("Sessions", "session"),
      ["rps: { average: 1, peak: 20 }", "rps: { average: 100, peak: 200 }"],
    ],
    at: ["design.tables.Sessions.dax"],
    line: "dax:",
    says: ["30 read units per second", "100 write units per second"],
    // A node for 730 hours at 0.04, less what nine in ten reads save: 30 × 0.9 × 0.3285.
    price: 29.2 - 8.8695,
  },
});
