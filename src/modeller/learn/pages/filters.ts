import type { ConceptPage } from "../page.ts";

export const page: ConceptPage = {
  id: "filters",
  summary:
    "A filter drops items after they were read and paid for; it saves bytes on the wire, nothing else.",
  what: [
    "Query and Scan read a page, 1 MB or `Limit` items, apply the filter, and return what is left. A page may be empty and still not be the last. The units are those of what was read.",
  ],
  follows: [
    {
      list: [
        "Move the condition into the key: a sort key that begins with what you filter by, or an index.",
        "If more than 90 % would be dropped, a sparse index is the cure.",
        "A filter is right for small collections, for the last few per cent, and for hiding what has expired but is not deleted yet.",
        "`Limit` counts before the filter: ask for 20 with a filter and you may get 3.",
        "An attribute that is missing is not equal to anything. Ask `attribute_not_exists` if you mean it.",
      ],
    },
  ],
  see: {
    topics: ["begins-with", "sparse-index", "paging", "global-index"],
    rules: ["filter-discards-most", "index-for-small-collection", "ttl-trusted"],
  },
};
