import { testRule } from "../lint.test-support.ts";
import { longNames } from "./long-names.ts";

const count = ["count: 15_000_000", "count: { assumed: 40_000_000_000 }"] as const;
const relation = ["average: 3, max: 40", "average: 8_000, max: 40_000"] as const;
const product = ["product: { type: S", "nameOfTheProductThatWasBought: { type: S"] as const;
const table = 'part: "LINE#{position|pad:3}" } }';

testRule(longNames, {
  "a long name in very many items": {
    bad: [count, relation, product],
    at: ["design.tables.Shop.entities.Line"],
    line: "Line: { key",
    says: ["The names in Line of Shop", "40,000,000,000 (assumed) items store 41 B of names"],
    good: {
      "fewer items": [product],
      "a short name in the table": [
        count,
        relation,
        product,
        [
          table,
          'part: "LINE#{position|pad:3}" }, names: { nameOfTheProductThatWasBought: p, orderId: o, position: n } }',
        ],
      ],
    },
  },
});
