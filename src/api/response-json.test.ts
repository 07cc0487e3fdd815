import { expect, test } from "vitest";
import { plain, RawJson, responseBytes } from "./response-json.ts";

function raw(value: unknown): RawJson {
  return new RawJson(new TextEncoder().encode(JSON.stringify(value)));
}

const item = { pk: { S: "ünï" }, __proto__x: { N: "1" } };
const smiley = { "😀": { S: "€" } };

/** An answer, and the same answer with nothing raw. */
const cases: [name: string, answer: unknown, same: unknown][] = [
  ["nothing", {}, {}],
  ["undefined", undefined, {}],
  ["plain", { Item: item, Count: 1 }, { Item: item, Count: 1 }],
  ["plain, undefined member", { Item: undefined, Count: 1 }, { Count: 1 }],
  ["raw item", { Item: raw(item) }, { Item: item }],
  ["raw item after undefined", { A: undefined, Item: raw(item) }, { Item: item }],
  ["raw items", { Items: [raw(item), raw(smiley)], Count: 2 }, { Items: [item, smiley], Count: 2 }],
  [
    "one raw among plain",
    { Items: [item, raw(smiley), undefined], Count: 2 },
    { Items: [item, smiley, null], Count: 2 },
  ],
  [
    "maps of arrays",
    { Responses: { täble: [raw(item)], other: [] }, UnprocessedKeys: {} },
    { Responses: { täble: [item], other: [] }, UnprocessedKeys: {} },
  ],
  [
    "arrays of items",
    { Responses: [{}, { Item: raw(item) }, { Item: undefined }] },
    { Responses: [{}, { Item: item }, {}] },
  ],
  [
    "quotes in names, long text",
    { 'a"b': raw(item), Text: `${"é".repeat(40)}"\n` },
    { 'a"b': item, Text: `${"é".repeat(40)}"\n` },
  ],
];

test.each(cases)("%s", (_name, answer, same) => {
  const bytes = responseBytes(answer);
  expect(bytes.toString("utf8")).toBe(JSON.stringify(same));
});

test.each(cases.slice(2))("plain: %s", (_name, answer, same) => {
  expect(JSON.stringify(plain(answer))).toBe(JSON.stringify(same));
});

test("an answer without raw members is handed back as it is", () => {
  const answer = { Item: item };
  expect(plain(answer)).toBe(answer);
});

test("a member named __proto__ stays a member", () => {
  const answer = JSON.parse('{"__proto__": {"a": 1}}') as Record<string, unknown>;
  answer.Item = raw(item);
  const text = '{"__proto__":{"a":1},"Item":{"pk":{"S":"ünï"},"__proto__x":{"N":"1"}}}';
  expect(responseBytes(answer).toString()).toBe(text);
  expect(JSON.stringify(plain(answer))).toBe(text);
});
