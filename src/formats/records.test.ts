import { expect, test } from "vitest";
import { CsvRecordReader } from "./csv-records.ts";
import { changeLine, itemLine } from "./export-lines.ts";
import { readAll, same } from "./formats.test-support.ts";
import { IonRecordReader } from "./ion-records.ts";
import { decimal } from "./ion-text.ts";
import { JsonRecordReader } from "./json-records.ts";

const json = (text: string | Uint8Array): unknown => same(readAll(new JsonRecordReader(), text));
const ion = (text: string | Uint8Array): unknown => same(readAll(new IonRecordReader(), text));
const csv = (text: string, header?: string[], delimiter?: string): unknown =>
  same(readAll(new CsvRecordReader({ types: new Map([["n", "N"]]), header, delimiter }), text));

test("lines of JSON; empty ones are nothing, several on a line are several", () => {
  const line = '{"Item":{"a":{"S":"}{\\""}}}';
  expect(json(`${line}\r\n\n  \n${line}${line} ${line}\n${line}`)).toHaveLength(5);
  expect(json("")).toEqual([]);
});

test.each([
  ['{"Item":', "Line 1 is not JSON: Unexpected end of JSON input."],
  ['\n{"Item":{}}\nx', /^Line 3 is not JSON: /],
  ['{"NotAnItem":{}}', "Line 1 has no Item."],
  ['{"Item":[]}', "Line 1 has no Item."],
  ["7", "Line 1 has no Item."],
  ['{"Item":{}}\n{"Item":{"a":{"S":"', /^Line 2 is not JSON: /],
])("JSON that makes no sense is told: %j", (text, message) => {
  expect(() => json(text)).toThrow(message);
});

test("bytes that are no text are told", () => {
  const bytes = Buffer.from('{"Item":{"a":{"S":"\u00e4"}}}', "latin1");
  expect(() => json(bytes)).toThrow("The record at byte 0 is not UTF-8.");
  expect(() => ion(Buffer.from('{Item:{a:"\u00e4"}}', "latin1"))).toThrow("not UTF-8");
});

test("an item as the service writes it", () => {
  const item = {
    Authors: { SS: ["Author1", "Author2"] },
    Id: { N: "103" },
    InPublication: { BOOL: false },
    PageCount: { N: "600" },
    Price: { N: "2000" },
    Cover: { B: "AQI=" },
    Nothing: { NULL: true as const },
    "odd name": { M: { a: { L: [{ S: "x" }] } } },
  };
  const line = itemLine("ION", item);
  expect(line).toBe(
    '$ion_1_0 {Item:{Authors:$dynamodb_SS::["Author1","Author2"],Id:103.,InPublication:false,' +
      "PageCount:6d2,Price:2d3,Cover:{{AQI=}},Nothing:null,'odd name':{a:[\"x\"]}}}\n",
  );
  expect(itemLine("DYNAMODB_JSON", { a: { S: "b" } })).toBe('{"Item":{"a":{"S":"b"}}}\n');
});

test.each([
  ["0", "0."],
  ["-7", "-7."],
  ["100", "1d2"],
  ["1.5", "1.5"],
  ["-0.25", "-0.25"],
  ["0.0000001", "0.0000001"],
  ["-0.00000001", "-1d-8"],
  ["0.000000025", "25d-9"],
])("the number %s is the decimal %s", (number, text) => {
  expect(decimal(number)).toBe(text);
});

test("changes, with what there was before and after", () => {
  const keys = { pk: { S: "a" } };
  const change = {
    keys,
    before: keys,
    after: { ...keys, n: { N: "1" } },
    writtenAt: 1_680_109_764_000_000,
  };
  expect(changeLine("DYNAMODB_JSON", change)).toBe(
    '{"Metadata":{"WriteTimestampMicros":{"N":"1680109764000000"}},"Keys":{"pk":{"S":"a"}},' +
      '"OldImage":{"pk":{"S":"a"}},"NewImage":{"pk":{"S":"a"},"n":{"N":"1"}}}\n',
  );
  expect(changeLine("ION", { keys, writtenAt: 1_684_374_845_117_899 })).toBe(
    '$ion_1_0 {Record:{Keys:{pk:"a"},Metadata:{WriteTimestampMicros:1684374845117899.}}}\n',
  );
});

