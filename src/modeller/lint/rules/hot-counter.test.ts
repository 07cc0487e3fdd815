import { testAccessRule } from "../access.test-support.ts";
import { hotCounter } from "./hot-counter.ts";

const solve = (peak: number, more: string) =>
  [
    "changes: [title], condition: exists, rps: { average: 0.01, peak: 1 }",
    `adds: { solved: 1 }, rps: { average: 1, peak: ${peak} }${more}`,
  ] as const;

testAccessRule(hotCounter, {
  // Half of 4,000 updates of one write unit.
  "the counter of the largest team": {
    bad: [solve(4_000, ", skew: { key: teamId, hottest: 0.5 }")],
    at: ["patterns.rename"],
    line: "rename: {",
    says: ["adds to solved of one Team 2,000 times per second", "50 % go to one item"],
    price: { throttled: 0.25 },
    good: {
      "a title that is set with it": [
        solve(4_000, ", skew: { key: teamId, hottest: 0.5 }, changes: [title], condition: exists"),
      ],
      "teams alike": [solve(4_000, "")],
      "a quiet counter": [solve(900, ", skew: { key: teamId, hottest: 0.5 }")],
    },
  },
});
