import { testAccessRule } from "../access.test-support.ts";
import { hotPartitionRead } from "./hot-partition-read.ts";

const team = (more: string) =>
  [
    "read: Team, where: { teamId: equals }, rps: { average: 20, peak: 90 }",
    `read: Team, where: { teamId: equals }, rps: { average: 20, peak: 20_000 }${more}`,
  ] as const;

testAccessRule(hotPartitionRead, {
  // Half of 20,000 reads of half a unit.
  "a team that everybody looks at": {
    bad: [team(", skew: { key: teamId, hottest: 0.5 }")],
    at: ["design.tables.Desk.entities.Team.key.owner"],
    line: `Team: { key: { owner: "T#{teamId}"`,
    says: ["5,000 by team (50 % of it)", "one partition takes 3,000"],
    good: {
      "teams alike": [team("")],
      "a cache": [
        team(", skew: { key: teamId, hottest: 0.5 }"),
        [
          "      discriminator: kind\n",
          "      discriminator: kind\n      dax: { node: dax.r5.large, nodes: 3, hitRate: 0.9, patterns: [team] }\n",
        ],
      ],
    },
  },
});
