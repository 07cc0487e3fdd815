import { testRule } from "../lint.test-support.ts";
import { togetherButApart } from "./together-but-apart.ts";

const together = (share: string) =>
  ["max: 40, identifying: true", `max: 40, identifying: true, together: ${share}`] as const;
const elsewhere = [
  'Line: { key: { owner: "O#{orderId}", part: "LINE#{position|pad:3}" } }',
  'Line: { key: { owner: "LINES#{orderId}", part: "{position|pad:3}" } }',
] as const;

testRule(togetherButApart, {
  "other partitions": {
    bad: [together("{ assumed: 0.8 }"), elsewhere],
    at: ["relations[1]"],
    line: "from: Order, to: Line",
    says: ["Order and Line are wanted together", "80 % (assumed) of the cases"],
    good: {
      "one collection": [together("0.95")],
      "less often": [together("0.75"), elsewhere],
      "one inside of the other": [
        together("0.95"),
        ['        Line: { key: { owner: "O#{orderId}", part: "LINE#{position|pad:3}" } }\n', ""],
        ['part: "#ORDER" } }', 'part: "#ORDER" }, embeds: [{ entity: Line, as: lines }] }'],
      ],
    },
  },
});
