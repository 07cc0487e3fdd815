import type { PatternPage } from "../page.ts";

export const page: PatternPage = {
  id: "period-tables",
  summary:
    "A table for each month or quarter keeps new data fast, old data cheap, and drops what is over by deleting a table.",
  when: [
    "Time series whose old part is hardly read, or wants another class or throughput.",
    "Whole periods are thrown away at once.",
  ],
  how: [
    "Names such as `Bookings-2026-Q4`. Create the next one ahead, warm if the load is large. Writers choose by the item's time. Readers ask one table per period of their span. Older tables: Standard-IA, few provisioned units; then export and delete.",
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
name: bookings
overview: { domain: banking, scale: { users: 900_000 } }
entities:
  Booking:
    id: [bookingId]
    count: 400_000_000
    retention: 1095d
    attributes:
      bookingId: { type: S, format: ulid }
      accountId: { type: S, bytes: 12, distinct: 900_000, mutable: false }
      bookedAt: { type: S, format: iso-time, mutable: false }
      cents: { type: N, digits: 7, mutable: false }
patterns:
  book: { name: Book, create: Booking, condition: absent, rps: { average: 90, peak: 5_000 } }
  statement:
    name: The newest bookings of an account
    read: Booking
    where: { accountId: equals }
    order: { bookedAt: descending }
    limit: 30
    rps: { average: 200, peak: 900 }
design:
  tables:
    Bookings:
      purpose: bookings of a quarter
      key: { accountId: S, booked: S }
      entities:
        Booking: { key: { accountId: "{accountId}", booked: "{bookedAt}#{bookingId}" } }
      periods:
        every: quarter
        attribute: bookedAt
        keep: 12
        older: { class: infrequent-access }
      prewarm: { read: 12_000, write: 6_000 }
`,
    requests: [
      {
        pattern: "statement",
        operation: "Query",
        input: {
          TableName: "Bookings",
          KeyConditionExpression: "accountId = :account",
          ExpressionAttributeValues: { ":account": { S: "DE-100200300" } },
          ScanIndexForward: false,
          Limit: 30,
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
