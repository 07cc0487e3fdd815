import { testRule } from "../lint.test-support.ts";
import { idNotUnique } from "./id-not-unique.ts";

const line = 'Line: { key: { owner: "O#{orderId}", part: "LINE#{position|pad:3}" } }';
const order = 'Order: { key: { owner: "O#{orderId}", part: "#ORDER" } }';

testRule(idNotUnique, {
  "a key with more than the id": {
    bad: [
      [
        line,
        'Line: { key: { owner: "O#{orderId}", part: "LINE#{price|pad:6}#{position|pad:3}" } }',
      ],
    ],
    at: ["design.tables.Shop.entities.Line.key"],
    line: "{price|pad:6}",
    says: ["depends on price", "'absent' does not refuse a second Line with the same id"],
    good: {
      "a drawn id and what never changes": [
        [order, 'Order: { key: { owner: "O#{orderId}", part: "#ORDER#{placedAt}" } }'],
      ],
    },
  },
});
