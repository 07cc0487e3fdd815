import { expect, test } from "vitest";
import type { AttributeValue, Item } from "../../item/attribute-value.ts";
import { itemSize, textSize, valueSize } from "../../item/size.ts";
import type { AttributeDocument } from "../../model/document-requirements.ts";
import { attributeBytes } from "./attribute-size.ts";
import { itemBytes, type StoredPart } from "./item-size.ts";
import { keyBytes } from "./key-size.ts";
import { attributeOf, attributesFrom, keyTextOf } from "./sizes.test-support.ts";

const text = (bytes: number): string => "x".repeat(bytes);
const points = (sizes: readonly (readonly [number, number])[]) =>
  sizes.map(([bytes, share]) => ({ bytes, share: expect.closeTo(share, 12) }));

/** An attribute, and real values of it with their shares. */
const attributes: readonly (readonly [
  AttributeDocument,
  ...(readonly [AttributeValue, number])[],
])[] = [
  [{ type: "S", bytes: 40 }, [{ S: text(40) }, 1]],
  [{ type: "S", bytes: "2 KB" }, [{ S: text(2_048) }, 1]],
  [{ type: "S", format: "ulid" }, [{ S: "01ARZ3NDEKTSV4RRFFQ69G5FAV" }, 1]],
  [{ type: "S", format: "ksuid" }, [{ S: "0ujtsYcgvSTl8PAuAdqWYSMnLOv" }, 1]],
  [{ type: "S", format: "uuid" }, [{ S: "123e4567-e89b-12d3-a456-426614174000" }, 1]],
  [{ type: "S", format: "iso-date" }, [{ S: "2026-11-16" }, 1]],
  [{ type: "S", format: "iso-time" }, [{ S: "2026-11-16T09:15:00.000Z" }, 1]],
  [{ type: "N", format: "epoch-seconds" }, [{ N: "1794820501" }, 1]],
  [{ type: "N", format: "epoch-milliseconds" }, [{ N: "1794820501123" }, 1]],
  [{ type: "B", format: "uuid" }, [{ B: Buffer.alloc(16, 1).toString("base64") }, 1]],
  [{ type: "N", digits: 1 }, [{ N: "7" }, 1]],
  [{ type: "N", digits: 6 }, [{ N: "123456" }, 1]],
  [{ type: "N", digits: 7 }, [{ N: "1234567" }, 1]],
  [{ type: "N" }, [{ N: "1234567891" }, 1]],
  [{ type: "BOOL" }, [{ BOOL: false }, 1]],
  [{ type: "NULL" }, [{ NULL: true }, 1]],
  [{ type: "S", values: { ü: 0.25, plain: 0.75 } }, [{ S: "ü" }, 0.25], [{ S: "plain" }, 0.75]],
  [
    { type: "N", values: { 0: 0.9, "-12": 0.05, 1.5: 0.05 } },
    [{ N: "0" }, 0.9],
    [{ N: "-12" }, 0.05],
    [{ N: "1.5" }, 0.05],
  ],
  [
    { type: "L", bytes: 20, elements: { average: 3 } },
    [{ L: [{ S: text(20) }, { S: text(20) }, { S: text(20) }] }, 1],
  ],
  [
    { type: "L", bytes: 20, elements: { average: 1.25, max: 9 } },
    [{ L: [{ S: text(20) }] }, 0.75],
    [{ L: [{ S: text(20) }, { S: text(20) }] }, 0.25],
  ],
  [{ type: "L", bytes: 20, elements: { average: 0 } }, [{ L: [] }, 1]],
  [
    { type: "M", bytes: 9, elements: { average: 2 } },
    [{ M: { abc: { S: text(6) }, def: { S: text(6) } } }, 1],
  ],
  [{ type: "M", bytes: 14 }, [{ M: { abc: { S: text(7) } } }, 1]],
  [{ type: "SS", bytes: 5, elements: { average: 2 } }, [{ SS: ["abcde", "fghij"] }, 1]],
  [{ type: "NS", digits: 4, elements: { average: 2 } }, [{ NS: ["1234", "1235"] }, 1]],
];

for (const [document, ...values] of attributes) {
  test(`${JSON.stringify(document)} is as large as its values`, () => {
    const sizes = new Map<number, number>();
    for (const [value, share] of values) {
      sizes.set(valueSize(value), (sizes.get(valueSize(value)) ?? 0) + share);
    }
    expect(attributeBytes(attributeOf(document))?.points()).toEqual(
      points([...sizes].toSorted(([a], [b]) => a - b)),
    );
  });
}

test("a size that nobody has stated is not made up", () => {
  expect(attributeBytes(attributeOf({ type: "S" }))).toBeUndefined();
  const unknown = attributesFrom({ id: { type: "S" }, n: { type: "N", digits: 3 } });
  expect(keyBytes(unknown, keyTextOf("A#{id}"))).toBeUndefined();
  expect(keyBytes(unknown, keyTextOf("{id|lower}"))).toBeUndefined();
  expect(keyBytes(unknown, keyTextOf("A#{n}"))?.mean).toBe(5);
  const part = { kind: "attribute", name: "id", attribute: "id" } as const;
  expect(itemBytes(unknown, [part])).toBeUndefined();
  expect(itemBytes(unknown, [{ kind: "key", name: "PK", text: keyTextOf("A#{id}") }])).toBe(
    undefined,
  );
});

