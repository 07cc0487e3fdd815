import { expect, test } from "vitest";
import { findingsOf, soundModel, swapped, testRule } from "../lint.test-support.ts";
import { genericKeyNames } from "./generic-key-names.ts";

const generic = ["design:\n  tables", "design:\n  style: generic\n  tables"] as const;
const session = [
  ["key: { sessionId: S }", "key: { PK: S }"],
  ['Session: { key: { sessionId: "{sessionId}" } }', 'Session: { key: { PK: "{sessionId}" } }'],
] as const;
const index = ["        OrdersByCustomer:\n", "        GSI1:\n"] as const;
const plan = [
  "design:\n  tables",
  'design:\n  plans: { orders: { steps: [{ operation: Query, table: Shop, index: GSI1, key: { customerId: "{customerId}" } }] } }\n  tables',
] as const;

testRule(genericKeyNames, {
  "a table's key in a natural design": {
    bad: [...session],
    at: ["design.tables.Sessions.key"],
    line: "key: { PK: S }",
    says: ["Sessions has keys that are called PK", "names are natural"],
  },
  "a table of one entity in a generic design": {
    bad: [generic, ...session],
    at: ["design.tables.Sessions.key"],
    line: "key: { PK: S }",
    says: ["Only one kind of item lies under it"],
  },
  "an index of one entity": {
    bad: [index, plan],
    at: ["design.tables.Shop.indexes.GSI1"],
    line: "purpose: orders of a customer",
    says: ["GSI1 of Shop has names that say nothing: GSI1", "it holds Order"],
    fixed: "        OrderByCustomerId:\n",
  },
  "an index whose keys say nothing": {
    bad: [
      [
        "key: { partition: customerId, sort: orderId }",
        'key: { partition: GSI1PK, sort: orderId }\n          sets: { Order: { GSI1PK: "C#{customerId}" } }',
      ],
    ],
    at: ["design.tables.Shop.indexes.OrdersByCustomer"],
    line: "purpose: orders of a customer",
    says: ["say nothing: GSI1PK"],
    good: {
      "several entities in a generic design": [
        generic,
        [
          "key: { partition: customerId, sort: orderId }",
          'key: { partition: GSI1PK, sort: GSI1SK }\n          sets:\n            Order: { GSI1PK: "C#{customerId}", GSI1SK: "{orderId}" }\n            Customer: { GSI1PK: "T#{tier}", GSI1SK: "{customerId}" }',
        ],
      ],
    },
  },
});

test("in a natural design it is a warning, in a generic one a hint", () => {
  const severities = (...swaps: Parameters<typeof swapped>[1]) =>
    findingsOf(genericKeyNames, swapped(soundModel, swaps)).map(({ severity }) => severity);
  expect(severities(...session, index)).toEqual(["warning", "warning"]);
  expect(severities(generic, ...session, index)).toEqual(["hint", "hint"]);
});
