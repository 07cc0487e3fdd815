import type { PatternPage } from "../page.ts";

export const page: PatternPage = {
  id: "many-to-many",
  summary: "Each pair is an item of its own; the table lists one direction, an index the other.",
  when: [
    "Users and groups, students and courses, products and tags, asked for in both directions.",
    "The pair may have attributes: since when, in which role.",
  ],
  how: [
    "An entity for the pair. Table key: first id, second id. Index with the two swapped. Copy the few attributes that lists show, such as the group's name, into the pair.",
  ],
  pitfalls: [
    "Without the index, one direction is a scan.",
    "A set of ids inside one side works for some tens, has no order and no attributes, and grows toward 400 KB.",
    "The popular end is a hot key of the index: a group of a million members gets all its joins there.",
    "Deleting one side leaves pairs behind: delete them by a stream's consumer, or in batches.",
  ],
  example: {
    model: `
keywright: 1
name: memberships
overview: { domain: clubs, scale: { users: 60_000 } }
entities:
  Membership:
    id: [userId, groupId]
    count: 500_000
    attributes:
      userId: { type: S, format: ulid }
      groupId: { type: S, format: ulid }
      joinedAt: { type: S, format: iso-time, mutable: false }
      groupName: { type: S, bytes: 30 }
patterns:
  groups:
    name: Groups of a user
    read: Membership
    where: { userId: equals }
    order: { groupId: ascending }
    limit: 50
    rps: { average: 30, peak: 150 }
  members:
    name: Members of a group
    read: Membership
    where: { groupId: equals }
    order: { userId: ascending }
    limit: 50
    returns: [userId, joinedAt]
    rps: { average: 10, peak: 60 }
  join: { name: Join, create: Membership, condition: absent, rps: { average: 1, peak: 20 } }
design:
  tables:
    Memberships:
      purpose: who is in which group
      key: { userId: S, groupId: S }
      entities:
        Membership: { key: { userId: "{userId}", groupId: "{groupId}" } }
      indexes:
        MembersOfGroup:
          purpose: the same pairs from the group's side
          key: { partition: groupId, sort: userId }
          projection: [joinedAt]
  tradeoffs: [who has just joined may be missing among the members for a moment]
`,
    requests: [
      {
        pattern: "members",
        operation: "Query",
        input: {
          TableName: "Memberships",
          IndexName: "MembersOfGroup",
          KeyConditionExpression: "groupId = :group",
          ExpressionAttributeValues: { ":group": { S: "01JA" } },
          Limit: 50,
        },
      },
    ],
  },
  see: {
    topics: ["adjacency-list", "inverted-index", "short-circuit-copies", "streams"],
    examples: ["social-network", "code-hosting", "learning"],
    rules: ["hot-partition-write", "unbounded-list", "scan-in-pattern"],
  },
};
