import type { ConceptPage } from "../page.ts";

export const page: ConceptPage = {
  id: "local-index",
  summary:
    "A local index sorts the same collections by another attribute; it can be read strongly, but limits collections to 10 GB.",
  what: [
    {
      list: [
        "Same partition key, other sort key; at most 5, and only when the table is created.",
        "Its entries are updated with the item, so strong reads are possible. Entries need not be unique.",
        "Its units are the table's units. A query may ask for attributes that are not projected; the service then reads the items, each for its own price.",
        "With one local index, no item collection may exceed 10 GB, entries included, and collections are not split for heat.",
      ],
    },
  ],
  follows: [
    "Take one only if you need strongly consistent reads in a second order and can promise that no collection grows large. Otherwise a global index does the same without the limit, and can be dropped again.",
  ],
  see: {
    topics: ["global-index", "item-collection", "adaptive-capacity-and-splits"],
    examples: ["documents"],
    rules: ["local-index-collection-limit", "fetch-after-index", "rising-sort-key"],
  },
};
