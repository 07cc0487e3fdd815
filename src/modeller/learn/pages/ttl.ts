import type { PatternPage } from "../page.ts";

export const page: PatternPage = {
  id: "ttl",
  summary:
    "Items with a second of expiry are deleted by the service for nothing, some time after: housekeeping, not a lock.",
  when: [
    "Sessions, tokens, carts, caches, notifications, readings that lose their worth.",
    "Data must not be kept for ever, and the exact hour does not matter.",
  ],
  how: [
    "A top-level number with the epoch in seconds, named in the table's settings. Expired items usually go within hours, commonly within two days, without a guarantee. Until then they are read, updated and paid for as storage. Updating the number prolongs a life.",
    "Readers drop what has expired: the program compares a single item with now, lists use a filter: `expiresAt > :now`.",
  ],
  pitfalls: [
    "Milliseconds mean the year 58,000: nothing is ever deleted.",
    "What expired more than five years ago is left alone: a slip in the past does not empty a table.",
    "Do not trust it for security: a session is over when its time is, not when its item is gone.",
    "In the stream, expiry is a REMOVE by the service (`userIdentity`): tell it from real deletions.",
    "Texts and other types are ignored.",
  ],
  example: {
    model: `
keywright: 1
name: sessions
overview: { domain: accounts, scale: { users: 300_000 } }
entities:
  Session:
    id: [sessionId]
    count: 300_000
    retention: 1d
    attributes:
      sessionId: { type: S, format: uuid }
      userId: { type: S, format: ulid, mutable: false }
      expiresAt: { type: N, format: epoch-seconds }
patterns:
  begin: { name: Sign in, create: Session, condition: absent, rps: { average: 4, peak: 60 } }
  valid:
    name: Is the session still good
    read: Session
    where: { sessionId: equals, expiresAt: { greater: $now } }
    rps: { average: 300, peak: 2_000 }
design:
  tables:
    Sessions:
      purpose: who is signed in
      key: { sessionId: S }
      entities: { Session: { key: { sessionId: "{sessionId}" } } }
      ttl: expiresAt
`,
    requests: [
      {
        pattern: "valid",
        operation: "GetItem",
        input: { TableName: "Sessions", Key: { sessionId: { S: "8d1e" } } },
      },
    ],
  },
  see: {
    topics: ["temporal-values", "streams", "filters", "period-tables"],
    examples: ["social-network", "device-readings", "documents"],
    rules: ["ttl-in-milliseconds", "ttl-without-time", "ttl-trusted", "retention-without-ttl"],
  },
};
