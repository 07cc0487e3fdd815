import type { PatternPage } from "../page.ts";

export const page: PatternPage = {
  id: "one-to-one",
  summary:
    "Two things that exist once for each other: one item if they are read together, two items under one key if not.",
  when: [
    "A user and a profile, a device and its settings, an order and its invoice.",
    "They differ in who writes them, how often, or how large they are. Otherwise it is one entity: make it one item.",
  ],
  how: [
    "Give both the same partition key. Either can be read by the id of the first, and both by one Query. If the second has an id of its own that others know, store each id with the other side.",
  ],
  pitfalls: [
    "Two items with two ids and a reference each way must be written in one transaction, or one reference dangles.",
    "An index on the reference is not needed if the key already is the other's id.",
    "One to one now may be one to many later. A sort key leaves the door open.",
  ],
  example: {
    model: `
keywright: 1
name: users-and-settings
overview: { domain: accounts, scale: { users: 100_000 } }
entities:
  User:
    id: [userId]
    count: 100_000
    attributes:
      userId: { type: S, format: ulid }
      name: { type: S, bytes: 30 }
  Settings:
    id: [userId]
    count: 100_000
    attributes:
      userId: { type: S, format: ulid }
      theme: { type: S, values: [dark, light] }
      filters: { type: M, bytes: 2 KB }
relations:
  - { from: User, to: Settings, kind: one-to-one, identifying: true, together: 0.2 }
patterns:
  user:
    name: A user
    read: User
    where: { userId: equals }
    rps: { average: 50, peak: 300 }
  settings:
    name: Settings
    read: Settings
    where: { userId: equals }
    rps: { average: 5, peak: 40 }
  join: { name: Sign up, create: User, condition: absent, rps: { average: 1, peak: 20 } }
  save:
    name: Save settings
    create: Settings
    condition: absent
    rps: { average: 1, peak: 20 }
design:
  tables:
    Users:
      purpose: users and their settings
      key: { userId: S, part: S }
      entities:
        User: { key: { userId: "{userId}", part: USER } }
        Settings: { key: { userId: "{userId}", part: SETTINGS } }
`,
    requests: [
      {
        pattern: "settings",
        operation: "GetItem",
        input: { TableName: "Users", Key: { userId: { S: "01J9" }, part: { S: "SETTINGS" } } },
      },
    ],
  },
  see: {
    topics: ["vertical-split", "embedding", "one-to-many"],
    examples: ["learning"],
    rules: ["together-but-apart", "replaceable-index"],
  },
};
