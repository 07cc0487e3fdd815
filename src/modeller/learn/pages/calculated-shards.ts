import type { PatternPage } from "../page.ts";

export const page: PatternPage = {
  id: "calculated-shards",
  summary:
    "If the shard is computed from something the reader knows too, single items are still one request.",
  when: [
    "A hot key must be spread, and items in it are also asked for one by one.",
    "The reader knows an attribute of the item: the order's number, the phone number.",
  ],
  how: [
    "`{providerId}#{shard:10:phone}`: a hash of the phone number modulo 10. Writer and reader compute the same. Lists over the whole key still ask all shards.",
  ],
  pitfalls: [
    "Hash a value with many different ones, and one that never changes.",
    "All programs must hash alike: fix the function. Here it is FNV-1a of the UTF-8 bytes, mixed, modulo the count.",
    "A single hot item stays hot: a shard spreads items, not one item.",
    "Another number of shards moves nearly every item.",
  ],
  example: {
    model: `
keywright: 1
name: subscribers
overview: { domain: telephony, scale: { users: 30_000_000 } }
entities:
  Subscriber:
    id: [providerId, phone]
    count: 30_000_000
    attributes:
      providerId: { type: S, bytes: 6, distinct: 12, skew: { hottest: 0.4 } }
      phone: { type: S, bytes: 12 }
      plan: { type: S, bytes: 10 }
patterns:
  lookup:
    name: A subscriber by provider and number
    read: Subscriber
    where: { providerId: equals, phone: equals }
    rps: { average: 900, peak: 5_000 }
  add: { name: Add, create: Subscriber, condition: absent, rps: { average: 20, peak: 4_000 } }
design:
  tables:
    Subscribers:
      purpose: subscribers by provider and number
      key: { providerShard: S, phone: S }
      entities:
        Subscriber:
          key: { providerShard: "{providerId}#{shard:10:phone}", phone: "{phone}" }
`,
    requests: [
      {
        pattern: "lookup",
        operation: "GetItem",
        input: {
          TableName: "Subscribers",
          Key: { providerShard: { S: "tel-01#4" }, phone: { S: "+49301234567" } },
        },
      },
    ],
  },
  see: {
    topics: ["write-sharding", "partition-key", "hot-partitions"],
    examples: ["online-shop", "social-network", "game-leaderboard"],
    rules: ["too-few-shards", "too-many-shards", "low-cardinality-key"],
  },
};
