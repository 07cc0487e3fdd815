import { testRule } from "../lint.test-support.ts";
import { unpaddedNumber } from "./unpadded-number.ts";

testRule(unpaddedNumber, {
  "a position in a text": {
    bad: [["{position|pad:3}", "{position}"]],
    at: ["design.tables.Shop.entities.Line.key.part"],
    line: "LINE#{position}",
    says: ["position in the key of Line in Shop", "up to 3 digits (given)"],
    fixed: '"LINE#{position|pad:3}"',
    good: {
      "a text and an epoch": [
        ["position: { type: N, digits: 3 }", "position: { type: N, format: epoch-seconds }"],
        ["{position|pad:3}", "{position}#{product}"],
      ],
      "one digit": [
        ["position: { type: N, digits: 3 }", "position: { type: N, digits: 1 }"],
        ["{position|pad:3}", "{position}"],
      ],
      "values of one length": [
        ["position: { type: N, digits: 3 }", "position: { type: N, values: [1, 2, 3] }"],
        ["{position|pad:3}", "{position}"],
      ],
      "a number that is the whole key": [["sort: [placedAt, orderId]", "sort: [amount, orderId]"]],
    },
  },
});
