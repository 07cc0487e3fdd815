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
name: clicks
overview: { domain: web analytics, scale: { users: 3_000 } }
entities:
  Click:
    id: [clickId]
    count: 900_000_000
    attributes:
      clickId: { type: S, format: ulid }
      siteId: { type: S, bytes: 8, distinct: 3_000, mutable: false }
      clickedAt: { type: S, format: iso-time, mutable: false }
      page: { type: S, bytes: 40, mutable: false }
patterns:
  click: { name: Click, create: Click, rps: { average: 300, peak: 2_000 } }
  hour:
    name: Clicks on a site in an hour
    read: Click
    where: { siteId: equals, clickedAt: { begins-with: $hour } }
    order: { clickedAt: ascending }
    limit: 500
    rps: { average: 1, peak: 20 }
design:
  tables:
    Clicks:
      purpose: clicks by site and hour
      key: { siteHour: S, clicked: S }
      entities:
        Click:
          key: { siteHour: "{siteId}#{clickedAt|hour}", clicked: "{clickedAt}#{clickId}" }
`,
    requests: [
      {
        pattern: "hour",
        operation: "Query",
        input: {
          TableName: "Clicks",
          KeyConditionExpression: "siteHour = :site",
          ExpressionAttributeValues: { ":site": { S: "shop-de#2026-11-16T09" } },
          Limit: 500,
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
