import { expect, test } from "vitest";
import { findingsOf, soundModel, swapped, testRule } from "../lint.test-support.ts";
import { blobInItem } from "./blob-in-item.ts";

const large = [
  "about: { type: S, bytes: 500, present: 0.5 }",
  "about: { type: S, bytes: 20480, present: 0.5 }",
] as const;
const few = [
  "read: Customer, where: { customerId: equals }, rps: { average: 20, peak: 90 }",
  "read: Customer, where: { customerId: equals }, returns: [customerId, fullName], rps: { average: 20, peak: 90 }",
] as const;
const page = (rate: number) =>
  [
    "  join:",
    `  page: { name: A page, read: Customer, where: { customerId: equals }, rps: { average: ${rate}, peak: 90 } }\n  join:`,
  ] as const;

testRule(blobInItem, {
  "a text that few readers want": {
    bad: [large, few, page(4)],
    at: ["entities.Customer.attributes.about"],
    line: "about: {",
    says: [
      "Customer.about is large and seldom wanted",
      "It has 20 KB where it is there, 16.7 % of the reads want it, and the other 20 per second",
    ],
    good: {
      "a text that many want": [large, few, page(10)],
      "a small text": [few, page(4)],
      "a text in an item of its own": [
        large,
        few,
        page(4),
        [
          "part: PROFILE } }",
          'part: PROFILE }, split: [{ name: about, key: { owner: "C#{customerId}", part: ABOUT }, attributes: [about] }] }',
        ],
      ],
    },
  },
  "a text of 5 KB that costs little": {
    bad: [
      [
        "about: { type: S, bytes: 500, present: 0.5 }",
        "about: { type: S, bytes: 5000, present: 0.5 }",
      ],
      few,
      page(4),
    ],
    at: ["entities.Customer.attributes.about"],
    line: "about: {",
    says: ["It has 4.88 KB"],
    good: {
      "a text just below 4 KB": [
        ["about: { type: S, bytes: 500, present: 0.5 }", "about: { type: S, bytes: 4000 }"],
        few,
        page(4),
      ],
      "a large text that is hardly read": [
        large,
        [few[0], few[1].replace("average: 20", "average: 0.1")],
        page(0.01),
      ],
      "a rate that nobody knows": [large, [few[0], few[1].replace("average: 20, ", "")], page(4)],
    },
  },
  "a text that an index holds too": {
    bad: [
      ["note: { type: S, bytes: { min: 0, max: 200 } }", "note: { type: S, bytes: 20480 }"],
      [
        "limit: 20, rps: { average: 30, peak: 100",
        "limit: 20, returns: [orderId, amount], rps: { average: 300, peak: 900",
      ],
    ],
    at: ["entities.Order.attributes.note"],
    line: "note: {",
    says: ["Order.note is large", "the other 300 per second"],
    good: {
      "a text that the index does not hold": [
        ["note: { type: S, bytes: { min: 0, max: 200 } }", "note: { type: S, bytes: 20480 }"],
        [
          "limit: 20, rps: { average: 30, peak: 100",
          "limit: 20, returns: [orderId, amount], rps: { average: 300, peak: 900",
        ],
        [
          "sort: orderId }\n          projection: all",
          "sort: orderId }\n          projection: [amount]",
        ],
      ],
    },
  },
});

test("what is read along is priced", () => {
  const [finding] = findingsOf(blobInItem, swapped(soundModel, [large, few, page(4)]));
  // 20 reads × half of 5 units × there in half of the items × 2,628,000 s.
  expect(finding?.price).toMatchObject({
    perMonth: expect.closeTo(20 * 0.5 * 5 * 0.5 * 2.628 * 0.125, 6),
  });
});
