import type { PatternPage } from "../page.ts";

export const page: PatternPage = {
  id: "sparse-index",
  summary:
    "Items without an index's key attributes are not in it: an index of the few that matter is small and cheap.",
  when: [
    "A question concerns a minority: open orders, alarms nobody saw, products on sale, premium users.",
    "A filter would drop more than 90 % of what is read.",
  ],
  how: [
    "An attribute that exists only while the item belongs in the index is its partition or sort key. Set it in the write that begins the state, remove it in the write that ends it. `only` in the model says which items have it.",
    "With 1 % of the items in it, the index costs about 1 % of a full one.",
  ],
  pitfalls: [
    "Forgetting to remove the attribute: the index fills up with the past.",
    "An empty or null key is an error or keeps the item out: leave the attribute away instead.",
    "A single constant as partition key (`OPEN`) is one hot key. Use a place, a day, or shards.",
    "Others will believe that everything is in the index: say its purpose.",
  ],
  example: {
    model: `
keywright: 1
name: alarms
overview: { domain: facilities, scale: { users: 2_000 } }
entities:
  Alarm:
    id: [alarmId]
    count: 1_000_000
    attributes:
      alarmId: { type: S, format: ulid }
      siteId: { type: S, bytes: 8, distinct: 400, mutable: false }
      raisedAt: { type: S, format: iso-time, mutable: false }
      state: { type: S, values: { raised: 0.02, closed: 0.98 } }
      text: { type: S, bytes: 120 }
patterns:
  waiting:
    name: Alarms that wait at a site, oldest first
    read: Alarm
    where: { siteId: equals, state: { equals: raised } }
    order: { raisedAt: ascending }
    limit: 25
    returns: [alarmId, raisedAt, text]
    rps: { average: 8, peak: 40 }
  raise: { name: Raise, create: Alarm, condition: absent, rps: { average: 1, peak: 50 } }
  close:
    name: Close an alarm
    update: Alarm
    where: { alarmId: equals }
    changes: { state: closed }
    condition: exists
    rps: { average: 1, peak: 10 }
design:
  tables:
    Alarms:
      purpose: alarms, open and closed
      key: { alarmId: S }
      entities: { Alarm: { key: { alarmId: "{alarmId}" } } }
      indexes:
        WaitingAlarms:
          purpose: alarms that nobody has closed
          key: { partition: waitingAt, sort: raisedAt }
          projection: [text]
          sets: { Alarm: { waitingAt: "{siteId}" } }
          only: { Alarm: { state: { equals: raised } } }
  tradeoffs: [a new alarm may be missing in the list for a moment]
`,
    requests: [
      {
        pattern: "waiting",
        operation: "Query",
        input: {
          TableName: "Alarms",
          IndexName: "WaitingAlarms",
          KeyConditionExpression: "waitingAt = :site",
          ExpressionAttributeValues: { ":site": { S: "site-17" } },
          Limit: 25,
        },
      },
      {
        pattern: "close",
        operation: "UpdateItem",
        input: {
          TableName: "Alarms",
          Key: { alarmId: { S: "01JC" } },
          UpdateExpression: "SET #state = :closed REMOVE waitingAt",
          ConditionExpression: "attribute_exists(alarmId)",
          ExpressionAttributeNames: { "#state": "state" },
          ExpressionAttributeValues: { ":closed": { S: "closed" } },
        },
      },
    ],
  },
  see: {
    topics: ["filters", "index-writes", "global-index", "write-sharding"],
    examples: ["device-readings", "online-shop", "code-hosting"],
    rules: ["dense-index-for-few", "filter-discards-most", "constant-partition-key"],
  },
};
