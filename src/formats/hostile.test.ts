import { expect, test } from "vitest";
import { CsvRecordReader } from "./csv-records.ts";
import { readAll } from "./formats.test-support.ts";
import { IonRecordReader } from "./ion-records.ts";
import { JsonRecordReader } from "./json-records.ts";

// Texts that somebody made to stop whoever reads them. Read carelessly, each takes minutes, gigabytes or the stack.

const megabyte = 1024 * 1024;
const pieceBytes = 4096;

const json = (text: string): unknown[] => readAll(new JsonRecordReader(), text, pieceBytes);
const ion = (text: string): unknown[] => readAll(new IonRecordReader(), text, pieceBytes);
const csv = (text: string): unknown[] =>
  readAll(new CsvRecordReader({ types: new Map() }), text, pieceBytes);

test.each([
  ["JSON", json, '{"Item":{"pk":{"S":"', "does not end within 4194304 bytes"],
  ["Ion", ion, '{Item:{pk:"', "does not end within 4194304 bytes"],
  ["CSV", csv, 'pk\n"', "The row on line 2 does not end."],
])("a record of %s that never ends is given up", (_, read, beginning, message) => {
  expect(() => read(beginning + "a".repeat(10 * megabyte))).toThrow(message);
});

test("brackets without end make no objects", () => {
  const deep = "[".repeat(megabyte) + "]".repeat(megabyte);
  expect(() => json(`{"Item":{}}\n${deep}\n`)).toThrow("Line 2 is nested too deep.");
  expect(() => json(`{"Item":{"a":${deep}}}`)).toThrow("Line 1 is nested too deep.");
  expect(() => ion(`{Item:{a:${deep}}}`)).toThrow("nested too deep");
});

test("brackets in texts are no depth", () => {
  const text = `\\"${"[".repeat(100_000)}`;
  expect(json(JSON.stringify({ Item: { a: { S: text } } }))).toEqual([{ a: { S: text } }]);
});

test("annotations, blanks and comments are many and mean nothing", () => {
  const x = { S: "x" };
  expect(ion(`{Item:{pk:${"a::".repeat(megabyte)}"x"}}`)).toEqual([{ pk: x }]);
  expect(ion(`{Item:{pk:${" ".repeat(3 * megabyte)}"x"}}`)).toEqual([{ pk: x }]);
  expect(ion(`{Item:{pk:${"/**/".repeat(0.9 * megabyte)}"x"}}`)).toEqual([{ pk: x }]);
  expect(ion(`{Item:{pk:${"//\n".repeat(megabyte)}"x"}}`)).toEqual([{ pk: x }]);
});

test("a number that no item can hold is not calculated", () => {
  expect(() => ion(`{Item:{a:0x${"F".repeat(3 * megabyte)}}}`)).toThrow("a number is too long");
  expect(ion("{Item:{a:-0x0000000000000000000000000000000000000000000000ff}}")).toEqual([
    { a: { N: "-255" } },
  ]);
});

test("a header has as many columns as it likes", () => {
  const names = Array.from({ length: 100_000 }, (_, i) => `c${i}`);
  expect(csv(`${names}\n`)).toEqual([]);
  expect(() => csv(`${names},c7\n`)).toThrow('The header has the column "c7" twice.');
});

test("the text of the largest item is not too long", () => {
  // Two bytes each: the most text that an item of 400 KB can be.
  const list = { L: Array.from({ length: 204_000 }, () => ({ BOOL: false })) };
  const text = JSON.stringify({ Item: { l: list } })
    .replaceAll(",", ", ")
    .replaceAll(":", ": ");
  expect(text.length).toBeGreaterThan(3 * megabyte);
  expect(json(`${text}\n${text}`)).toHaveLength(2);
});
