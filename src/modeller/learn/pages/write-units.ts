import type { ConceptPage } from "../page.ts";

export const page: ConceptPage = {
  id: "write-units",
  summary:
    "One write unit writes up to 1 KB; an update pays for the whole item, before or after, whichever is larger.",
  what: [
    {
      list: [
        "Put and update: the larger of the old and the new item, rounded up to 1 KB. An update of one byte in 10 KB costs 10 units. There is no read charge on top.",
        "Delete: the old item. Deleting what is not there: 1.",
        "A failed condition is paid like the write; 1 unit if there was no item.",
        "In a transaction: twice, also for a mere condition check.",
        "Deletion by time to live costs nothing.",
        "Indexes come on top.",
      ],
    },
  ],
  follows: [
    "Three ways to cheaper writes: smaller items, small items for what changes often, fewer and narrower indexes. Moving a counter of 0.1 KB out of an item of 10 KB makes its updates ten times cheaper: 1 unit is the least.",
  ],
  see: {
    topics: ["index-writes", "vertical-split", "transactions", "item-size"],
    rules: ["big-item-small-update", "write-amplification", "transaction-without-need"],
  },
};
