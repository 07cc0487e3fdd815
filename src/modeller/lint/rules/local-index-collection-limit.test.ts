import { testAccessRule } from "../access.test-support.ts";
import { localIndexCollectionLimit } from "./local-index-collection-limit.ts";

const index = [
  "      indexes:\n",
  "      indexes:\n        ByTopic: { local: true, key: { sort: topic }, projection: keys }\n",
] as const;
const most = (max: string) => ["max: 20_000", `max: ${max}`] as const;

testAccessRule(localIndexCollectionLimit, {
  "the largest team": {
    bad: [index, most("20_000_000")],
    at: ["design.tables.Desk.entities.Team.key.owner"],
    line: `Team: { key: { owner: "T#{teamId}"`,
    says: ["grow beyond the 10 GB", "with the entries of ByTopic", "at most"],
    good: {
      "no team is so large": [index, most("2_000_000")],
      "no local index": [most("20_000_000")],
    },
  },
  "half of the way": {
    bad: [index, most("8_000_000")],
    at: ["design.tables.Desk.entities.Team.key.owner"],
    line: `Team: { key: { owner: "T#{teamId}"`,
    says: ["come near the 10 GB"],
  },
});
