import type { ConceptPage } from "../page.ts";

export const page: ConceptPage = {
  id: "item-collection",
  summary:
    "All items with one partition key are a collection: one Query reads it, or a part of it, in order.",
  what: [
    "A collection can hold one kind of item, such as a customer's orders, or several: the customer and the orders. A Query that reads both pays for all bytes together and rounds once, which is cheaper than separate reads of small items.",
    "Collections have no limit of size, unless the table has a local index: then 10 GB, index entries included.",
  ],
  follows: [
    {
      list: [
        "Collect what is read together, at least 80 % of the time. What is read apart makes each read pay for the other, unless the sort key can keep it out.",
        "Give every kind a prefix that no other kind begins with.",
        "A collection is served by one partition until it is split, so its peak counts against one ceiling.",
      ],
    },
  ],
  see: {
    topics: ["one-to-many", "ordering-prefix", "single-or-several-tables", "local-index"],
    examples: ["online-shop", "code-hosting", "learning"],
    rules: ["overlapping-prefixes", "together-but-apart", "local-index-collection-limit"],
  },
};
