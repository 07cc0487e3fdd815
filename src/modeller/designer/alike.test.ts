import { expect, test } from "vitest";
import { type IndexKey, unlike } from "./alike.ts";
import type { Need } from "./needs.ts";

function need(more: Partial<Need>): Need {
  return {
    pattern: "p",
    entity: "E",
    equal: [],
    ranged: [],
    order: [],
    asked: [],
    returns: [],
    strong: false,
    locates: false,
    tied: false,
    limited: false,
    constants: [],
    scope: [],
    ...more,
  };
}

const both: readonly IndexKey[] = [
  { partition: ["a"], sort: ["b", "c"] },
  { partition: ["a", "b"], sort: ["c"] },
];

test("who knows all values does not care which are in the partition key", () => {
  const one = need({ equal: ["a", "b"], order: [{ attribute: "c", direction: "ascending" }] });
  expect(unlike(both, [one], 4)).toEqual([both[1]]);
  expect(unlike(both.toReversed(), [one], 4)).toEqual([both[1]]);
  // There is room for one attribute only.
  expect(unlike(both, [one], 1)).toEqual([both[0]]);
});

test("who knows one value alone does", () => {
  expect(unlike(both, [need({ equal: ["a", "b"] }), need({ equal: ["a"] })], 4)).toEqual(both);
});

test("so does who wants an order, and who is bound to something", () => {
  const keys = [
    { partition: ["a"], sort: ["b", "c"] },
    { partition: ["a"], sort: ["c", "b"] },
  ];
  expect(unlike(keys, [need({ equal: ["a"] })], 4)).toEqual([keys[0]]);
  const ordered = need({ equal: ["a"], order: [{ attribute: "b", direction: "ascending" }] });
  expect(unlike(keys, [ordered], 4)).toEqual(keys);
  const bound = need({ equal: ["a", "b"], scope: ["b"] });
  expect(unlike(both, [bound], 4)).toEqual(both);
});

test("keys of other attributes are other keys", () => {
  const keys = [
    { partition: ["a"], sort: ["b"] },
    { partition: ["a"], sort: [] },
  ];
  expect(unlike(keys, [need({ equal: ["a", "b"] })], 4)).toEqual(keys);
});
