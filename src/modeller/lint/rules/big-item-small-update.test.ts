import { expect, test } from "vitest";
import { findingsOf, soundModel, swapped, testRule } from "../lint.test-support.ts";
import { bigItemSmallUpdate } from "./big-item-small-update.ts";

const about = (bytes: number) =>
  ["about: { type: S, bytes: 500, present: 0.5 }", `about: { type: S, bytes: ${bytes} }`] as const;

testRule(bigItemSmallUpdate, {
  "a counter in a large item": {
    bad: [about(9_000)],
    at: ["patterns.visit"],
    line: "visit: {",
    says: ["Pattern visit changes visits of Customer", "9 write units", "5 times per second"],
    good: {
      "a counter in a small item": [about(900)],
      "a counter in an item of its own": [
        about(9_000),
        [
          "part: PROFILE } }",
          'part: PROFILE }, split: [{ name: visits, key: { owner: "C#{customerId}", part: VISITS }, attributes: [visits] }] }',
        ],
      ],
      "a counter that hardly changes": [
        about(9_000),
        ["rps: { average: 5, peak: 20 }", "rps: { average: 0.3, peak: 20 }"],
      ],
    },
  },
  "a counter whose own item would save a little": {
    bad: [about(2_600)],
    at: ["patterns.visit"],
    line: "visit: {",
    says: ["3 write units"],
    good: {
      "a third of the item changes": [
        [
          "about: { type: S, bytes: 500, present: 0.5 }",
          "about: { type: S, bytes: 3000 }\n      page: { type: S, bytes: 6000 }",
        ],
        ["adds: { visits: 1 }, rps: { average: 5", "adds: { visits: 1 }, rps: { average: 0.1"],
        ["condition: version, rps: { average: 1,", "condition: version, rps: { average: 4,"],
      ],
      "a rate that nobody knows": [
        about(9_000),
        ["rps: { average: 5, peak: 20 }", "rps: { peak: 20 }"],
      ],
    },
  },
});

test("the price is what is saved, less the second item that readers of both would read", () => {
  const [finding] = findingsOf(bigItemSmallUpdate, swapped(soundModel, [about(9_000)]));
  // 5 changes of 1 unit instead of 9; 20 reads take half a unit more.
  expect(finding?.price).toMatchObject({
    perMonth: expect.closeTo(2.628 * (5 * 8 * 0.625 - 20 * 0.5 * 0.125), 6),
  });
});

test("readers of the one part alone pay nothing more", () => {
  const names = [
    "read: Customer, where",
    "read: Customer, returns: [customerId, fullName], where",
  ] as const;
  const [finding] = findingsOf(bigItemSmallUpdate, swapped(soundModel, [about(9_000), names]));
  expect(finding?.price).toMatchObject({ perMonth: expect.closeTo(2.628 * 5 * 8 * 0.625, 6) });
});
