import type { ConceptPage } from "../page.ts";

export const page: ConceptPage = {
  id: "adaptive-capacity-and-splits",
  summary:
    "The service moves unused throughput to busy partitions and splits those that stay busy, but never beyond one partition for one key.",
  what: [
    {
      list: [
        "Adaptive capacity lends a busy partition what the table does not use elsewhere: at once, for nothing, up to the partition's ceiling.",
        "A partition that stays hot for minutes is split, so that each hot key may end up alone on one.",
        "A single collection can be split by sort key too. Not if the sort key only rises or falls, and not if the table has a local index.",
        "On-demand tables serve twice their previous peak at once and grow further within about 30 minutes. Warm throughput can be bought in advance.",
      ],
    },
  ],
  follows: [
    "So a moderate imbalance cures itself after some minutes of throttling. What does not cure itself: one key above the ceiling, a rising sort key, and a sudden load on a cold table. Design for those; prewarm for a known day.",
  ],
  see: {
    topics: ["burst", "monotonic-keys", "on-demand", "hot-partitions"],
    rules: ["rising-sort-key", "cold-start", "hot-partition-write"],
  },
};
