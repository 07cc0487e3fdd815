import { expect, test } from "vitest";
import { checkWellFormed } from "../../capacity/well-formed.test-support.ts";
import { costPicture } from "./picture.ts";
import { pricedModel, reportFor } from "./report.test-support.ts";

const report = reportFor(pricedModel);
const svg = costPicture(report);

const attribute = (tag: string, name: string): number =>
  Number(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1]);
const bars = (kind: string): readonly string[] =>
  [...svg.matchAll(new RegExp(`<rect class="${kind}"[^>]*height="18"/>`, "g"))].map(([tag]) => tag);

test("it is well-formed, and nothing lies outside", () => {
  checkWellFormed(svg);
  const [, width = "", height = ""] = /viewBox="0 0 (\d+) ([\d.]+)"/.exec(svg) ?? [];
  for (const [tag] of svg.matchAll(/<(?:rect|text) [^>]*x="[^>]*>/g)) {
    const [x, y] = [attribute(tag, "x"), attribute(tag, "y")];
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x + (tag.startsWith("<rect") ? attribute(tag, "width") : 0)).toBeLessThanOrEqual(
      Number(width),
    );
    expect(y).toBeGreaterThanOrEqual(0);
    expect(y + (tag.startsWith("<rect") ? attribute(tag, "height") : 0)).toBeLessThanOrEqual(
      Number(height),
    );
  }
  expect(svg).not.toMatch(/NaN|undefined|Infinity/);
});

test("bars are as long as what they cost", () => {
  // By table: the other costs of Orders (DAX and recovery) against its reads.
  const [home] = report.parts;
  const [reads] = bars("reads");
  const [other] = bars("other");
  const scale = attribute(other ?? "", "width") / (home?.other ?? 1);
  expect(attribute(reads ?? "", "width")).toBeCloseTo((home?.reads ?? 0) * scale, 0);
  // One behind the other, without a gap.
  const [writes] = bars("writes");
  expect(attribute(writes ?? "", "x")).toBeCloseTo(
    attribute(reads ?? "", "x") + attribute(reads ?? "", "width"),
    0,
  );
});

test("light and dark, and every bar says its price", () => {
  expect(svg).toContain("@media (prefers-color-scheme:dark)");
  expect(svg).toContain("<title>2  Place: $69.90 a month, $349.52 at the peak</title>");
});

test("names are escaped", () => {
  const hostile = costPicture(
    reportFor(pricedModel.replace("name: An order", "name: '<script>\"&'")),
  );
  checkWellFormed(hostile);
  expect(hostile).not.toContain("<script>");
});

test("a bill of nothing is still a picture", () => {
  const empty = { ...report, parts: [], patterns: [], lines: [] };
  checkWellFormed(costPicture(empty));
  const free = report.parts.map((part) => ({
    ...part,
    reads: 0,
    writes: 0,
    storage: 0,
    other: 0,
    dollars: { average: 0, peak: 0 },
  }));
  expect(costPicture({ ...report, parts: free })).not.toMatch(/NaN|Infinity/);
});
