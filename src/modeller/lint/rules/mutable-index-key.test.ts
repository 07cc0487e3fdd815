import { expect, test } from "vitest";
import { findingsOf, soundModel, swapped, testRule } from "../lint.test-support.ts";
import { mutableIndexKey } from "./mutable-index-key.ts";

const index = "key: { partition: customerId, sort: orderId }";
const byState = "key: { partition: customerId, sort: [state, orderId] }";
const asked = [
  "where: { customerId: equals }, order: { orderId: descending }",
  "where: { customerId: equals, state: equals }, order: { orderId: descending }",
] as const;
const often = [
  "condition: { state: { equals: open } }, rps: { average: 2, peak: 15 }",
  "condition: { state: { equals: open } }, rps: { average: { assumed: 400 }, peak: 500 }",
] as const;
const path = "design.tables.Shop.indexes.OrdersByCustomer.key.sort[0]";

testRule(mutableIndexKey, {
  "a state that nobody asks by": {
    bad: [
      [index, byState],
      ["order: { orderId: descending }, ", ""],
    ],
    at: [path],
    line: "sort: [state, orderId]",
    says: [
      "Order.state in the key of Order in index OrdersByCustomer of Shop changes and no pattern asks by it",
      "Pattern ship changes it 2 times per second",
    ],
    good: { "a state that is asked for": [[index, byState], asked] },
  },
  "a state that changes more often than it is asked for": {
    bad: [[index, byState], asked, often],
    at: [path],
    line: "sort: [state, orderId]",
    says: [
      "far more often than it is asked for",
      "400 times per second (assumed), and the index is read 30 times per second",
    ],
    good: {
      "a sparse index": [
        [
          index,
          'key: { partition: customerId, sort: [waits, orderId] }\n          sets: { Order: { waits: "{state}" } }\n          only: { Order: { state: { equals: open } } }',
        ],
        asked,
        often,
      ],
    },
  },
});

test("each change is priced as two entries", () => {
  const [finding] = findingsOf(
    mutableIndexKey,
    swapped(soundModel, [[index, byState], asked, often]),
  );
  // 400 changes × 2 entries of one unit × 2,628,000 s.
  expect(finding?.price).toEqual({
    kind: "money",
    perMonth: expect.closeTo(400 * 2 * 2.628 * 0.625, 6),
    assumed: true,
  });
});
