import type { ConceptPage } from "../page.ts";

export const page: ConceptPage = {
  id: "read-units",
  summary:
    "One read unit reads 4 KB strongly or 8 KB eventually; a Query adds up what it reads and rounds once.",
  what: [
    {
      head: ["Request", "Units"],
      rows: [
        ["GetItem, strong", "bytes / 4,096, rounded up; at least 1"],
        ["GetItem, eventual", "half of that"],
        ["BatchGetItem", "each item rounded alone"],
        ["TransactGetItems", "twice the strong price"],
        ["Query, Scan", "all bytes evaluated, rounded once; half if eventual"],
        ["a missing item, an empty page", "as the smallest one"],
      ],
    },
    "20 KB read strongly are 5 units. Twenty items of 300 bytes are 1 unit by an eventual Query, and 10 units by BatchGetItem.",
  ],
  follows: [
    {
      list: [
        "Filters, projections and counting do not make a read cheaper; `Limit` does, and a better key does.",
        "In an index the entry is read, so its projection sets the price.",
        "A unit is not a request: a request of 400 KB costs 100.",
      ],
    },
  ],
  see: {
    topics: ["filters", "paging", "projection", "item-size", "on-demand"],
    rules: ["filter-discards-most", "strong-read-without-need"],
  },
};
