import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { documentModel } from "../../src/workbench/model-docs.ts";
import { folderForTests } from "../folder-for-tests.ts";
import { root } from "../tidy/source-files.ts";
import { endOfCli } from "./child-support.ts";

const folder = folderForTests("docs");
const small = join(folder, "small.yaml");
const text = `keywright: 1
name: small
entities:
  Thing:
    id: [id]
    count: 50
    attributes: { id: { type: S, format: ulid }, name: { type: S, bytes: 9 } }
patterns:
  1: { name: A thing, read: Thing, where: { id: equals }, rps: { average: 1, peak: 2 } }
  2: { name: Make a thing, create: Thing, condition: absent, rps: { average: 1, peak: 2 } }
design:
  tables:
    Things: { key: { id: S }, entities: { Thing: { key: { id: "{id}" } } } }
`;
writeFileSync(small, text);

const keywright = (...args: string[]) => endOfCli(args, root);

test("documents are written with what was proved, and not over somebody's work", {
  timeout: 180_000,
}, async () => {
  const out = join(folder, "out");
  const first = await keywright("docs", small, "--out", out);
  expect(first).toMatchObject({ code: 0, err: "" });
  expect(readdirSync(out).toSorted()).toEqual([
    ".keywright-output.json",
    "dynamodb_data_model.md",
    "dynamodb_requirement.md",
    "pictures",
  ]);
  const design = join(out, "dynamodb_data_model.md");
  const { files } = await documentModel(text, small, { proof: true });
  expect(readFileSync(design, "utf8")).toBe(
    files?.find(({ path }) => path.endsWith("model.md"))?.text,
  );
  expect(readFileSync(design, "utf8")).toMatch(
    /\| 1 \| A thing \| ✅ proved \| 1 \| 0\.5 \| 0\.5 \|/,
  );
  expect(readFileSync(design, "utf8")).toContain("### The peak, simulated");

  const again = await keywright("docs", small, "--out", out);
  expect(again.out).toContain("dynamodb_data_model.md (as it was)");

  writeFileSync(design, "mine");
  const kept = await keywright("docs", small, "--out", out, "--no-proof");
  expect(kept.code).toBe(1);
  expect(kept.out).toContain("  dynamodb_data_model.md\n--force overwrites them.");
  expect(readFileSync(design, "utf8")).toBe("mine");

  const forced = await keywright("docs", small, "--out", out, "--no-proof", "--force");
  expect(forced.code).toBe(0);
  expect(readFileSync(design, "utf8")).toContain("The proof was not run for this document.");
});

test("a wrong model, none, or no folder is told", { timeout: 180_000 }, async () => {
  const wrong = join(folder, "wrong.yaml");
  writeFileSync(wrong, text.replace("where: { id: equals }", "where: { it: equals }"));
  const out = join(folder, "none");
  const bad = await keywright("docs", wrong, "--out", out);
  expect(bad.code).toBe(2);
  expect(bad.out).toContain("wrong.yaml:9:");
  expect(readdirSync(folder)).not.toContain("none");

  const nowhere = await keywright("docs", small);
  expect(nowhere).toMatchObject({ code: 2, err: expect.stringContaining("--out FOLDER") });
});

test("a model without a design has requirements alone", async () => {
  const early = text.slice(0, text.indexOf("design:"));
  const made = await documentModel(early, "early.yaml", { proof: true });
  expect(made.files?.map(({ path }) => path)).toEqual(["dynamodb_requirement.md"]);
  expect(made.missing).toEqual([
    "small has no design, so there is no dynamodb_data_model.md to write.",
  ]);
});
