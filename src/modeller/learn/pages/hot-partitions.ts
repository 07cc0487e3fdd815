import type { ConceptPage } from "../page.ts";

export const page: ConceptPage = {
  id: "hot-partitions",
  summary:
    "A partition that gets more than 3,000 reads or 1,000 writes a second throttles, while the rest of the table idles.",
  what: [
    "Two causes: too few values (a state, a tier, a date) or one value that everybody wants (a famous user, today's event). A hot partition holds several busy keys, and can be split. A hot key cannot: one item never gets more than one partition's throughput, in no billing mode.",
    "Indexes have hot partitions too, and a hot index throttles the table's writes.",
  ],
  follows: [
    {
      list: [
        "Count at peak: rate of the pattern × share of the hottest key × units of a request, against 1,000 and 3,000. `keywright heat` simulates it.",
        "Hot writes: shards, or collect first and write less often.",
        "Hot reads: a cache, copies, larger answers less often.",
        "Hot counters: shards that are summed, or aggregates by stream or schedule.",
        "In service: throttle metrics name key ranges; Contributor Insights names the keys.",
      ],
    },
  ],
  see: {
    topics: [
      "partition-key",
      "write-sharding",
      "dax",
      "contributor-insights",
      "adaptive-capacity-and-splits",
    ],
    examples: ["social-network"],
    rules: [
      "hot-partition-write",
      "hot-partition-read",
      "hot-counter",
      "low-cardinality-key",
      "constant-partition-key",
    ],
  },
};
