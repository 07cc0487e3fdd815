import type { PatternPage } from "../page.ts";

export const page: PatternPage = {
  id: "time-series",
  summary:
    "The source in the partition key, the time in the sort key: the newest and any span are one Query.",
  when: ["Measurements, events or logs of many sources, appended, read by source and time."],
  how: [
    "Partition key: device, user or account, never the date alone. Sort key: the time, with an id behind it if two can coincide. Newest: backwards with a limit. Span: between.",
    "For questions across sources (a site, a kind) an index of several attributes. Old data expires by time to live, or with a table for each period.",
  ],
  pitfalls: [
    "The date alone as partition key: all of today's writes on one key.",
    "A source with more than 1,000 writes a second: its sort key only rises, so it will not be split. Make the key finer.",
    "Writing each measurement alone: 25 in a batch save calls, several values in one item save units.",
    "Averages over months are not read from raw data: keep them as aggregates.",
  ],
  example: {
    model: `
keywright: 1
name: measurements
overview: { domain: Internet of Things, scale: { users: 300 } }
entities:
  Reading:
    id: [deviceId, takenAt]
    count: 500_000_000
    retention: 90d
    attributes:
      deviceId: { type: S, format: uuid, distinct: 20_000 }
      takenAt: { type: S, format: iso-time }
      value: { type: N, digits: 5, mutable: false }
      expiresAt: { type: N, format: epoch-seconds, mutable: false }
patterns:
  record:
    name: Record
    create: Reading
    batch: 25
    considerations: [unprocessed items are sent again]
    rps: { average: 40, peak: 150 }
  newest:
    name: The newest readings of a device
    read: Reading
    where: { deviceId: equals }
    order: { takenAt: descending }
    limit: 10
    rps: { average: 20, peak: 100 }
  span:
    name: Readings between two moments
    read: Reading
    where: { deviceId: equals, takenAt: between }
    order: { takenAt: ascending }
    limit: all
    matches: 600
    rps: { average: 2, peak: 20 }
design:
  tables:
    Readings:
      purpose: what devices measured
      key: { deviceId: S, takenAt: S }
      entities: { Reading: { key: { deviceId: "{deviceId}", takenAt: "{takenAt}" } } }
      ttl: expiresAt
`,
    requests: [
      {
        pattern: "span",
        operation: "Query",
        input: {
          TableName: "Readings",
          KeyConditionExpression: "deviceId = :device AND takenAt BETWEEN :from AND :to",
          ExpressionAttributeValues: {
            ":device": { S: "5f1c" },
            ":from": { S: "2026-11-16T08:00:00.000Z" },
            ":to": { S: "2026-11-16T18:00:00.000Z" },
          },
        },
      },
    ],
  },
  see: {
    topics: ["period-tables", "time-shards", "ttl", "temporal-values", "multi-attribute-keys"],
    examples: ["device-readings"],
    rules: [
      "monotonic-partition-key",
      "rising-sort-key",
      "retention-without-ttl",
      "key-does-not-identify",
    ],
  },
};
