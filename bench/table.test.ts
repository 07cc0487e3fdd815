import { expect, test } from "vitest";
import { figure, renderTable, replaceSection, times } from "./table.ts";

test("a table is padded, numbers to the right", () => {
  const rows = [
    ["get", "1", "12,345"],
    ["batchwrite", "32", "–"],
  ];
  expect(renderTable(["operation", "n", "keywright"], rows)).toBe(
    [
      "| operation  |   n | keywright |",
      "| ---------- | --: | --------: |",
      "| get        |   1 |    12,345 |",
      "| batchwrite |  32 |         – |",
    ].join("\n"),
  );
});

test.each([
  [12_345.6, "12,346"],
  [100, "100"],
  [99.94, "99.9"],
  [9.5, "9.50"],
  [0, "0.00"],
  [-12.34, "-12.3"],
  [undefined, "–"],
  [Number.NaN, "–"],
])("figure %s", (value, expected) => {
  expect(figure(value)).toBe(expected);
});

test("a ratio that is not known is a dash", () => {
  expect([times(1.5), times(undefined)]).toEqual(["1.50×", "–"]);
});

test("a section is replaced, again and again, and nothing else", () => {
  const before = "head\n<!-- load:begin -->\nold $& text\n<!-- load:end -->\ntail\n";
  const after = "head\n<!-- load:begin -->\n\nnew $& text\n\n<!-- load:end -->\ntail\n";
  expect(replaceSection(before, "load", "new $& text\n")).toBe(after);
  expect(replaceSection(after, "load", "new $& text")).toBe(after);
});

test.each(["", "<!-- load:begin -->", "<!-- load:end --><!-- load:begin -->"])(
  "a document without the section is refused: %j",
  (document) => {
    expect(() => replaceSection(document, "load", "x")).toThrow(/no section/);
  },
);
