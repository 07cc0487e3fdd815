import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { allChecks } from "../../src/modeller/check/checks/index.ts";
import { allCriteria } from "../../src/modeller/check/fit/fit.ts";
import { root } from "../tidy/source-files.ts";

const section = readFileSync(join(root, "docs/model.md"), "utf8").split("## Check\n")[1] ?? "";

/** The rows of the table under a heading row. */
function rowsUnder(heading: string): readonly string[] {
  const lines = section.split("\n");
  const from = lines.indexOf(heading) + 2;
  const rows = lines.slice(from);
  return rows.slice(
    0,
    rows.findIndex((row) => !row.startsWith("|")),
  );
}

test("docs/model.md lists the checks, in their order and words", () => {
  expect(rowsUnder("| line | states |")).toEqual(
    allChecks.map(({ id, title }) => `| \`${id}\` | ${title} |`),
  );
});

test("docs/model.md lists the criteria of the verdict", () => {
  expect(rowsUnder("| criterion | holds if |")).toEqual(
    allCriteria.map(({ id, title }) => `| \`${id}\` | ${title} |`),
  );
});

test("CHANGELOG.md counts the lines rightly", () => {
  expect(allChecks.length).toBe(31);
  expect(readFileSync(join(root, "CHANGELOG.md"), "utf8")).toContain(
    "checklist of thirty-one lines",
  );
});
