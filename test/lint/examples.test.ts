import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lintModel, modelLintOutput } from "../../src/workbench/model-lint.ts";
import { largeModel } from "../model/large-model.ts";
import { read, root } from "../tidy/source-files.ts";

const folder = "examples/models";
const files = readdirSync(join(root, folder)).filter((file) => file.endsWith(".yaml"));

test.each(files)("%s has nothing above a hint, and ignores nothing in vain", (file) => {
  const linted = lintModel(read(`${folder}/${file}`), file);
  const said = (linted.result?.findings ?? [])
    .filter(({ severity, rule }) => severity !== "hint" || rule === "unused-ignore")
    .map(({ rule, message }) => `${rule}: ${message}`);
  expect(said).toEqual([]);
});

test.each(files)("the fixes of %s leave a document that reads, and nothing to fix", (file) => {
  const { fixed, text, complaints } = lintModel(read(`${folder}/${file}`), file, { fix: true });
  expect(complaints).toEqual([]);
  expect(fixed?.refused).toEqual([]);
  const again = lintModel(text, file, { fix: true });
  expect(again.fixed?.changes).toEqual([]);
  expect(again.text).toBe(text);
});

test("findings are told in every format, whatever they are", () => {
  const linted = lintModel(largeModel(20, 60), "large.yaml");
  const options = { colour: false, dryRun: false, version: "1" };
  const count = linted.result?.findings.length ?? 0;
  expect(count).toBeGreaterThan(20);
  const json = JSON.parse(modelLintOutput(linted, "json", options));
  expect(json.findings).toHaveLength(count);
  const sarif = JSON.parse(modelLintOutput(linted, "sarif", options));
  expect(sarif.runs[0].results).toHaveLength(count);
  const text = modelLintOutput(linted, "text", options);
  expect(text.match(/^large\.yaml:\d+:\d+ (error|warning|hint) /gm)).toHaveLength(count);
});