const order = attributesFrom({
  orderId: { type: "S", format: "ulid" },
  email: { type: "S", bytes: { min: 10, max: 12 } },
  createdAt: { type: "S", format: "iso-time" },
  day: { type: "S", format: "iso-date" },
  seconds: { type: "N", format: "epoch-seconds" },
  milliseconds: { type: "N", format: "epoch-milliseconds" },
  total: { type: "N", digits: 7 },
  score: { type: "N" },
  level: { type: "N", values: { 1: 0.5, 12: 0.25, 100: 0.25 } },
  signature: { type: "B", bytes: 64 },
});

/** A key text, and texts that it makes with their shares. */
const keys: readonly (readonly [string, ...(readonly [string, number])[]])[] = [
  ["PROFILE", ["PROFILE", 1]],
  ["BÜRO#{{x}}", ["BÜRO#{x}", 1]],
  ["ORDER#{orderId}", ["ORDER#01ARZ3NDEKTSV4RRFFQ69G5FAV", 1]],
  ["{email|lower}", [text(10), 1 / 3], [text(11), 1 / 3], [text(12), 1 / 3]],
  ["{email}{email}", [text(20), 1 / 3], [text(22), 1 / 3], [text(24), 1 / 3]],
  ["{createdAt|minute}", ["2026-11-16T09:15", 1]],
  ["{createdAt|hour}", ["2026-11-16T09", 1]],
  ["{createdAt|day}#", ["2026-11-16#", 1]],
  ["{createdAt|month}", ["2026-11", 1]],
  ["{createdAt|year}", ["2026", 1]],
  ["{createdAt|descending}", ["7973-88-83T90:84:99.999Z", 1]],
  ["{createdAt|day|descending}", ["7973-88-83", 1]],
  ["{day|day}", ["2026-11-16", 1]],
  ["{seconds|day}", ["2026-11-16", 1]],
  ["T{seconds}", ["T1794820501", 1]],
  ["T{milliseconds|descending}", ["T8205179498876", 1]],
  ["{total|pad:10}", ["0001234567", 1]],
  ["{total|pad:3}", ["1234567", 1]],
  ["T{total}", ["T1234567", 1]],
  ["{total|descending}", ["8765432", 1]],
  ["{score|descending}", ["9999999956", 1]],
  ["L{level}", ["L1", 0.5], ["L12", 0.25], ["L100", 0.25]],
  ["{level|pad:2}", ["01", 0.75], ["100", 0.25]],
  ["{shard:10}#A", ["7#A", 1]],
  ["A#{shard:11}", ["A#07", 1]],
  ["A#{shard:100:orderId}", ["A#42", 1]],
  ["A#{shard:24:hour}", ["A#23", 1]],
];

for (const [key, ...texts] of keys) {
  test(`${key} is as large as the texts it makes`, () => {
    const sizes = texts.map(([made, share]) => [textSize(made), share] as const);
    expect(keyBytes(order, keyTextOf(key))?.points()).toEqual(points(sizes));
  });
}

test("an attribute that is a key by itself keeps its type's size", () => {
  expect(keyBytes(order, keyTextOf("{total}"))?.mean).toBe(valueSize({ N: "1234567" }));
  expect(keyBytes(order, keyTextOf("{seconds}"))?.mean).toBe(valueSize({ N: "1794820501" }));
  expect(keyBytes(order, keyTextOf("{signature}"))?.mean).toBe(64);
});

const key = (name: string, made: string): StoredPart => ({
  kind: "key",
  name,
  text: keyTextOf(made),
});
const stored = (attribute: string, name = attribute): StoredPart => ({
  kind: "attribute",
  name,
  attribute,
});

test("an item is as large as real items, keys that repeat an attribute included", () => {
  const parts = [key("PK", "USER#{email}"), key("SK", "{total|pad:9}"), stored("email", "mail")];
  const sizes = [10, 11, 12].map((length) => {
    const item: Item = {
      PK: { S: `USER#${text(length)}` },
      SK: { S: "001234567" },
      mail: { S: text(length) },
    };
    return [itemSize(item), 1 / 3] as const;
  });
  expect(itemBytes(order, parts)?.points()).toEqual(points(sizes));
});

test("a key is missing where its attribute is", () => {
  const some = attributesFrom({
    id: { type: "S", bytes: 4 },
    email: { type: "S", bytes: { min: 6, max: 7 }, present: 0.5 },
    phone: { type: "S", bytes: 3, present: 0.5 },
  });
  const both = itemBytes(some, [stored("id"), stored("email"), key("G", "{email}#{id}")]);
  const full = (length: number): Item => ({
    id: { S: "1234" },
    email: { S: text(length) },
    G: { S: `${text(length)}#1234` },
  });
  expect(both?.points()).toEqual(
    points([
      [itemSize({ id: { S: "1234" } }), 0.5],
      [itemSize(full(6)), 0.25],
      [itemSize(full(7)), 0.25],
    ]),
  );
  // With two that may be missing it is there in a quarter.
  expect(itemBytes(some, [key("G", "{phone}{phone}#{email}")])?.points()).toEqual(
    points([
      [0, 0.75],
      [itemSize({ G: { S: text(13) } }), 0.125],
      [itemSize({ G: { S: text(14) } }), 0.125],
    ]),
  );
});

test("what is known of an attribute is said by another attribute", () => {
  const only = new Map(order).set("level", attributeOf({ type: "N", values: { 12: 1 } }, "level"));
  expect(itemBytes(only, [stored("level")])?.points()).toEqual(points([[5 + 2, 1]]));
});
