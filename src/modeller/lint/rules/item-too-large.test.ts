import { testRule } from "../lint.test-support.ts";
import { itemTooLarge } from "./item-too-large.ts";

const about = "about: { type: S, bytes: 500, present: 0.5 }";
const placed = 'Customer: { key: { owner: "C#{customerId}", part: PROFILE } }';

testRule(itemTooLarge, {
  "a text of 450 KB": {
    bad: [[about, "about: { type: S, bytes: { min: 10, max: 450 KB }, present: 0.5 }"]],
    at: ["design.tables.Shop.entities.Customer"],
    line: "Customer: { key",
    says: ["An item of Customer in Shop", "about has 450", "400 KB are the most"],
    good: {
      "it lies elsewhere": [
        [about, "about: { type: S, bytes: { min: 10, max: 450 KB }, present: 0.5 }"],
        [
          placed,
          'Customer: { key: { owner: "C#{customerId}", part: PROFILE }, elsewhere: [{ attribute: about, service: S3 }] }',
        ],
      ],
      "a text of 350 KB": [
        [about, "about: { type: S, bytes: { min: 10, max: 350 KB }, present: 0.5 }"],
      ],
    },
  },
  "a list with many elements": {
    bad: [
      [about, "about: { type: L, bytes: 400, elements: { average: 5, max: { assumed: 2_000 } } }"],
    ],
    at: ["design.tables.Shop.entities.Customer"],
    line: "Customer: { key",
    says: ["(assumed)", "about has 783"],
    good: {
      "a list with fewer": [
        [about, "about: { type: L, bytes: 400, elements: { average: 5, max: 100 } }"],
      ],
    },
  },
  "many entities inside": {
    bad: [
      ['        Line: { key: { owner: "O#{orderId}", part: "LINE#{position|pad:3}" } }\n', ""],
      ['part: "#ORDER" } }', 'part: "#ORDER" }, embeds: [{ entity: Line, as: lines }] }'],
      ["average: 3, max: 40", "average: 3, max: 9_000"],
    ],
    at: ["design.tables.Shop.entities.Order"],
    line: "embeds",
    says: ["An item of Order in Shop", "lines has"],
    good: {
      "a few": [
        ['        Line: { key: { owner: "O#{orderId}", part: "LINE#{position|pad:3}" } }\n', ""],
        ['part: "#ORDER" } }', 'part: "#ORDER" }, embeds: [{ entity: Line, as: lines }] }'],
      ],
    },
  },
});
