import { testRule } from "../lint.test-support.ts";
import { embeddedButApart } from "./embedded-but-apart.ts";

const apart = [
  '        Line: { key: { owner: "O#{orderId}", part: "LINE#{position|pad:3}" } }\n',
  "",
] as const;
const inside = [
  'part: "#ORDER" } }',
  'part: "#ORDER" }, embeds: [{ entity: Line, as: lines }] }',
] as const;
const together = (share: string) =>
  ["max: 40, identifying: true", `max: 40, identifying: true, together: ${share}`] as const;

testRule(embeddedButApart, {
  "one fifth": {
    bad: [apart, inside, together("0.2")],
    at: ["design.tables.Shop.entities.Order.embeds[0]"],
    line: "embeds",
    says: ["Line lies inside of Order", "20 % of the cases"],
    good: {
      "a quarter": [apart, inside, together("0.25")],
      "seldom, and in items of their own": [together("0.1")],
      "nobody has said how often": [apart, inside],
    },
  },
});
