import type { ConceptPage } from "../page.ts";

export const page: ConceptPage = {
  id: "sort-key",
  summary:
    "The sort key orders the items of one partition key, so that one request reads a range of them.",
  what: [
    "With a sort key, the pair must be unique and the partition key need not be. A Query names the partition key and, if it likes, one condition on the sort key: equal, less, greater, between, or begins with. It reads forwards, or backwards with `ScanIndexForward: false`.",
    "Texts are sorted by bytes, numbers by value, binary by bytes.",
  ],
  follows: [
    {
      list: [
        "Put in front what is asked with equality, then what is ranged over, then what makes the key unique.",
        "A sort key may be made of several attributes and fixed words: `ORDER#2026-11-16#o-17`.",
        "At most 1,024 bytes.",
        "If it only ever rises, such as a time, a busy collection cannot be split.",
        "Two items with the same time need a tie-breaker, or the second overwrites the first.",
      ],
    },
  ],
  see: {
    topics: ["item-collection", "begins-with", "composite-sort-key", "sorting", "monotonic-keys"],
    rules: [
      "component-order",
      "key-does-not-identify",
      "same-sort-value",
      "key-too-long",
      "rising-sort-key",
    ],
  },
};
