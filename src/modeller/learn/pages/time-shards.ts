import type { PatternPage } from "../page.ts";

export const page: PatternPage = {
  id: "time-shards",
  summary:
    "The hour or day in the partition key moves the load to a new key with time, and lists by time ask few keys.",
  when: [
    "Items are written and read by time, and one key per day or device would be too hot or too large.",
    "Readers name a span: the last hours, a day.",
  ],
  how: [
    "Two kinds. Cut the time into the key, `{deviceId}#{takenAt|hour}`: each span is a key of its own, and a day's readers ask 24. Or count on: `{day}#{shard:24:hour}`, the hour of writing modulo 24.",
    "If one hour of one device is still too hot, add a calculated shard.",
  ],
  pitfalls: [
    "At any moment all writes for one owner still meet on the newest key: time spreads storage and history, not the present. Only the other parts of the key, or a drawn shard, spread that.",
    "A span asked by time of event does not match a shard by time of writing if events come late.",
    "Short spans make many requests for long questions.",
  ],
  example: {
    model: `
keywright: 1
name: readings
entities:
  Reading:
    id: [deviceId, takenAt]
    count: 500_000_000
    attributes:
      deviceId: { type: S, format: uuid }
      takenAt: { type: S, format: iso-time }
      value: { type: N, digits: 5, mutable: false }
patterns:
  record:
    name: Record
    create: Reading
    batch: 25
    considerations: [unprocessed items are sent again]
    rps: { average: 40, peak: 200 }
  day:
    name: Readings of a device on a day
    read: Reading
    where: { deviceId: equals, takenAt: { begins-with: $day } }
    order: { takenAt: ascending }
    limit: all
    matches: 1_440
    rps: { average: 1, peak: 20 }
design:
  tables:
    Readings:
      key: { deviceDay: S, takenAt: S }
      entities:
        Reading: { key: { deviceDay: "{deviceId}#{takenAt|day}", takenAt: "{takenAt}" } }
`,
    requests: [
      {
        pattern: "day",
        operation: "Query",
        input: {
          TableName: "Readings",
          KeyConditionExpression: "deviceDay = :key",
          ExpressionAttributeValues: { ":key": { S: "5f1c#2026-11-16" } },
        },
      },
    ],
  },
  see: {
    topics: ["time-series", "write-sharding", "monotonic-keys", "period-tables"],
    examples: ["social-network"],
    rules: ["monotonic-partition-key", "gather-too-wide", "rising-sort-key"],
  },
};
