import fc from "fast-check";
import { expect, test } from "vitest";
import { checkItem } from "../api/values.ts";
import type { Item } from "../item/attribute-value.ts";
import { CsvRecordReader } from "./csv-records.ts";
import { csvRow, csvRowOf } from "./csv-text.ts";
import { itemLine } from "./export-lines.ts";
import { items, readAll, same, textItems } from "./formats.test-support.ts";
import { IonRecordReader } from "./ion-records.ts";
import { JsonRecordReader } from "./json-records.ts";

const pieces = fc.integer({ min: 1, max: 40 });
const list = fc.array(items, { maxLength: 4 });

/** Numbers, sets and binaries as the service keeps them. */
const canonical = (read: unknown[]): unknown =>
  same(read.map((item) => checkItem(item as Record<string, object>, "current")));

test("items written as JSON are read again, however the text is cut", () => {
  fc.assert(
    fc.property(list, pieces, (written, piece) => {
      const text = written.map((item) => itemLine("DYNAMODB_JSON", item)).join("");
      expect(canonical(readAll(new JsonRecordReader(), text, piece))).toEqual(same(written));
    }),
    { numRuns: 300 },
  );
});

test("items written as Ion are read again, however the text is cut", () => {
  fc.assert(
    fc.property(list, pieces, (written, piece) => {
      const text = written.map((item) => itemLine("ION", item)).join("");
      expect(canonical(readAll(new IonRecordReader(), text, piece))).toEqual(same(written));
    }),
    { numRuns: 500 },
  );
});

test("a line of Ion has no line break in it, so that lines are items", () => {
  fc.assert(
    fc.property(items, (item) => {
      expect(itemLine("ION", item).indexOf("\n")).toBe(itemLine("ION", item).length - 1);
    }),
  );
});

test("texts written as CSV are read again, however the text is cut", () => {
  fc.assert(
    fc.property(fc.array(textItems, { minLength: 1, maxLength: 4 }), pieces, (written, piece) => {
      const columns = [...new Set(written.flatMap((item: Item) => Object.keys(item)))];
      const text = csvRow(columns) + written.map((item) => csvRowOf(item, columns)).join("");
      const read = readAll(new CsvRecordReader({ types: new Map() }), text, piece);
      expect(same(read)).toEqual(same(written));
    }),
    { numRuns: 300 },
  );
});

test("a text that is cut off is told, or is a beginning of the items", () => {
  fc.assert(
    fc.property(
      list,
      fc.nat(),
      fc.constantFrom("DYNAMODB_JSON", "ION"),
      (written, where, format) => {
        const bytes = Buffer.from(
          written.map((item) => itemLine(format as "ION" | "DYNAMODB_JSON", item)).join(""),
        );
        const cut = bytes.subarray(0, bytes.length === 0 ? 0 : where % bytes.length);
        const reader = format === "ION" ? new IonRecordReader() : new JsonRecordReader();
        const found: unknown[] = [];
        try {
          found.push(...reader.push(cut));
          found.push(...reader.end());
        } catch (error) {
          expect((error as Error).name).toBe("UnreadableError");
        }
        expect(canonical(found)).toEqual(same(written.slice(0, found.length)));
      },
    ),
    { numRuns: 300 },
  );
});
