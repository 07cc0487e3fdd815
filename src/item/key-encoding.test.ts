import { expect, test } from "vitest";
import type { KeyValue } from "./attribute-value.ts";
import {
  encodeKeyTuple,
  encodeKeyValue,
  keyRange,
  partitionHash,
  prefixEnd,
  prefixRange,
} from "./key-encoding.ts";

// Bytes on disk: a change here needs a new version of the data folder.
const encodings: readonly (readonly [value: KeyValue, hex: string])[] = [
  [{ S: "" }, "0000000000000000 00"],
  [{ S: "a" }, "6100000000000000 01"],
  [{ S: "é" }, "c3a9000000000000 02"],
  [{ S: "abcdefgh" }, "6162636465666768 08"],
  [{ S: "abcdefghi" }, "6162636465666768 09 6900000000000000 01"],
  [{ S: "éééé" }, "c3a9c3a9c3a9c3a9 08"],
  [{ S: "ééééé" }, "c3a9c3a9c3a9c3a9 09 c3a9000000000000 02"],
  [{ B: "" }, "0000000000000000 00"],
  [{ B: "AP8=" }, "00ff000000000000 02"],
  [{ N: "0" }, "02"],
  [{ N: "1" }, "03 41 02"],
  [{ N: "99" }, "03 41 c6"],
  [{ N: "100" }, "03 42 02"],
  [{ N: "123.4" }, "03 42 03 2f 50"],
  [{ N: "0.01" }, "03 40 02"],
  [{ N: "0.001" }, "03 3f 14"],
  [{ N: "-1" }, "01 be fd"],
  [{ N: "-123.4" }, "01 bd fc d0 af"],
  [{ N: `1${"0".repeat(125)}` }, "03 7f 14"],
  [{ N: `0.${"0".repeat(129)}1` }, "03 00 02"],
  [{ N: `-0.${"0".repeat(129)}1` }, "01 ff fd"],
];

test.each(encodings)("%j is encoded as %s", (value, hex) => {
  expect(encodeKeyValue(value).toString("hex")).toBe(hex.replaceAll(" ", ""));
});

test("a tuple is its components strung together", () => {
  expect(encodeKeyTuple([])).toEqual(Buffer.alloc(0));
  expect(encodeKeyTuple([{ S: "a" }, { N: "0" }]).toString("hex")).toBe("61000000000000000102");
});

const sortKeyEncodedBytesMax = 1_400;

test.each([0x00, 0xff])("the longest keys of bytes %i stay short enough for a store", (byte) => {
  const binary = (length: number) => ({ B: Buffer.alloc(length, byte).toString("base64") });
  expect(encodeKeyValue(binary(1024)).length).toBe(1_152);
  expect(encodeKeyValue(binary(2048)).length).toBe(2_304);
  for (const lengths of [
    [1021, 1, 1, 1],
    [256, 256, 256, 256],
    [249, 249, 249, 277],
  ]) {
    const encoded = encodeKeyTuple(lengths.map(binary));
    expect(encoded.length).toBeLessThanOrEqual(sortKeyEncodedBytesMax);
  }
});

test("the longest numbers take 22 bytes", () => {
  expect(encodeKeyValue({ N: "9".repeat(38) }).length).toBe(21);
  expect(encodeKeyValue({ N: `-${"9".repeat(37)}.9` }).length).toBe(22);
});

test("a prefix ends where its last byte that can grow has grown", () => {
  expect(prefixEnd(Buffer.of(1, 2))).toEqual(Buffer.of(1, 3));
  expect(prefixEnd(Buffer.of(1, 0xff, 0xff))).toEqual(Buffer.of(2));
  expect(prefixRange(Buffer.of(5))).toEqual({ start: Buffer.of(5), end: Buffer.of(6) });
  expect(() => prefixEnd(Buffer.of(0xff, 0xff))).toThrow("0xFF");
  expect(() => prefixEnd(Buffer.alloc(0))).toThrow("0xFF");
});

test("an empty prefix begins every value", () => {
  const { start, end } = keyRange(Buffer.of(1), { op: "begins_with", value: { S: "" } });
  expect(start).toEqual(Buffer.of(1, 0, 0, 0, 0, 0, 0, 0, 0, 0));
  expect(end).toEqual(Buffer.of(2));
});

test("the partition hash is the head of a SHA-256", () => {
  // printf '\x61\0\0\0\0\0\0\0\x01' | sha256sum
  expect(partitionHash([{ S: "a" }]).toString("hex")).toBe("667e5a68a02926b58a7401f7ef7fde96");
  expect(partitionHash([{ S: "a" }]).length).toBe(16);
  expect(partitionHash([{ S: "a" }, { S: "b" }])).not.toEqual(partitionHash([{ S: "ab" }]));
});
