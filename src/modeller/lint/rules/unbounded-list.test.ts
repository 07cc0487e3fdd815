import { testRule } from "../lint.test-support.ts";
import { unboundedList } from "./unbounded-list.ts";

const about = "about: { type: S, bytes: 500, present: 0.5 }";

testRule(unboundedList, {
  "a list without a max": {
    bad: [[about, "about: { type: L, bytes: 99, elements: { average: 5 } }"]],
    at: ["entities.Customer.attributes.about"],
    line: "about: {",
    says: [
      "Customer.about in Shop has no bound",
      "It has 5 on average and no max; with 100 B each, 4,096 fill an item",
    ],
    good: {
      "a list with a max": [
        [about, "about: { type: L, bytes: 99, elements: { average: 5, max: 50 } }"],
      ],
      "a list that is not stored": [
        [about, "about: { type: L, bytes: 99, elements: { average: 5 } }"],
        ["part: PROFILE }", "part: PROFILE }, elsewhere: [{ attribute: about, service: S3 }]"],
      ],
    },
  },
});
