import { expect, test } from "vitest";
import type { Item } from "../item/attribute-value.ts";
import { compileAttributeUpdates } from "./legacy-update.ts";
import { Placeholders } from "./parser.ts";
import { item, type Plain, value } from "./plain-values.test-support.ts";
import { applyUpdate } from "./update-apply.ts";
import { compileUpdate } from "./update-resolve.ts";
import { returnedAttributes } from "./update-returned.ts";

type PlainItem = Readonly<Record<string, Plain>>;

const key = item({ pk: "k" });

function returned(
  mode: "UPDATED_OLD" | "UPDATED_NEW",
  before: PlainItem | undefined,
  text: string,
  values: PlainItem = {},
): Item | undefined {
  const update = compileUpdate(text, new Placeholders(undefined, item(values)));
  const old = before === undefined ? undefined : item({ pk: "k", ...before });
  return returnedAttributes(mode, update, old, applyUpdate(update, old, key).item);
}

/** The item before, the update, what UPDATED_OLD and UPDATED_NEW return, the values. */
type Case = readonly [
  PlainItem | undefined,
  string,
  PlainItem | undefined,
  PlainItem | undefined,
  PlainItem?,
];

test("UPDATED_OLD and UPDATED_NEW", () => {
  const cases: readonly Case[] = [
    [undefined, "SET a = :v", undefined, { a: 1 }, { ":v": 1 }],
    [{ a: 0, b: 2 }, "SET a = :v, c = :v", { a: 0 }, { a: 1, c: 1 }, { ":v": 1 }],
    [{ a: 1 }, "SET a = :v", { a: 1 }, { a: 1 }, { ":v": 1 }],
    [{ a: 1, b: 2 }, "REMOVE a", { a: 1 }, undefined],
    [{ b: 2 }, "REMOVE a", undefined, undefined],
    [undefined, "REMOVE a", undefined, undefined],
    [{ a: 0, c: 3 }, "SET a = :v, b = :v REMOVE c", { a: 0, c: 3 }, { a: 1, b: 1 }, { ":v": 1 }],
    [{ a: 1 }, "SET a = a + :v", { a: 1 }, { a: 2 }, { ":v": 1 }],
    [{ a: 1 }, "ADD a :v, b :v", { a: 1 }, { a: 2, b: 1 }, { ":v": 1 }],
    [
      { a: new Set([1, 2]) },
      "DELETE a :v",
      { a: new Set([1, 2]) },
      { a: new Set([1]) },
      { ":v": new Set([2]) },
    ],
    [{ a: new Set([2]) }, "DELETE a :v", { a: new Set([2]) }, undefined, { ":v": new Set([2]) }],
    [{}, "DELETE a :v", undefined, undefined, { ":v": new Set([2]) }],
    [
      { m: { b: "dog", c: [1, 2, 3] }, d: "cat" },
      "SET m.b = :v",
      { m: { b: "dog" } },
      { m: { b: "hi" } },
      { ":v": "hi" },
    ],
    [{ m: { c: [1, 2, 3] } }, "SET m.c[1] = :v", { m: { c: [2] } }, { m: { c: [7] } }, { ":v": 7 }],
    [
      { m: { b: "yo", c: [1, 7, 3] } },
      "SET m.c[1] = :v, m.b = :v",
      { m: { c: [7], b: "yo" } },
      { m: { c: [8], b: 8 } },
      { ":v": 8 },
    ],
    [{ m: { b: 1 } }, "SET m.x = :v", undefined, { m: { x: 8 } }, { ":v": 8 }],
    [{ m: { b: 1 } }, "REMOVE m.b", { m: { b: 1 } }, undefined],
    [{ m: { c: [1, 3, 5] } }, "REMOVE m.c[1], m.c[3]", { m: { c: [3] } }, { m: { c: [5] } }],
    [{ l: [1, 2] }, "REMOVE l[1]", { l: [2] }, undefined],
    // An element appended beyond the end is not at the index that was written.
    [{ l: [1] }, "SET l[100] = :v", undefined, undefined, { ":v": 70 }],
    [{ l: [1] }, "SET l[1] = :v", undefined, { l: [70] }, { ":v": 70 }],
    [{ l: [1, 2, 3] }, "SET l[2] = :v, l[0] = :v", { l: [1, 3] }, { l: [9, 9] }, { ":v": 9 }],
    [{ l: [{ a: 1, b: 2 }] }, "SET l[0].a = :v", { l: [{ a: 1 }] }, { l: [{ a: 9 }] }, { ":v": 9 }],
    [
      { b: { a: 1, b: 2, c: 3 }, c: [1, 3] },
      "set b.c=((c[1])+(b.a)),b.a = pk,c[1] = pk, c[4] = b.a - b.b, c[2] = b.c add c[8] :b, c[6] :a",
      { b: { c: 3, a: 1 }, c: [3] },
      { b: { a: "k", c: 4 }, c: ["k", 3, 2] },
      { ":a": 2, ":b": new Set(["a"]) },
    ],
  ];
  for (const [before, text, old, fresh, values] of cases) {
    const expected = (plain: PlainItem | undefined) => (plain === undefined ? plain : item(plain));
    expect(returned("UPDATED_OLD", before, text, values), text).toEqual(expected(old));
    expect(returned("UPDATED_NEW", before, text, values), text).toEqual(expected(fresh));
  }
});

test("AttributeUpdates return whole attributes", () => {
  const update = compileAttributeUpdates({
    "m.a": { Value: value(1) },
    m: { Action: "DELETE" },
    n: { Action: "ADD", Value: value(1) },
  });
  const before = item({ pk: "k", m: { a: 1, b: 2 }, n: 1 });
  const { item: after } = applyUpdate(update, before, key);
  expect(returnedAttributes("UPDATED_OLD", update, before, after)).toEqual(
    item({ m: { a: 1, b: 2 }, n: 1 }),
  );
  expect(returnedAttributes("UPDATED_NEW", update, before, after)).toEqual(
    item({ "m.a": 1, n: 2 }),
  );
  const nothing = compileAttributeUpdates({});
  expect(returnedAttributes("UPDATED_NEW", nothing, before, before)).toBeUndefined();
});
