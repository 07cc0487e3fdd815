import { expect, test } from "vitest";
import { registry } from "../../src/operations/registry.ts";
import { sourceFiles } from "./source-files.ts";

const linesMax = 800;
const all = ["src", "test", "bench"].flatMap(sourceFiles);

test(`no file is longer than ${linesMax} lines`, () => {
  const long = all
    .filter(({ text }) => text.split("\n").length > linesMax)
    .map(({ path }) => `${path} wants to be two files`);
  expect(long).toEqual([]);
});

test("nothing is left over", () => {
  const leftovers = new RegExp(
    ["(it|test|describe)\\.(only|skip|todo)\\(", "\\bTO" + "DO\\b", "\\bFIX" + "ME\\b"].join("|"),
  );
  const found = all.filter(({ text }) => leftovers.test(text)).map(({ path }) => path);
  expect(found).toEqual([]);
});

test("no default exports and no any in the product", () => {
  const found = sourceFiles("src")
    .filter(({ text }) => /^export default|: any\b|\bas any\b|<any>/m.test(text))
    .map(({ path }) => path);
  expect(found).toEqual([]);
});

test("every supported operation is used by a behaviour test", () => {
  const texts = sourceFiles("test/sdk").map(({ text }) => text);
  const untested = [...registry.entries()]
    .filter(([, operation]) => operation !== undefined)
    .map(([name]) => name)
    .filter((name) => !texts.some((text) => text.includes(`${name}Command`)));
  expect(untested).toEqual([]);
});
