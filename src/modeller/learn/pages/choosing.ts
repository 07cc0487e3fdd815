import type { ConceptPage } from "../page.ts";

export const page: ConceptPage = {
  id: "choosing",
  summary:
    "A table from what you need to the page that shows how, as a start; cost and heat decide.",
  what: [
    {
      head: ["You need", "Look at"],
      rows: [
        [
          "Things that belong to one parent, read by parent",
          "identifying-relationship, one-to-many",
        ],
        ["Two things that are always read together", "embedding, item-collection"],
        ["A graph: who follows whom, who reports to whom, parts of parts", "adjacency-list"],
        ["Both directions of one relation", "many-to-many, inverted-index"],
        ["Every level of a tree: country, region, city", "hierarchy, composite-sort-key"],
        ["Numbers and texts, each in its own order, in one index", "multi-attribute-keys"],
        ["The parent first and then its children in one answer", "ordering-prefix"],
        ["A few items out of many: open, overdue, on sale", "sparse-index"],
        ["Items in a state, in the order of time", "sparse-index, write-sharding"],
        ["Several questions that could share an index", "overloaded-index"],
        ["No two users with one e-mail address", "unique-values"],
        ["Nobody overwrites what somebody else wrote", "conditional-writes, optimistic-locking"],
        ["One name or price beside every line that shows it", "short-circuit-copies"],
        ["A small number that changes often in a large item", "vertical-split"],
        ["Photos, documents, anything near 400 KB", "large-items"],
        ["All versions of a document, and the newest fast", "versioning"],
        ["More than 1,000 writes a second for one key", "write-sharding, calculated-shards"],
        ["Measurements by time", "time-series, time-shards, period-tables"],
        ["Data that is worthless after a while: sessions, caches", "ttl"],
        ["Counts and sums without counting", "stream-aggregates, scheduled-aggregates"],
        ["The best hundred of a million", "leaderboard"],
        ["The same few items read by everybody", "dax"],
        ["Customers who must never see each other's data", "natural-boundaries, access-scopes"],
        [
          "Full-text search, reports, questions nobody thought of",
          "search-and-analytics-elsewhere",
        ],
      ],
    },
  ],
  follows: [
    "Begin with the simplest design that answers every pattern. Take a pattern from this table when a number asks for it: units, bytes, a partition's ceiling, or the number of calls.",
    "`keywright lint` names the page that cures what it finds.",
  ],
  see: { topics: ["access-patterns-first", "when-dynamodb-fits", "single-or-several-tables"] },
};
