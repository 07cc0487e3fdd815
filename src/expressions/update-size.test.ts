import { expect, test } from "vitest";
import { itemSize } from "../item/size.ts";
import { compileAttributeUpdates } from "./legacy-update.ts";
import { Placeholders } from "./parser.ts";
import { item, type Plain, value } from "./plain-values.test-support.ts";
import { compileUpdate } from "./update-resolve.ts";
import { updateSizeCharge } from "./update-size.ts";

function charge(text: string, values: Readonly<Record<string, Plain>> = {}): number {
  const names = { "#long": "a_very_long_name", "#wide": "é€" };
  return updateSizeCharge(compileUpdate(text, new Placeholders(names, item(values))));
}

test("the charge of a statement", () => {
  const pad = "x".repeat(500);
  const cases: readonly (readonly [string, number, Readonly<Record<string, Plain>>?])[] = [
    ["SET b = :v", 3 + 19 + 1 + 500, { ":v": pad }],
    ["SET #long = :v", 3 + 19 + 16 + 500, { ":v": pad }],
    ["SET #wide = :v", 3 + 19 + 5 + 500, { ":v": pad }],
    ["SET b = :v, c = :v", 3 + 2 * (19 + 1 + 500), { ":v": pad }],
    ["SET b.leaf = :v", 3 + 19 + 1 + 4 + 4 + 500, { ":v": pad }],
    ["SET b = :v", 3 + 19 + 1 + 3 + 1 + 4 + 500, { ":v": { leaf: pad } }],
    ["SET b[0] = :v", 3 + 19 + 1 + 4 + 1 + 500, { ":v": pad }],
    ["SET b = :v", 3 + 19 + 1 + 3 + 1 + 500, { ":v": [pad] }],
    ["SET b[123] = :v", 3 + 19 + 1 + 4 + 3 + 500, { ":v": pad }],
    ["SET c = m.z", 3 + 19 + 1 + 1 + 15 + 15],
    ["SET c = l[10]", 3 + 19 + 1 + 1 + 15 + 16],
    ["SET n = n + :v", 3 + 19 + 1 + 34 + 16 + 2, { ":v": 1 }],
    ["SET n = n - :v", 3 + 19 + 1 + 37 + 16 + 2, { ":v": 1 }],
    ["SET n = if_not_exists(n, :v)", 3 + 19 + 1 + 39 + 16 + 2, { ":v": 1 }],
    ["SET l = list_append(l, :v)", 3 + 19 + 1 + 37 + 16 + 3 + 1 + 500, { ":v": [pad] }],
    ["SET n = if_not_exists(n, :v) + :v", 3 + 19 + 1 + 34 + (39 + 16 + 2) + 2, { ":v": 1 }],
    ["ADD s :v", 3 + 19 + 1 + 500, { ":v": new Set([pad]) }],
    ["REMOVE b", 3 + 2],
    ["REMOVE b, c.dd", 3 + 2 + 1 + 1 + 4 + 2],
    ["DELETE s :v", 3 + 2, { ":v": new Set([pad]) }],
  ];
  for (const [text, expected, values] of cases) expect(charge(text, values), text).toBe(expected);
});

test("points measured on the service", () => {
  const limit = 409_600;
  // With a key of three bytes and one SET the largest finished item has 19 bytes less than the limit.
  const pad = "x".repeat(limit - 19 - 4);
  expect(itemSize(item({ pk: "K", b: pad }))).toBe(limit - 19);
  expect(charge("SET b = :v", { ":v": pad })).toBe(limit);
  // An increment costs 50 bytes more than the assignment of its result.
  expect(charge("SET n = n + :v", { ":v": 1 }) - charge("SET n = :v", { ":v": 2 })).toBe(50);
});

test("AttributeUpdates have no charge of their own", () => {
  expect(updateSizeCharge(compileAttributeUpdates({ a: { Value: value("x") } }))).toBe(0);
});
