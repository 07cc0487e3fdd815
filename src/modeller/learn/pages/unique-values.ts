import type { PatternPage } from "../page.ts";

export const page: PatternPage = {
  id: "unique-values",
  summary:
    "An item for each value, written in the same transaction, keeps an e-mail address or a handle unique.",
  when: [
    "An attribute that is not the key must not occur twice.",
    "People are also looked up by it: the item serves that too.",
  ],
  how: [
    "A look-up item whose key is the value, in a table of its own or under a prefix in the same one. Create: a transaction of two puts, each with `attribute_not_exists`. Change: put the new value, delete the old, update the entity. Delete: both.",
    "Bring the value to one case first: `{email|lower}`.",
  ],
  pitfalls: [
    "A global index does not keep values unique, and asking it first is a race.",
    "Forgetting the old value at a change blocks it for ever.",
    "A create costs twice the units of both items: four or more instead of one.",
    "Each further unique attribute adds an item to the same transaction.",
  ],
  example: {
    model: `
keywright: 1
name: sign-up
overview: { domain: accounts, scale: { users: 1_000_000 } }
entities:
  User:
    id: [userId]
    count: 1_000_000
    attributes:
      userId: { type: S, format: ulid }
      email: { type: S, bytes: { min: 12, max: 60 }, unique: true, mutable: false }
      name: { type: S, bytes: 30 }
patterns:
  join: { name: Sign up, create: User, condition: absent, rps: { average: 2, peak: 30 } }
  user:
    name: A user
    read: User
    where: { userId: equals }
    rps: { average: 90, peak: 400 }
design:
  tables:
    Users:
      purpose: who has signed up
      key: { userId: S }
      entities: { User: { key: { userId: "{userId}" } } }
      unique:
        - entity: User
          attribute: email
          table: Emails
          key: { email: "{email|lower}" }
    Emails: { purpose: keeps addresses unique, key: { email: S } }
  tradeoffs: [signing up writes two items in a transaction]
`,
    requests: [
      {
        pattern: "join",
        operation: "TransactWriteItems",
        input: {
          TransactItems: [
            {
              Put: {
                TableName: "Users",
                Item: {
                  userId: { S: "01J9" },
                  email: { S: "Ann@example.com" },
                  name: { S: "Ann" },
                },
                ConditionExpression: "attribute_not_exists(userId)",
              },
            },
            {
              Put: {
                TableName: "Emails",
                Item: { email: { S: "ann@example.com" }, userId: { S: "01J9" } },
                ConditionExpression: "attribute_not_exists(email)",
              },
            },
          ],
        },
      },
    ],
  },
  see: {
    topics: ["transactions", "conditional-writes", "global-index"],
    examples: ["saas-workspaces"],
    rules: ["uniqueness-by-index", "create-overwrites", "personal-data-in-key"],
  },
};
