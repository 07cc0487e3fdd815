import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { proveDesign, reportsOn } from "./design-trial.ts";
import { readDocument } from "./run-model.ts";

/**
 * Wrong designs that were taken for right ones once. The first line of each names the tool that finds it and what it reports:
 * `# found by prove: PATTERN`, `# found by lint: RULE` or `# found by check: LINE`.
 */
const folder = new URL("mistakes/", import.meta.url);

test.each(readdirSync(folder))("%s is found to be wrong", async (name) => {
  const text = readFileSync(new URL(name, folder), "utf8");
  const [, tool, what = ""] = /^# found by (prove|lint|check): (.+)$/m.exec(text) ?? [];
  const document = readDocument(text, name);
  if (tool === "prove") {
    const { results } = await proveDesign(document, new Set([what]));
    expect(results.get(what)?.kind).toBe("wrong");
    return;
  }
  const reports = reportsOn(document)[tool === "lint" ? "lint" : "check"];
  expect(reports.map(({ id }) => id)).toContain(what);
});
