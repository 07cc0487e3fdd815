import type { ConceptPage } from "../page.ts";

export const page: ConceptPage = {
  id: "denormalisation",
  summary:
    "Put together what is used together, keep apart what changes apart, and say which copy is the truth.",
  what: [
    "There are no joins. Data that one request shall return lies in one item, in one collection, or as a copy beside what needs it. Each saves reads and makes some write larger or more frequent.",
    {
      head: ["Wanted together", "Size together", "Changes", "Then"],
      rows: [
        ["80 % or more", "small (below 50 KB)", "seldom, or alike", "embed"],
        ["80 % or more", "large or growing", "at different rates", "one collection, items apart"],
        ["one small attribute", "a few bytes", "hardly ever", "copy it"],
        ["20 % or less", "any", "any", "keep apart"],
      ],
    },
  ],
  follows: [
    {
      list: [
        "Every copy has a source of truth (`copyOf`), and somebody who brings it up to date, or the consent that it may be old (`staleness: accepted`).",
        "A history wants the old value: the price in an order is a fact of its own, not a copy.",
        "In between 20 and 80 %, let the prices of both decide.",
      ],
    },
  ],
  see: {
    topics: ["embedding", "short-circuit-copies", "item-collection", "vertical-split"],
    examples: ["online-shop"],
    rules: ["together-but-apart", "embedded-but-apart", "copy-without-upkeep"],
  },
};
