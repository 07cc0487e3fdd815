import { testRule } from "../lint.test-support.ts";
import { itemNearLimit } from "./item-near-limit.ts";

const about = "about: { type: S, bytes: 500, present: 0.5 }";
const upTo = (size: string) =>
  [about, `about: { type: S, bytes: { min: 10, max: ${size} } }`] as const;

testRule(itemNearLimit, {
  "a text of 350 KB": {
    bad: [upTo("350 KB")],
    at: ["design.tables.Shop.entities.Customer"],
    line: "Customer: { key",
    says: ["come near to the limit", "about has 350", "takes 44 read units"],
    good: { "a text of 290 KB": [upTo("290 KB")], "a text that is too large": [upTo("450 KB")] },
  },
});
