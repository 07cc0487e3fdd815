import type { ConceptPage } from "../page.ts";

export const page: ConceptPage = {
  id: "monotonic-keys",
  summary:
    "Keys that only rise send all writes to the newest end: as a partition key to one key, as a sort key to one partition.",
  what: [
    {
      list: [
        "Partition key `2026-11-16`: the whole day's writes on one key, at most 1,000 a second.",
        "Partition key `order-1001`, `order-1002`: harmless, because each value is hashed.",
        "Sort key by time below a busy partition key: the collection cannot be split where it is written, since the new end is always the last part.",
      ],
    },
  ],
  follows: [
    {
      list: [
        "Below 1,000 units a second per key there is nothing to do.",
        "Above: put a shard or something finer into the partition key: `2026-11-16#07`, `device#hour`. Readers ask all shards and merge.",
        "Choose the number of shards by the peak: units at peak / 1,000, with some air.",
      ],
    },
  ],
  see: {
    topics: ["write-sharding", "time-shards", "time-series", "adaptive-capacity-and-splits"],
    examples: ["device-readings"],
    rules: ["monotonic-partition-key", "rising-sort-key", "too-few-shards"],
  },
};
