import type { ConceptPage } from "../page.ts";

export const page: ConceptPage = {
  id: "index-writes",
  summary:
    "Each write costs the table's units and those of every index whose entry changes: none, one entry, or two.",
  what: [
    {
      head: ["What happens to the entry", "Units"],
      rows: [
        ["the item is not in the index, before or after", "0"],
        ["no projected attribute changes", "0"],
        ["it appears, or disappears", "its size, rounded up to 1 KB"],
        ["a projected attribute changes", "the larger of before and after"],
        ["its key changes", "both: the old entry is deleted, a new one put"],
      ],
    },
    "So three indexes make a write cost anything from once to seven times the table's units, depending on what changes.",
  ],
  follows: [
    {
      list: [
        "A changing attribute in an index key, such as a score, doubles the writes there. Sometimes that is the price worth paying, as in a leaderboard; check the doubled rate against 1,000 units of a partition.",
        "Inside a transaction the table's units double, the indexes' do not.",
        "Sparse indexes and narrow projections are the cures.",
        "A provisioned index needs write units of its own, or it slows down the table.",
      ],
    },
  ],
  see: {
    topics: ["write-units", "projection", "sparse-index", "leaderboard"],
    rules: ["mutable-index-key", "write-amplification", "index-underprovisioned", "unused-index"],
  },
};
