import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { isTopic } from "../../learn/topics.ts";
import { ignoreRules, ruleHeads } from "../lint.ts";
import { rulesMarkdown } from "../markdown.ts";
import { severities } from "../rule.ts";
import { rules } from "./index.ts";

const files = readdirSync(new URL(".", import.meta.url));
const ids = rules.map(({ id }) => id);

test("every file is listed once, under its name", () => {
  const named = files
    .filter((file) => /^[a-z0-9-]+\.ts$/.test(file) && file !== "index.ts")
    .map((file) => file.slice(0, -".ts".length));
  expect(ids.toSorted()).toEqual(named.toSorted());
});

test("every rule has its tests", () => {
  const untested = ids.filter((id) => !files.includes(`${id}.test.ts`));
  expect(untested).toEqual([]);
});

test.each(ruleHeads().map((head) => [head.id, head] as const))(
  "%s is well described",
  (_, head) => {
    expect(head.title).toMatch(/^[A-Z][^\n.]+\.$/);
    expect(head.title.length).toBeLessThanOrEqual(110);
    expect(isTopic(head.topic)).toBe(true);
    expect(severities).toContain(head.severity);
  },
);

test("no two rules have a name or a title in common", () => {
  const heads = ruleHeads();
  expect(new Set(heads.map(({ id }) => id)).size).toBe(heads.length);
  expect(new Set(heads.map(({ title }) => title)).size).toBe(heads.length);
  expect(heads.length).toBe(rules.length + Object.keys(ignoreRules).length);
});

test("docs/lint.md lists the rules that there are (vitest --update writes them)", async () => {
  const page = new URL("../../../../docs/lint.md", import.meta.url);
  const [before = ""] = readFileSync(page, "utf8").split("\n## Rules\n");
  const whole = `${before}\n## Rules\n\n${rulesMarkdown(ruleHeads())}`;
  await expect(whole).toMatchFileSnapshot(fileURLToPath(page));
});
