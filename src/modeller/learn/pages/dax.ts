import type { PatternPage } from "../page.ts";

export const page: PatternPage = {
  id: "dax",
  summary:
    "DAX answers repeated eventual reads from memory in microseconds; it does nothing for writes, strong reads and cold data.",
  when: [
    "The same items or queries are read again and again: products, leaderboards, profiles of the famous.",
    "Reads outnumber writes by far, and minutes of staleness are fine.",
    "A hot key is read more than a partition can serve.",
  ],
  how: [
    "A cluster of 1 to 11 nodes in your network, and a client in front of the same calls. The item cache holds gets by key, the query cache answers by their parameters, each 5 minutes unless set otherwise. Writes through it renew the item cache only.",
    "It saves the share of reads that hit, often 80 to 95 %; the nodes are paid by the hour whatever happens. Compare: reads saved × price against nodes × 730 hours.",
  ],
  pitfalls: [
    "A query's cached answer does not change when items do: it is old until its time is over.",
    "Strong and transactional reads pass through.",
    "Writes that go around it are seen after expiry.",
    "Many different keys, each read once: a low hit rate and full nodes.",
    "Not-found answers are cached too.",
  ],
  example: {
    model: `
keywright: 1
name: cached-board
overview: { domain: games, scale: { users: 2_000_000 } }
entities:
  Score:
    id: [board, place]
    count: 20_000
    attributes:
      board: { type: S, bytes: 14, distinct: 200 }
      place: { type: N, digits: 3 }
      player: { type: S, bytes: 20 }
      points: { type: N, digits: 6 }
patterns:
  best:
    name: The best of a board
    read: Score
    where: { board: equals }
    order: { place: ascending }
    limit: 100
    rps: { average: 400, peak: 850 }
  renew:
    name: Renew a place
    update: Score
    where: { board: equals, place: equals }
    changes: [player, points]
    condition: exists
    rps: { average: 3, peak: 20 }
  open: { name: Open a place, create: Score, condition: absent, rps: { average: 0.1, peak: 1 } }
design:
  tables:
    Boards:
      purpose: boards as they were last drawn up
      key: { board: S, place: N }
      entities: { Score: { key: { board: "{board}", place: "{place}" } } }
      dax:
        node: dax.r5.large
        nodes: 3
        hitRate: { assumed: 0.95, why: a few boards are watched by everybody }
        queryTtl: 30s
        patterns: [best]
  tradeoffs: [a board may be half a minute old]
`,
    requests: [
      {
        pattern: "best",
        operation: "Query",
        input: {
          TableName: "Boards",
          KeyConditionExpression: "board = :board",
          ExpressionAttributeValues: { ":board": { S: "2026-11#silver" } },
          Limit: 100,
        },
      },
    ],
  },
  see: {
    topics: ["hot-partitions", "leaderboard", "read-consistency"],
    examples: ["social-network", "game-leaderboard"],
    rules: ["dax-bypassed", "hot-partition-read"],
  },
};
