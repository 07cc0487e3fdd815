import type { PatternPage } from "../page.ts";

export const page: PatternPage = {
  id: "leaderboard",
  summary:
    "An index with the score as its sort key, read backwards, gives the best; changing scores and hot boards are its price.",
  when: [
    "The best 10 or 100 of a game, a week, a league.",
    "Nobody needs the exact rank of number 731,204: that is counting, and another service's work.",
  ],
  how: [
    "Index key: board, score, player. The player's id behind the score keeps equal scores apart and in a fixed order. Read backwards with a limit. Boards by day or league spread the load.",
    "50,000 views a minute are 833 a second on one key: well within 3,000 units if the answer is small, and most never arrive behind a cache.",
  ],
  pitfalls: [
    "Each change of a score deletes and puts an index entry: two units. Check the doubled rate of the hottest board against 1,000.",
    "Only update if the new score is better: a condition saves most writes.",
    "The score as the table's sort key: two players with one score overwrite each other.",
    "Scores as text must be padded; as N they need nothing.",
  ],
  example: {
    model: `
keywright: 1
name: scores
overview: { domain: games, scale: { users: 2_000_000 } }
entities:
  Score:
    id: [board, playerId]
    count: 2_000_000
    attributes:
      board: { type: S, bytes: 14, distinct: 200 }
      playerId: { type: S, format: ulid }
      points: { type: N, digits: 6 }
patterns:
  best:
    name: The best of a board
    read: Score
    where: { board: equals }
    order: { points: descending, playerId: descending }
    limit: 100
    rps: { average: 200, peak: 900 }
  play:
    name: A better score
    update: Score
    where: { board: equals, playerId: equals }
    changes: [points]
    condition: { points: { less: $points } }
    rps: { average: 20, peak: 200 }
  join: { name: Join a board, create: Score, condition: absent, rps: { average: 5, peak: 90 } }
design:
  tables:
    Scores:
      purpose: the best result of each player
      key: { board: S, playerId: S }
      entities: { Score: { key: { board: "{board}", playerId: "{playerId}" } } }
      indexes:
        Best:
          purpose: the best of a board
          key: { partition: board, sort: [points, playerId] }
          projection: keys
  tradeoffs: [a new score writes two index entries]
`,
    requests: [
      {
        pattern: "best",
        operation: "Query",
        input: {
          TableName: "Scores",
          IndexName: "Best",
          KeyConditionExpression: "board = :board",
          ExpressionAttributeValues: { ":board": { S: "2026-11#silver" } },
          ScanIndexForward: false,
          Limit: 100,
        },
      },
    ],
  },
  see: {
    topics: ["index-writes", "dax", "multi-attribute-keys", "sorting"],
    examples: ["game-leaderboard"],
    rules: ["mutable-index-key", "same-sort-value", "key-does-not-identify", "hot-partition-read"],
  },
};
