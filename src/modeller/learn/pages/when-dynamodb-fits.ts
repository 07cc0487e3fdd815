import type { ConceptPage } from "../page.ts";

export const page: ConceptPage = {
  id: "when-dynamodb-fits",
  summary:
    "DynamoDB fits when you know how data is asked for, ask by key, and want the same speed at any size.",
  what: [
    "It is made for many small requests by key: the time of a request does not grow with the table, nothing has to be sized or patched, and there is no limit to items or throughput as long as keys spread.",
    {
      list: [
        "Good signs: patterns are known; most name a key; items are far below 400 KB; the load is large, or grows, or comes in bursts; items differ in shape; a few milliseconds matter; reads may be a moment behind.",
        "Typical: sessions, carts, orders by customer, profiles, devices and their readings, events, queues of work, caches that must survive.",
        "Bad signs: joins over many entities at will, questions that change every week, full-text search, sums over everything, transactions over hundreds of items, one small database that a single server would hold.",
      ],
    },
  ],
  follows: [
    "Bad signs in a few patterns do not rule it out. Mark those patterns `alternative` in the model with the service that answers them, fed by a stream or an export. If most of the requests are of that kind, take another database.",
  ],
  see: {
    topics: ["access-patterns-first", "search-and-analytics-elsewhere", "transactions"],
    examples: ["online-shop"],
  },
};
