import type { ConceptPage } from "../page.ts";

export const page: ConceptPage = {
  id: "partition-key",
  summary:
    "The partition key says where an item lies: it needs many values, evenly used, and requests must know it.",
  what: [
    "Every GetItem and Query names it exactly. Best is the attribute you most often look things up by, if it has many values: a user, an order, a device, a session.",
    {
      list: [
        "Too few values: an order's state (5), a subscription's tier (3), a country of which one has 90 % of the traffic.",
        "Constant: `USERS`, `GLOBAL`. The whole table is one key.",
        "Rising: today's date alone. All writes of a day meet on one key.",
        "Skewed: a user id has millions of values, and one user is famous.",
      ],
    },
  ],
  follows: [
    "As a rule of thumb the traffic should meet at least 100 different keys at any time. What counts in the end is the hottest key at peak against 3,000 reads and 1,000 writes of its partition.",
    "If the natural key is too hot, make it finer: `device#hour`, `user#month`, or a shard. Each makes reads ask several keys, so do it only where the numbers demand it.",
  ],
  see: {
    topics: ["hot-partitions", "write-sharding", "time-shards", "monotonic-keys"],
    rules: [
      "constant-partition-key",
      "low-cardinality-key",
      "monotonic-partition-key",
      "mutable-attribute-in-key",
      "hot-partition-write",
    ],
  },
};
