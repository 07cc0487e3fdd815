import type { ConceptPage } from "../page.ts";

export const page: ConceptPage = {
  id: "search-and-analytics-elsewhere",
  summary:
    "Full-text search, facets, sums over everything and questions of the day belong to services made for them, fed from the table.",
  what: [
    {
      head: ["Need", "Where", "Fed by"],
      rows: [
        [
          "words in texts, typing errors, facets",
          "OpenSearch",
          "stream, or its pipeline without code",
        ],
        ["reports, joins, ad-hoc SQL", "S3 with Athena, a warehouse", "export, incremental export"],
        ["numbers on a dashboard", "metrics, a time-series store", "stream"],
        ["a count or sum that users see", "an item in the table", "stream, schedule, transaction"],
        ["likeness of vectors", "a vector index", "the table itself, or a stream"],
        ["files", "S3", "the program, with a pointer in the item"],
      ],
    },
  ],
  follows: [
    "Say so in the model: `status: alternative` with `service`, `via` and `why`. The table stays the source of truth; the other side may be rebuilt from it, so keep a way to load everything again. What it shows is seconds behind.",
  ],
  see: {
    topics: ["streams", "scans", "when-dynamodb-fits", "stream-aggregates"],
    examples: ["online-shop", "code-hosting", "documents"],
    rules: ["scan-in-pattern", "stream-without-consumer"],
  },
};
