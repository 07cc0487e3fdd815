import type { PatternPage } from "../page.ts";

export const page: PatternPage = {
  id: "period-tables",
  summary:
    "A table for each month keeps new data fast, old data cheap, and drops what is over by deleting a table.",
  when: [
    "Time series whose old part is hardly read, or wants another class or throughput.",
    "Whole periods are thrown away at once.",
  ],
  how: [
    "Names such as `Readings-2026-11`. Create the next one ahead, warm if the load is large. Writers choose by the item's time. Readers ask one table per period of their span. Older tables: Standard-IA, few provisioned units; then export and delete.",
  ],
  pitfalls: [
    "At midnight the new table is cold: prewarm it, or writes are throttled.",
    "A span across the boundary is two requests.",
    "Late data belongs into an old table: keep it writable, or state that late means lost.",
    "If nothing but deletion is wanted, time to live is less work.",
  ],
  example: {
    model: `
keywright: 1
name: monthly-readings
entities:
  Reading:
    id: [deviceId, takenAt]
    count: 1_000_000_000
    retention: 365d
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
  newest:
    name: The newest readings of a device
    read: Reading
    where: { deviceId: equals }
    order: { takenAt: descending }
    limit: 10
    rps: { average: 20, peak: 100 }
design:
  tables:
    Readings:
      key: { deviceId: S, takenAt: S }
      entities: { Reading: { key: { deviceId: "{deviceId}", takenAt: "{takenAt}" } } }
      periods:
        every: month
        attribute: takenAt
        keep: 12
        older: { class: infrequent-access }
      prewarm: { read: 12_000, write: 6_000 }
`,
    requests: [
      {
        pattern: "newest",
        operation: "Query",
        input: {
          TableName: "Readings",
          KeyConditionExpression: "deviceId = :device",
          ExpressionAttributeValues: { ":device": { S: "5f1c" } },
          ScanIndexForward: false,
          Limit: 10,
        },
      },
    ],
  },
  see: {
    topics: ["time-series", "ttl", "standard-infrequent-access", "adaptive-capacity-and-splits"],
    examples: ["device-readings", "marketplace"],
    rules: ["cold-start", "retention-without-ttl", "infrequent-access-cheaper"],
  },
};
