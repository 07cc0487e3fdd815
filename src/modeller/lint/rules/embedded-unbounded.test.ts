import { testRule } from "../lint.test-support.ts";
import { embeddedUnbounded } from "./embedded-unbounded.ts";

const apart = [
  '        Line: { key: { owner: "O#{orderId}", part: "LINE#{position|pad:3}" } }\n',
  "",
] as const;
const inside = [
  'part: "#ORDER" } }',
  'part: "#ORDER" }, embeds: [{ entity: Line, as: lines }] }',
] as const;

testRule(embeddedUnbounded, {
  "no max in the relation": {
    bad: [
      apart,
      inside,
      ["average: 3, max: 40, identifying", "average: { assumed: 3 }, identifying"],
    ],
    at: ["design.tables.Shop.entities.Order.embeds[0]"],
    line: "embeds",
    says: ["Any number of Line can lie in one Order in Shop (lines)", "3 (assumed) on average"],
    good: { "a max": [apart, inside] },
  },
});
