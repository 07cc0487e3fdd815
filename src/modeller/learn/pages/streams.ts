import type { ConceptPage } from "../page.ts";

export const page: ConceptPage = {
  id: "streams",
  summary:
    "A stream tells every change of a table, in order per item, for 24 hours; consumers keep copies, counts and other services up to date.",
  what: [
    {
      list: [
        "Views: keys, new image, old image, both. The view cannot be changed: a new stream must be made, and readers must move over. Take both images unless you know better; the price is per read, not per byte.",
        "Writes that change nothing tell nothing. Deletions by time to live are marked as the service's own.",
        "A function gets batches: so many records, or what came within the batch window, or 6 MB. Shards are read in order; a record that always fails holds up its shard until retries or age end.",
        "Two readers per shard at most.",
      ],
    },
  ],
  follows: [
    {
      list: [
        "A record may be handed over twice. Make consumers idempotent.",
        "Filter at the source (`eventName`, keys), or the function is called for nothing.",
        "Use a batch window to save calls where seconds do not matter.",
        "Start at `trim-horizon` if nothing may be missed, and store what finally fails somewhere else.",
      ],
    },
  ],
  see: {
    topics: ["stream-aggregates", "search-and-analytics-elsewhere", "ttl"],
    examples: ["social-network", "online-shop"],
    rules: ["stream-without-consumer", "consumer-without-filter", "counter-not-idempotent"],
  },
};
