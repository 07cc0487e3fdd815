import fc from "fast-check";
import { emptyRecord } from "../base/record.ts";
import type { AttributeValue, Item } from "../item/attribute-value.ts";
import { normaliseNumber } from "../item/number.ts";
import { sortMembers } from "../item/set.ts";
import type { RecordReader } from "./record-reader.ts";

/** All that a reader makes of a text that comes in pieces of that many bytes. */
export function readAll(reader: RecordReader, text: string | Uint8Array, piece = 7): unknown[] {
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  const found: unknown[] = [];
  for (let at = 0; at < bytes.length; at += piece) {
    found.push(...reader.push(bytes.subarray(at, at + piece)));
  }
  found.push(...reader.end());
  return found;
}

/** As JSON has it: what is compared has no prototypes. */
export const same = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const hostile = fc.constantFrom(
  "__proto__",
  "constructor",
  "null",
  "true",
  "nan",
  "$ion_1_0",
  "$10",
  "'",
  "'''",
  '"',
  "\\",
  "//",
  "/*",
  "{{",
  "}}",
  "a b",
  "\n",
  "\u0000",
  "\u2028",
  "Item",
  "ä€😀",
);
const text = fc.oneof(hostile, fc.string({ unit: "grapheme", maxLength: 12 }), fc.constant(""));
const name = text.filter((one) => one !== "" && one.isWellFormed());
const number = fc
  .tuple(
    fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n }),
    fc.integer({ min: -90, max: 80 }),
  )
  .map(([digits, exponent]) => normaliseNumber(`${digits}e${exponent}`))
  .filter((one): one is string => typeof one === "string");
const binary = fc
  .uint8Array({ maxLength: 20 })
  .map((bytes) => Buffer.from(bytes).toString("base64"));

const setOf = (
  type: "SS" | "NS" | "BS",
  member: fc.Arbitrary<string>,
): fc.Arbitrary<AttributeValue> =>
  fc.uniqueArray(member, { minLength: 1, maxLength: 4 }).map((members) => {
    sortMembers(type, members);
    return { [type]: members } as unknown as AttributeValue;
  });

function recordOf(entries: readonly (readonly [string, AttributeValue])[]): Item {
  const record = emptyRecord<AttributeValue>();
  for (const [key, value] of entries) record[key] = value;
  return record;
}

const { value } = fc.letrec<{ value: AttributeValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    text.map((S) => ({ S })),
    number.map((N) => ({ N })),
    binary.map((B) => ({ B })),
    fc.boolean().map((BOOL) => ({ BOOL })),
    fc.constant<AttributeValue>({ NULL: true }),
    setOf("SS", text),
    setOf("NS", number),
    setOf("BS", binary),
    fc.array(tie("value"), { maxLength: 3 }).map((L) => ({ L })),
    fc.array(fc.tuple(name, tie("value")), { maxLength: 3 }).map((list) => ({ M: recordOf(list) })),
  ),
}));

/** Items with values of all types and with names that mean something elsewhere. */
export const items: fc.Arbitrary<Item> = fc
  .array(fc.tuple(name, value), { minLength: 1, maxLength: 5 })
  .map(recordOf);

/** Items of which CSV keeps everything: texts that are not empty. */
export const textItems: fc.Arbitrary<Item> = fc
  .array(
    fc.tuple(
      name,
      text.filter((one) => one !== ""),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((list) => recordOf(list.map(([key, S]) => [key, { S }] as const)));
