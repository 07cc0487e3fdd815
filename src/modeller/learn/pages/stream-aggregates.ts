import type { PatternPage } from "../page.ts";

export const page: PatternPage = {
  id: "stream-aggregates",
  summary:
    "A consumer of the stream adds up changes and writes the sums a few seconds later, many at once.",
  when: [
    "Counts, sums, maxima that are read often: followers, likes, totals of a customer.",
    "Being seconds behind does no harm.",
  ],
  how: [
    "A batch of records is summed by target, then each target gets one update. A batch window of seconds turns a hot counter into a few writes. New and old image together tell what was added and taken away.",
  ],
  pitfalls: [
    "A batch may come twice. Remember the last sequence number with the sum, or take the sum from what is there, or accept an estimate.",
    "Filter `eventName` and kind, or the consumer's own update calls it again.",
    "One bad record stops a shard: split batches on error, and park what fails.",
    "Exact at every moment (a balance)? Then a transaction, not a stream.",
  ],
  example: {
    model: `
keywright: 1
name: follower-counts
entities:
  Person:
    id: [personId]
    count: 100_000
    attributes:
      personId: { type: S, format: ulid }
      followers: { type: N, digits: 5, counter: true }
  Follow:
    id: [followerId, followedId]
    count: 5_000_000
    attributes:
      followerId: { type: S, format: ulid }
      followedId: { type: S, format: ulid }
patterns:
  follow: { name: Follow, create: Follow, condition: absent, rps: { average: 5, peak: 90 } }
  person:
    name: A person
    read: Person
    where: { personId: equals }
    rps: { average: 90, peak: 500 }
design:
  tables:
    People:
      key: { personId: S }
      entities: { Person: { key: { personId: "{personId}" } } }
    Follows:
      key: { followerId: S, followedId: S }
      entities:
        Follow: { key: { followerId: "{followerId}", followedId: "{followedId}" } }
      stream: new-and-old-images
      consumers:
        - { name: followers, batch: 500, window: 2s, filter: { eventName: [INSERT, REMOVE] } }
      aggregates: [{ of: Follow, into: Person.followers, by: stream }]
`,
    requests: [
      {
        pattern: "follow",
        operation: "PutItem",
        input: {
          TableName: "Follows",
          Item: { followerId: { S: "01J9" }, followedId: { S: "01JA" } },
          ConditionExpression: "attribute_not_exists(followerId)",
        },
      },
    ],
  },
  see: {
    topics: ["streams", "scheduled-aggregates", "write-sharding", "transactions"],
    examples: ["social-network", "code-hosting", "learning"],
    rules: [
      "counter-not-idempotent",
      "hot-counter",
      "consumer-without-filter",
      "stream-without-consumer",
    ],
  },
};
