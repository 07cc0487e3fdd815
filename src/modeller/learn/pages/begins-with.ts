import type { ConceptPage } from "../page.ts";

export const page: ConceptPage = {
  id: "begins-with",
  summary:
    "A sort key is asked from the left: equal, a range, or a beginning; a part in the middle cannot be skipped.",
  what: [
    "With the sort key `2026-11-16#paid#o-17`, `begins_with` finds a day, and a day's paid orders. It cannot find all paid orders: that part stands behind the day. A key of several attributes in an index has the same rule: equal, equal, and one range at the end.",
  ],
  follows: [
    {
      list: [
        "Order parts by how they are asked: always equal first, ranges last, what makes it unique at the very end.",
        "End a prefix with its separator: `ORDER#`, or `USER#1` also finds `USER#12`.",
        "No kind's prefix may be the beginning of another's: `ORDER` and `ORDERITEM` in one collection do not go together.",
        "Free text in the middle must not contain the separator.",
        "A Query may also name no sort key at all and read the collection.",
        "`begins_with` takes texts and binary; numbers take ranges.",
      ],
    },
  ],
  see: {
    topics: ["composite-sort-key", "hierarchy", "multi-attribute-keys", "sorting"],
    rules: [
      "begins-with-across-gap",
      "component-order",
      "overlapping-prefixes",
      "separator-in-value",
    ],
  },
};
