import type { PatternPage } from "../page.ts";

export const page: PatternPage = {
  id: "hierarchy",
  summary:
    "A path in the sort key, from the coarse to the fine, lets one table answer at every level of a tree.",
  when: [
    "Levels are fixed and asked from the top: country, region, city, street; student, course, lesson.",
    "Each level is asked for with everything below it.",
  ],
  how: [
    "Partition key: the level that is always given and has enough values. Sort key: the levels below, like a folder's path. `begins_with` on `DE#BY#` returns a region, the whole key one item.",
  ],
  pitfalls: [
    "A level cannot be skipped: a city without its region is not found.",
    "Moving something means deleting and putting it, with all below.",
    "A top level with few values (a country) is a hot key. Start one level lower, or shard.",
    "Trees of any depth fit better as an adjacency list, with the path as an attribute.",
  ],
  example: {
    model: `
keywright: 1
name: stores
overview: { domain: retail, scale: { users: 40_000 } }
entities:
  Store:
    id: [chain, country, region, city, storeId]
    count: 50_000
    attributes:
      storeId: { type: S, bytes: 8 }
      chain: { type: S, bytes: 6, distinct: 800, mutable: false }
      country: { type: S, values: [AT, CH, DE], mutable: false }
      region: { type: S, values: [BE, BY, ZH], mutable: false }
      city: { type: S, values: [berlin, munich, zurich], mutable: false }
      phone: { type: S, bytes: 14 }
patterns:
  region:
    name: Stores of a chain in a region
    read: Store
    where: { chain: equals, country: equals, region: equals }
    order: { city: ascending }
    limit: 50
    rps: { average: 20, peak: 100 }
  city:
    name: Stores of a chain in a city
    read: Store
    where: { chain: equals, country: equals, region: equals, city: equals }
    order: { storeId: ascending }
    limit: 50
    rps: { average: 30, peak: 150 }
  open:
    name: Open a store
    create: Store
    condition: absent
    rps: { average: 0.01, peak: 1 }
design:
  tables:
    Stores:
      purpose: stores of chains, by place
      key: { chain: S, place: S }
      entities:
        Store:
          key: { chain: "{chain}", place: "{country}#{region}#{city}#{storeId}" }
`,
    requests: [
      {
        pattern: "region",
        operation: "Query",
        input: {
          TableName: "Stores",
          KeyConditionExpression: "chain = :chain AND begins_with(place, :path)",
          ExpressionAttributeValues: { ":chain": { S: "ACME-1" }, ":path": { S: "DE#BY#" } },
          Limit: 50,
        },
      },
    ],
  },
  see: {
    topics: ["composite-sort-key", "begins-with", "multi-attribute-keys", "adjacency-list"],
    examples: ["code-hosting", "learning", "marketplace"],
    rules: ["begins-with-across-gap", "component-order", "case-order", "low-cardinality-key"],
  },
};
