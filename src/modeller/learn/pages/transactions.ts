import type { ConceptPage } from "../page.ts";

export const page: ConceptPage = {
  id: "transactions",
  summary:
    "Up to 100 reads or writes, over several items and tables, happen together or not at all, for twice the units.",
  what: [
    {
      list: [
        "`TransactWriteItems`: puts, updates, deletes and condition checks, each item once, 4 MB together, one account and Region. Any failed condition cancels all.",
        "`TransactGetItems`: a snapshot that no transaction has half changed.",
        "Two requests that touch one item at the same time do not wait: one is refused with a conflict. Retry with a pause, and give a `ClientRequestToken`, so that a repetition within 10 minutes has no second effect.",
        "Indexes, streams and replicas show the parts one by one.",
        "The answer brings no new values back; on a failure it names the reason for each action.",
      ],
    },
  ],
  follows: [
    {
      list: [
        "Use them for rules that span items: unique values, an order and the stock, moving money. One item with a condition needs none.",
        "Keep hot items out. A counter that every transaction adds to makes all of them conflict.",
        "Let entities that change together be close, but not because of transactions: these work across tables.",
      ],
    },
  ],
  see: {
    topics: ["conditional-writes", "unique-values", "write-units", "stream-aggregates"],
    examples: ["online-shop", "code-hosting", "learning"],
    rules: ["transaction-without-need", "transaction-contention", "hot-counter"],
  },
};
