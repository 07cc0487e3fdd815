import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { modelSchema } from "../../src/model/schema.ts";
import { allChecks } from "../../src/modeller/check/checks/index.ts";
import { ruleIds } from "../../src/modeller/learn/rule-ids.test-support.ts";
import { isTopic, topics } from "../../src/modeller/learn/topics.ts";
import { read, root } from "../tidy/source-files.ts";

interface Practice {
  readonly id: string;
  readonly text: string;
  readonly carriers: readonly { readonly kind: string; readonly name: string }[];
  /** What is left of the last cell when the carriers are taken out. */
  readonly rest: readonly string[];
}

const carrier = /^(rule|check|learn|example|command|model) `([^`]+)`$/;

const practices: readonly Practice[] = read("docs/practices.md")
  .split("\n")
  .filter((line) => line.startsWith("| P"))
  .map((line) => {
    const [id = "", text = "", carried = ""] = line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim());
    const parts = carried.split(/, (?=[a-z]+ )/);
    const matches = parts.map((part) => carrier.exec(part));
    return {
      id,
      text,
      carriers: matches.flatMap((match) =>
        match === null ? [] : [{ kind: match[1] ?? "", name: match[2] ?? "" }],
      ),
      rest: parts.filter((_, i) => matches[i] === null),
    };
  });

const named = (kind: string): readonly string[] => [
  ...new Set(
    practices.flatMap(({ carriers }) =>
      carriers.filter((one) => one.kind === kind).map(({ name }) => name),
    ),
  ),
];

test("there are many, numbered without gaps, each said once", () => {
  expect(practices.length).toBeGreaterThan(200);
  expect(practices.map(({ id }) => id)).toEqual(practices.map((_, i) => `P${i + 1}`));
  expect(new Set(practices.map(({ text }) => text)).size).toBe(practices.length);
  for (const { text } of practices) expect(text).toMatch(/^[A-Z0-9].*[.?]$/);
});

const planned = ["the designer (planned)", "the generated infrastructure (planned)"];

test("each is carried by something", () => {
  for (const { id, carriers, rest } of practices) {
    expect(carriers.length + rest.length, id).toBeGreaterThan(0);
    for (const one of rest) expect(planned, id).toContain(one);
  }
});

test("rules, pages and examples that are named exist", () => {
  expect(named("rule").filter((id) => !ruleIds.has(id))).toEqual([]);
  expect(named("learn").filter((id) => !isTopic(id))).toEqual([]);
  const isThere = (name: string) => existsSync(join(root, "examples/models", `${name}.yaml`));
  expect(named("example").filter((name) => !isThere(name))).toEqual([]);
});

test("every page and every rule carries a practice", () => {
  const pages = new Set(named("learn"));
  expect([...topics.keys()].filter((id) => !pages.has(id))).toEqual([]);
  const carrying = new Set(named("rule"));
  expect([...ruleIds].filter((id) => !carrying.has(id))).toEqual([]);
});

/** What the checklist ends with. */
const verdict = "fits-dynamodb";

test("every line of the checklist carries a practice, and no other is named", () => {
  const lines = [...allChecks.map(({ id }) => id), verdict];
  const carrying = named("check");
  expect(lines.filter((id) => !carrying.includes(id))).toEqual([]);
  expect(carrying.filter((id) => !lines.includes(id))).toEqual([]);
});

test("commands and options that are named exist", () => {
  const main = read("src/cli/main.ts");
  for (const name of named("command")) {
    const [command = "", option] = name.split(" ");
    const start = new RegExp(`\\.command\\(\\s*"${command}[ "]`);
    const part = main.split("\n  cli\n").find((text) => start.test(text));
    expect(part, name).toBeDefined();
    if (option !== undefined) expect(part, name).toContain(`"${option}`);
  }
});

test("members of the model document that are named exist", () => {
  const members = new Set(propertiesIn(modelSchema));
  for (const name of named("model")) {
    for (const part of name.split(".")) expect(members, name).toContain(part);
  }
});

function propertiesIn(schema: unknown): readonly string[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([name, value]) => [
    ...(name === "properties" ? Object.keys(value as object) : []),
    ...propertiesIn(value),
  ]);
}
