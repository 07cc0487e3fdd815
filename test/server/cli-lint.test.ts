import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { soundModel, swapped } from "../../src/modeller/lint/lint.test-support.ts";
import { folderForTests } from "../folder-for-tests.ts";
import { root } from "../tidy/source-files.ts";
import { endOfCli } from "./child-support.ts";

const folder = folderForTests("lint");

const broken = swapped(soundModel, [["{position|pad:3}", "{position}"]]);

const keywright = (...args: string[]) => endOfCli(args, root);

function fileWith(content: string): string {
  const file = join(mkdtempSync(join(folder, "model-")), "model.yaml");
  writeFileSync(file, content);
  return file;
}

const timeout = 120_000;

test("findings end it with 1", { timeout }, async () => {
  const file = fileWith(broken);
  const { code, out } = await keywright("lint", file, "--rule", "unpadded-number");
  const line = broken.split("\n").findIndex((one) => one.includes("{position}")) + 1;
  expect(out).toContain(`${file}:${line}:52 warning unpadded-number: position in the key of Line`);
  expect(out).toContain("1 warning; --fix cures 1.\n");
  expect(out).not.toContain("\u001b");
  expect(code).toBe(1);
});

test("a sound model and hints alone end it with 0", { timeout }, async () => {
  const file = fileWith(`${soundModel}ignore: [{ rule: unpadded-number, reason: none }]\n`);
  const { code, out } = await keywright("lint", file, "--rule", "unpadded-number");
  expect(out).toContain("hint unused-ignore: The rule unpadded-number speaks nowhere");
  expect(code).toBe(0);
  const errors = await keywright("lint", file, "--rule=unpadded-number", "--severity", "error");
  expect(errors).toMatchObject({ code: 0, out: "Nothing found.\n" });
});

test("--fix --dry-run shows what --fix writes", { timeout }, async () => {
  const file = fileWith(broken);
  const args = ["lint", file, "--rule", "unpadded-number", "--fix"];
  const dry = await keywright(...args, "--dry-run");
  expect(dry.out).toContain(
    '-         Line: { key: { owner: "O#{orderId}", part: "LINE#{position}" } }',
  );
  expect(dry.out).toContain("|pad:3}");
  expect(dry.out).toContain("1 fix would be made; nothing is written.");
  expect(readFileSync(file, "utf8")).toBe(broken);
  const { code, out } = await keywright(...args, "--json");
  expect(JSON.parse(out)).toMatchObject({
    findings: [],
    fixes: { changes: [{ rule: "unpadded-number" }], refused: [], dryRun: false },
  });
  expect(readFileSync(file, "utf8")).toBe(soundModel);
  expect(code).toBe(0);
});

test("SARIF is written on demand", { timeout }, async () => {
  const { code, out } = await keywright(
    "lint",
    fileWith(broken),
    "--format",
    "sarif",
    "--rule",
    "unpadded-number",
  );
  expect(JSON.parse(out).runs[0].results[0].ruleId).toBe("unpadded-number");
  expect(code).toBe(1);
});

test("a wrong document ends it with 2, in every format", { timeout }, async () => {
  const file = fileWith(swapped(soundModel, [["read: Session", "read: Sesion"]]));
  const texts = await keywright("lint", file);
  expect(texts.out).toMatch(/model\.yaml:\d+:\d+: patterns\.session\.read names 'Sesion'/);
  expect(texts.code).toBe(2);
  const fix = await keywright("lint", file, "--fix", "--format", "json");
  expect(JSON.parse(fix.out).complaints).toHaveLength(1);
  expect(fix.code).toBe(2);
  const sarif = await keywright("lint", file, "--format", "sarif");
  expect(JSON.parse(sarif.out).runs[0].invocations[0].executionSuccessful).toBe(false);
  expect(sarif.code).toBe(2);
});

test("--rules needs no model", { timeout }, async () => {
  const { code, out } = await keywright("lint", "--rules");
  expect(out).toMatch(/^unpadded-number +warning {2}A number/m);
  expect(code).toBe(0);
  const { out: list } = await keywright("lint", "--rules", "--json");
  expect(JSON.parse(list)).toContainEqual(
    expect.objectContaining({ id: "unpadded-number", severity: "warning", topic: "sorting" }),
  );
});

test.each([
  [["lint"], "Say which model to look at: keywright lint FILE."],
  [
    ["lint", "m.yaml", "--rule", "nope"],
    "There is no rule 'nope'; keywright lint --rules lists them.",
  ],
  [["lint", "m.yaml", "--dry-run"], "--dry-run is for --fix."],
  [["lint", "m.yaml", "--format", "xml"], "--format takes text or json or sarif, not 'xml'."],
  [
    ["lint", "m.yaml", "--json", "--format", "text"],
    "--json and --format text do not go together.",
  ],
  [["lint", "nowhere.yaml"], "nowhere.yaml cannot be read: ENOENT."],
])("%j is refused", { timeout }, async (args, message) => {
  const { code, err } = await keywright(...args);
  expect(err).toBe(`keywright: ${message}\n`);
  expect(code).toBe(2);
});
