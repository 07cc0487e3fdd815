import type { PatternPage } from "../page.ts";

export const page: PatternPage = {
  id: "adjacency-list",
  summary:
    "Nodes and edges of a graph are items of one table: a node's collection holds the node and its edges.",
  when: [
    "Who follows whom, who reports to whom, which parts make up a part.",
    "One request shall return a node with its neighbours, or the edges in either direction.",
  ],
  how: [
    "Partition key: the node. Sort key: the node itself for its own item, and a kind and target for each edge. An inverted index on the same two attributes reads edges from the other end.",
  ],
  pitfalls: [
    "Without the inverted index only one direction can be asked.",
    "Each edge is written twice, in table and index; nodes with millions of edges are hot keys there.",
    "Names copied into edges need somebody to renew them.",
    "The inverted index also returns the node's own item if its sort key is its own name: give edges a prefix and ask for that.",
    "Paths of many steps are many requests. For those, take a graph database.",
  ],
  example: {
    model: `
keywright: 1
name: followers
overview: { domain: social media, scale: { users: 100_000 } }
entities:
  Person:
    id: [personId]
    count: 100_000
    attributes: { personId: { type: S, format: ulid }, name: { type: S, bytes: 30 } }
  Follow:
    id: [followerId, followedId]
    count: 5_000_000
    attributes:
      followerId: { type: S, format: ulid }
      followedId: { type: S, format: ulid }
      since: { type: S, format: iso-date, mutable: false }
patterns:
  follows:
    name: Whom I follow
    read: Follow
    where: { followerId: equals }
    order: { followedId: ascending }
    limit: 100
    rps: { average: 20, peak: 90 }
  followers:
    name: Who follows me
    read: Follow
    where: { followedId: equals }
    order: { followerId: ascending }
    limit: 100
    returns: [followerId, since]
    rps: { average: 5, peak: 40 }
  follow: { name: Follow, create: Follow, condition: absent, rps: { average: 3, peak: 50 } }
  person:
    name: A person
    read: Person
    where: { personId: equals }
    rps: { average: 40, peak: 200 }
  join: { name: Join, create: Person, condition: absent, rps: { average: 0.1, peak: 5 } }
design:
  tables:
    People:
      purpose: people and whom they follow
      key: { node: S, edge: S }
      entities:
        Person: { key: { node: "PERSON#{personId}", edge: "PERSON#{personId}" } }
        Follow: { key: { node: "PERSON#{followerId}", edge: "FOLLOWS#{followedId}" } }
      indexes:
        Inverted:
          purpose: edges from their other end
          key: { partition: edge, sort: node }
          projection: [followerId, since]
  tradeoffs: [followers are a moment behind]
`,
    requests: [
      {
        pattern: "follows",
        operation: "Query",
        input: {
          TableName: "People",
          KeyConditionExpression: "node = :me AND begins_with(edge, :kind)",
          ExpressionAttributeValues: { ":me": { S: "PERSON#01J9" }, ":kind": { S: "FOLLOWS#" } },
          Limit: 100,
        },
      },
      {
        pattern: "followers",
        operation: "Query",
        input: {
          TableName: "People",
          IndexName: "Inverted",
          KeyConditionExpression: "edge = :me",
          ExpressionAttributeValues: { ":me": { S: "FOLLOWS#01J9" } },
          Limit: 100,
        },
      },
    ],
  },
  see: {
    topics: ["inverted-index", "many-to-many", "hot-partitions"],
    examples: ["social-network", "code-hosting", "saas-workspaces"],
    rules: ["hot-partition-write", "copy-without-upkeep", "overlapping-prefixes"],
  },
};
