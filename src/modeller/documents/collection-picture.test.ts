import { expect, test } from "vitest";
import { checkWellFormed } from "../../capacity/well-formed.test-support.ts";
import { type CollectionPicture, collectionPicture, fitted } from "./collection-picture.ts";

const hostile = `</text><script>alert("x")</script>&'\u0000\u202e`;

function pictureWith(cells: number, rows = 1, collections = 1, text = "value"): CollectionPicture {
  return {
    title: `Table ${text}`,
    partition: "PK",
    sort: "SK",
    hidden: 0,
    collections: Array.from({ length: collections }, (_, c) => ({
      key: `${text}#${c}`,
      rows: Array.from({ length: rows }, (_row, r) => ({
        kind: text,
        sort: `${text}#${r}`,
        cells: Array.from({ length: cells }, (_cell, i) => ({ name: `${text}${i}`, value: text })),
      })),
      more: 3,
    })),
  };
}

const heightOf = (svg: string): number => Number(/viewBox="0 0 1000 ([\d.]+)"/.exec(svg)?.[1]);

test("a band for each partition key, a row for each item, a cell for each attribute", () => {
  const svg = collectionPicture(pictureWith(4, 2, 3));
  checkWellFormed(svg);
  expect([...svg.matchAll(/class="band"/g)]).toHaveLength(3);
  expect([...svg.matchAll(/class="row"/g)]).toHaveLength(6);
  expect([...svg.matchAll(/class="soft small"/g)]).toHaveLength(24);
  expect(svg).toContain(">PK = value#1<");
  expect(svg).toContain("and 3 more under this key");
  expect(svg).toContain("in the order of SK");
  expect(collectionPicture({ ...pictureWith(1), sort: undefined })).not.toContain("in the order");
});

test("names and values are escaped and cut", () => {
  const svg = collectionPicture(pictureWith(12, 2, 2, hostile.repeat(40)));
  checkWellFormed(svg);
  expect(svg).not.toContain("<script");
  for (const sign of ["\u0000", "\u202e"]) expect(svg).not.toContain(sign);
  expect(svg.length).toBeLessThan(200_000);
});

test("more attributes than there is room for are counted", () => {
  expect(collectionPicture(pictureWith(10))).not.toMatch(/>and \d+ more</);
  const svg = collectionPicture(pictureWith(14));
  expect([...svg.matchAll(/class="soft small"/g)]).toHaveLength(9);
  expect(svg).toContain(">and 5 more<");
});

test("nothing lies outside, nor over the next row", () => {
  for (const cells of [0, 1, 5, 6, 10, 11]) {
    const svg = collectionPicture(pictureWith(cells, 3, 2));
    const height = heightOf(svg);
    const number = (tag: string, name: string): number =>
      Number(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1]);
    const rows = [...svg.matchAll(/<rect class="(?:row|band)"[^>]*>/g)].map(([tag]) => tag);
    for (const [i, tag] of rows.entries()) {
      const bottom = number(tag, "y") + number(tag, "height");
      expect(bottom).toBeLessThanOrEqual(height);
      const next = rows[i + 1];
      if (next !== undefined) expect(number(next, "y")).toBeGreaterThanOrEqual(bottom);
    }
    for (const [tag] of svg.matchAll(/<text [^>]*x="[^>]*>/g)) {
      expect(number(tag, "x")).toBeLessThanOrEqual(1_000);
      expect(number(tag, "y")).toBeLessThan(height);
    }
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  }
});

test("light and dark, wide and narrow", () => {
  const svg = collectionPicture(pictureWith(2));
  expect(svg).toContain("@media (prefers-color-scheme:dark){.band");
  expect(svg).toMatch(/<text class="narrow"/);
  expect(svg).toMatch(/<text class="wide"/);
});

test("an item without a sort key is called by its kind", () => {
  const [one] = pictureWith(1).collections;
  const row = { kind: "Order", sort: "", cells: [] };
  const svg = collectionPicture({
    title: "T",
    partition: "id",
    sort: undefined,
    hidden: 7,
    collections: one === undefined ? [] : [{ ...one, rows: [row] }],
  });
  expect(svg).toContain('<text class="wide kind" x="30" y="150">Order</text>');
  expect(svg).toContain("7 more kinds of items are not shown.");
});

test("what is too long ends with an ellipsis, and wide letters count more", () => {
  expect(fitted("short", 100, 10)).toBe("short");
  expect(fitted("x".repeat(30), 65, 10)).toBe(`${"x".repeat(9)}…`);
  expect([...fitted("漢".repeat(30), 100, 10)]).toHaveLength(9);
  expect(fitted("a\u0000", 100, 10)).toBe("a\\u{0}");
});