test("Ion as people write it: a list, comments, long strings, ints, escapes, odd names", () => {
  const text = `$ion_1_0
  // records
  [ { Item: { 'a b': '''one''' /* and */ '''two''', n: -1_000, h: 0xFF, f: 2.5e3, "q": "\\x41\\u00e4\\U0001F600" } },
    {Item:{ a: $dynamodb_NS::[1, 2d0], b: {{ AQ
      I= }}, c: null.string, note::d: [true, {}], __proto__: "x" , } } , ]`;
  expect(ion(text.replace("note::d: [", "d: note::["))).toEqual([
    {
      "a b": { S: "onetwo" },
      n: { N: "-1000" },
      h: { N: "255" },
      f: { N: "2.5e3" },
      q: { S: "A\u00e4\u{1f600}" },
    },
    JSON.parse(
      '{"a":{"NS":["1","2e0"]},"b":{"B":"AQI="},"c":{"NULL":true},"d":{"L":[{"BOOL":true},{"M":{}}]},"__proto__":{"S":"x"}}',
    ),
  ]);
});

test.each([
  ["{Item:{a:1}} x", "There is no record where one should begin, before byte 14."],
  ["{Item:{a:1}", "The text ends within the record at byte 0."],
  ["[{Item:{a:1}}", "The text ends within a list of records."],
  ["{Item:{a:1}}]", "There is no record where one should begin, at byte 12."],
  ["{Item:{a:1}} , {Item:{}}", "at byte 13"],
  ["{Other:{a:1}}", "The record at byte 0 has no Item."],
  ["{Item:{a:2020-01-01}}", "a timestamp is not a value of DynamoDB"],
  ['{Item:{a:{{"clob"}}}}', "a clob is not a value of DynamoDB"],
  ["{Item:{a:(x)}}", "an s-expression is not a value of DynamoDB"],
  ["{Item:{a:word}}", "'word' is not a value of DynamoDB"],
  ["{Item:{a:'word'}}", "a symbol is not a value of DynamoDB"],
  ["{Item:{a:nan}}", "'nan' is not a value of DynamoDB"],
  ["{Item:{a:$dynamodb_SS::[1]}}", "a member of the set $dynamodb_SS has another type"],
  ["{Item:{a:$dynamodb_XX::[1]}}", "$dynamodb_XX is not known"],
  ["{Item:{a:$dynamodb_SS::1}}", "$dynamodb_SS is not on a list"],
  ["{Item:{a:}}", "The Ion text makes no sense at byte 9: there is no value."],
  ["{Item:{a 1}}", "':' is missing"],
  ['{Item:{a:"\\q"}}', "\\q is not an escape"],
  ["\u00e0\u0001\u0000\u00ea", "binary Ion"],
  [`{Item:{a:${"[".repeat(200)}${"]".repeat(200)}}}`, "nested too deep"],
])("Ion that makes no sense is told: %j", (text, message) => {
  expect(() => ion(Buffer.from(text, "latin1"))).toThrow(message);
});

test("rows of CSV: keys have their types, empty cells are nothing, quotes hold everything", () => {
  expect(csv('n,a,b\r\n1,"x ""y"",\nz",\r\n\r\n2,,q')).toEqual([
    { n: { N: "1" }, a: { S: 'x "y",\nz' } },
    { n: { N: "2" }, b: { S: "q" } },
  ]);
  expect(csv("\ufeffa;b\n1;2\n", undefined, ";")).toEqual([{ a: { S: "1" }, b: { S: "2" } }]);
  expect(csv("1,2\n", ["x", "n"])).toEqual([{ x: { S: "1" }, n: { N: "2" } }]);
});

test.each([
  ["a,b\n1\n", "The row on line 2 has 1 cells; there are 2 columns."],
  ['a,b\n"x\ny",z\n1,2,3\n', "The row on line 4 has 3 cells"],
  ['a\nWomen\'s "Length"\n', "There is a quote within a cell on line 2"],
  ['a\n"b"c\n', "There is something behind a quoted cell on line 2."],
  ['a\n"b\n', "A quoted cell on line 2 does not end."],
  ["a,a\n1,2\n", 'The header has the column "a" twice.'],
  ["a,\n1,2\n", "A column of the header has no name."],
])("CSV that makes no sense is told: %j", (text, message) => {
  expect(() => csv(text)).toThrow(message);
});

test("a record that never ends is not kept for ever", () => {
  const piece = Buffer.alloc(6 * 1024 * 1024, "x");
  const readers = [
    () => new JsonRecordReader(),
    () => new IonRecordReader(),
    () => new CsvRecordReader({ types: new Map() }),
  ];
  const starts = ['{"Item":{"a":"', '{Item:{a:"', '"'];
  readers.forEach((make, place) => {
    const reader = make();
    const all = (): void => {
      for (const _ of reader.push(Buffer.from(starts[place] as string))) throw new Error("read");
      for (let count = 0; count < 4; count += 1) {
        for (const _ of reader.push(piece)) throw new Error("read");
      }
    };
    expect(all).toThrow(/does not end/);
  });
});
