import type { PatternPage } from "../page.ts";

export const page: PatternPage = {
  id: "natural-boundaries",
  summary:
    "If no question ever crosses a boundary, such as a tenant, the boundary goes into the partition key.",
  when: [
    "Each request belongs to one tenant, and within it to one customer or project.",
    "Rights shall be tied to the tenant.",
  ],
  how: [
    "Partition key: `{tenantId}#{customerId}`, sort key: the record. The load of a large tenant spreads over its customers, and `dynamodb:LeadingKeys` with `tenant#*` holds a caller to its tenant.",
  ],
  pitfalls: [
    "With the tenant alone as partition key, the largest tenant is the hot key.",
    "Lists over all customers of a tenant need an index or a list of the customers.",
    "Questions over all tenants (billing, support) go through a stream or export.",
    "A tenant with a strict contract may need a table of its own: key, recovery, Region.",
  ],
  example: {
    model: `
keywright: 1
name: tenants
overview: { domain: software as a service, scale: { users: 25_000 } }
entities:
  Record:
    id: [tenantId, customerId, recordId]
    count: 20_000_000
    attributes:
      tenantId: { type: S, bytes: 8, distinct: 500, skew: { hottest: 0.3 } }
      customerId: { type: S, bytes: 10 }
      recordId: { type: S, format: ulid }
      body: { type: M, bytes: 600 }
patterns:
  list:
    name: Records of a customer, newest first
    read: Record
    where: { tenantId: equals, customerId: equals }
    order: { recordId: descending }
    limit: 25
    scope: [tenantId]
    rps: { average: 200, peak: 900 }
  add:
    name: Add
    create: Record
    condition: absent
    scope: [tenantId]
    rps: { average: 50, peak: 300 }
design:
  tables:
    TenantData:
      purpose: records of customers, by tenant
      key: { owner: S, recordId: S }
      entities:
        Record: { key: { owner: "{tenantId}#{customerId}", recordId: "{recordId}" } }
`,
    requests: [
      {
        pattern: "list",
        operation: "Query",
        input: {
          TableName: "TenantData",
          KeyConditionExpression: "#owner = :owner",
          ExpressionAttributeNames: { "#owner": "owner" },
          ExpressionAttributeValues: { ":owner": { S: "acme#c-17" } },
          ScanIndexForward: false,
          Limit: 25,
        },
      },
    ],
  },
  see: {
    topics: ["access-scopes", "multi-attribute-keys", "partition-key"],
    rules: ["scope-not-leading", "hot-partition-write"],
  },
};
