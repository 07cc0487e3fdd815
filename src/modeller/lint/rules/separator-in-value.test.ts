import { testRule } from "../lint.test-support.ts";
import { separatorInValue } from "./separator-in-value.ts";

const line = "LINE#{position|pad:3}";
const product = "product: { type: S, bytes: 20, mutable: false }";

testRule(separatorInValue, {
  "free text before an open end": {
    bad: [[line, "LINE#{product}#{position}"]],
    at: ["design.tables.Shop.entities.Line.key.part"],
    line: "{product}#{position}",
    says: [
      "product in the key of Line in Shop may contain '#'",
      "position behind it has no fixed length",
    ],
    good: {
      "a time before it": [
        [line, "LINE#{product}#{position}"],
        [product, "product: { type: S, format: iso-time, mutable: false }"],
      ],
      "an id of fixed length behind it": [[line, "LINE#{product}#{orderId}"]],
      "one of few behind it": [
        [line, "LINE#{product}#{position}"],
        ["position: { type: N, digits: 3 }", "position: { type: N, values: [1, 20] }"],
      ],
      "a number of fixed length behind it": [[line, "LINE#{product}#{position|pad:3}"]],
      "an id before it": [[line, "LINE#{orderId}#{position}"]],
      "free text at the end": [[line, "LINE#{position|pad:3}#{product}"]],
      "codes from a list": [
        [line, "LINE#{product}#{position}"],
        [product, "product: { type: S, bytes: 20, distinct: 900, mutable: false }"],
      ],
    },
  },
});
