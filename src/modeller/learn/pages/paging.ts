import type { ConceptPage } from "../page.ts";

export const page: ConceptPage = {
  id: "paging",
  summary: "A page ends after 1 MB or `Limit` items; `LastEvaluatedKey` says where to go on.",
  what: [
    "As long as the answer has a `LastEvaluatedKey` there may be more, even if the page is empty. Hand it back as `ExclusiveStartKey`. No key: the end.",
  ],
  follows: [
    {
      list: [
        "Every list that people see has a limit, and every reader of a list can go on.",
        "Do not count pages or jump to page 50: there is no offset. Ask for a range of the sort key.",
        "Give clients an opaque, signed token rather than the key, and check that it is of the caller's own partition.",
        "Without an order in the key there is no newest page. Put the time into the sort key and read backwards.",
        "`Limit: 1` reads one item: the cheap way to the newest.",
      ],
    },
  ],
  see: {
    topics: ["filters", "sorting", "read-units", "access-scopes"],
    rules: ["unlimited-list", "limit-without-order", "sort-in-client"],
  },
};
