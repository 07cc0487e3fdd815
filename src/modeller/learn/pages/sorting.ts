import type { ConceptPage } from "../page.ts";

export const page: ConceptPage = {
  id: "sorting",
  summary:
    "Texts sort by their bytes: capitals before small letters, 10 before 9; numbers sort by value.",
  what: [
    {
      list: [
        "`Zoe` comes before `adam`. Store a copy for sorting in one case: `{name|lower}`.",
        "`v10` comes before `v2`. Pad with zeros, `{version|pad:6}`, or use a number.",
        "Padding needs a largest value and fails for negative numbers. An N key or a key of several attributes in an index has neither trouble.",
        "ISO times sort by time if all are in UTC and in one form.",
        "A plain UUID sorts by chance.",
        "`ScanIndexForward: false` reads a whole key backwards. If only one part shall run backwards, store it turned round: `{score|pad:8|descending}`.",
      ],
    },
  ],
  follows: [
    "There is no other order than that of a key. Sorting in the program means reading everything first, which is right for ten items and wrong for a thousand. What is sorted by a value with ties needs the id behind it, so that the order is the same every time.",
  ],
  see: {
    topics: ["sort-key", "temporal-values", "multi-attribute-keys", "leaderboard"],
    rules: ["unpadded-number", "case-order", "uuid-for-order", "sort-in-client", "same-sort-value"],
  },
};
