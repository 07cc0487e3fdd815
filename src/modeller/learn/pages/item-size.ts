import type { ConceptPage } from "../page.ts";

export const page: ConceptPage = {
  id: "item-size",
  summary:
    "An item is as large as its names and values together, at most 400 KB, and every read and write pays for it.",
  what: [
    {
      list: [
        "Names count: `description` is 11 bytes in every item.",
        "S and B: their bytes. N: 1 byte and 1 for each two significant digits. BOOL and NULL: 1. Lists and maps: 3, and 1 for each element besides what is in it. Sets: their elements.",
        "Storage is billed with 100 bytes more for each item and index entry; those count for nothing else.",
      ],
    },
  ],
  follows: [
    "A write rounds up to 1 KB, a read to 4 KB. So an item of 1.1 KB costs as much to write as one of 2 KB, and shortening names pays off only if it crosses such a step, or if bytes are many.",
    {
      list: [
        "Below 50 KB there is room to grow. Above 300 KB think again: lists and maps that grow will not stop at the limit.",
        "Leave out attributes that nobody reads.",
        "A frequent small change in a large item pays for the whole item: split it.",
        "Sizes vary. The average of the rounded sizes counts, not the rounded average.",
      ],
    },
  ],
  see: {
    topics: ["read-units", "write-units", "vertical-split", "large-items", "constants"],
    rules: [
      "item-too-large",
      "item-near-limit",
      "unbounded-list",
      "embedded-unbounded",
      "long-names",
      "attribute-never-read",
      "big-item-small-update",
      "blob-in-item",
    ],
  },
};
