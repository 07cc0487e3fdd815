import type { PatternPage } from "../page.ts";

export const page: PatternPage = {
  id: "write-sharding",
  summary:
    "A number behind the partition key spreads the writes of one hot key over several; readers ask all and merge.",
  when: [
    "One key gets more than about 1,000 write units a second at peak: votes, clicks, today's events.",
    "Not before: many keys with ordinary load need no shards.",
  ],
  how: [
    "`{candidateId}#{shard:10}`: each write draws a shard. Shards = peak units on the hottest key / 1,000, rounded up, with air. Reads send one Query per shard, at the same time, and merge by sort key. Totals are summed, or kept by a stream or a schedule in an item of their own.",
  ],
  pitfalls: [
    "Too many shards make each read dear: N requests, N times the least unit.",
    "Too few do not help.",
    "With a random shard you cannot get one item back by its id: use a calculated one.",
    "The number of shards is part of the key. To change it, readers must ask old and new for a while.",
    "Gathering pages from N shards in order needs a merge, and a next-page token for each.",
  ],
  example: {
    model: `
keywright: 1
name: votes
overview: { domain: television, scale: { users: 6_000_000 } }
entities:
  Vote:
    id: [voteId]
    count: 10_000_000
    attributes:
      voteId: { type: S, format: uuid }
      candidate: { type: S, bytes: 2, distinct: 12, skew: { hottest: 0.6 }, mutable: false }
patterns:
  vote:
    name: Vote
    create: Vote
    rps: { average: 300, peak: 15_000 }
  recount:
    name: All votes for one, page by page
    read: Vote
    where: { candidate: equals }
    limit: 500
    returns: keys
    considerations: [all shards are asked, once a night]
    rps: { average: 0.1, peak: 5 }
design:
  tables:
    Votes:
      purpose: votes as they come in
      key: { candidateShard: S, voteId: S }
      entities:
        Vote: { key: { candidateShard: "{candidate}#{shard:20}", voteId: "{voteId}" } }
      prewarm: { write: 16_000 }
  tradeoffs: [a recount asks every shard]
`,
    requests: [
      {
        pattern: "recount",
        operation: "Query",
        input: {
          TableName: "Votes",
          KeyConditionExpression: "candidateShard = :shard",
          ExpressionAttributeValues: { ":shard": { S: "07#00" } },
          Limit: 500,
        },
      },
    ],
  },
  see: {
    topics: ["calculated-shards", "time-shards", "hot-partitions", "scheduled-aggregates"],
    examples: ["voting"],
    rules: [
      "too-few-shards",
      "too-many-shards",
      "gather-too-wide",
      "hot-partition-write",
      "hot-counter",
    ],
  },
};
