import { expect, test } from "vitest";
import { modelFrom } from "../../model/parse.ts";
import { modelOf, soundModel } from "./lint.test-support.ts";
import { lint } from "./lint.ts";
import type { Finding, Price, Rule, Severity } from "./rule.ts";

const finding = (path: readonly (string | number)[], more: Partial<Finding> = {}): Finding => ({
  path,
  message: `Something is with ${path.join(".")}.`,
  evidence: "It was seen.",
  cure: "Leave it.",
  ...more,
});

const rule = (id: string, severity: Severity, ...findings: readonly Finding[]): Rule => ({
  id,
  severity,
  title: `${id}.`,
  topic: "table",
  check: () => findings,
});

const money = (perMonth: number): Price => ({ kind: "money", perMonth, assumed: false });
const shop = ["design", "tables", "Shop"];

const said = (text: string, rules: readonly Rule[], options = {}) =>
  lint(modelOf(text), options, rules).findings.map(
    ({ rule: id, severity, path }) => `${severity} ${id} ${path.join(".")}`,
  );

test("a finding has its rule, severity and place", () => {
  const { findings } = lint(modelOf(soundModel), {}, [rule("a", "hint", finding(["name"]))]);
  expect(findings).toEqual([
    { ...finding(["name"]), rule: "a", severity: "hint", place: { line: 2, column: 7 } },
  ]);
});

test("the gravest come first, then throttled requests, then the dearest, then the order of the file", () => {
  const rules = [
    rule("hints", "hint", finding(["name"], { price: money(1e6) })),
    rule(
      "mixed",
      "warning",
      finding(shop),
      finding(["name"]),
      finding(["relations"], { price: money(1) }),
      finding(["patterns"], { price: money(20) }),
      finding(["entities"], { price: { kind: "throttled", share: 0.01 } }),
      finding(["overview"], { price: { kind: "throttled", share: 0.5 } }),
      finding(["workflows"], { severity: "error" }),
    ),
  ];
  expect(said(soundModel, rules)).toEqual([
    "error mixed workflows",
    "warning mixed overview",
    "warning mixed entities",
    "warning mixed patterns",
    "warning mixed relations",
    "warning mixed name",
    "warning mixed design.tables.Shop",
    "hint hints name",
  ]);
});

test("rules and severities can be chosen", () => {
  const rules = [
    rule("a", "warning", finding(["name"])),
    rule("b", "hint", finding(["name"])),
    rule("c", "error", finding(["name"])),
  ];
  expect(said(soundModel, rules, { rules: ["a", "b"] })).toEqual(["warning a name", "hint b name"]);
  expect(said(soundModel, rules, { severity: "warning" })).toEqual([
    "error c name",
    "warning a name",
  ]);
  expect(said(soundModel, rules, { severity: "error" })).toEqual(["error c name"]);
});

const ignoring = (...entries: readonly string[]) =>
  `${soundModel}ignore:\n${entries.map((entry) => `  - { ${entry}, reason: because }\n`).join("")}`;

test("what the document ignores is dropped, everywhere or on a part and what is in it", () => {
  const rules = [
    rule(
      "a",
      "error",
      finding(["name"]),
      finding([...shop, "unique", 0, "key"]),
      finding(["design", "tables", "Shops"]),
    ),
  ];
  expect(said(ignoring("rule: a"), rules)).toEqual([]);
  expect(said(ignoring("rule: a, on: design.tables.Shop"), rules)).toEqual([
    "error a name",
    "error a design.tables.Shops",
  ]);
  expect(said(ignoring("rule: a, on: design.tables.Shop.unique"), rules)).toHaveLength(2);
  expect(said(ignoring("rule: a, on: name"), rules)).toHaveLength(2);
  expect(lint(modelOf(ignoring("rule: a, on: name")), {}, rules).ignored).toBe(1);
});

test("an entry of ignore that covers nothing is told, and can be taken out", () => {
  const rules = [rule("a", "error", finding(["name"])), rule("b", "error")];
  const { findings } = lint(modelOf(ignoring("rule: a", "rule: b, on: design")), {}, rules);
  expect(findings).toMatchObject([
    {
      rule: "unused-ignore",
      severity: "hint",
      path: ["ignore", 1],
      message: "The rule b speaks not on design, so there is nothing to ignore.",
      fix: { edits: [{ kind: "delete", path: ["ignore", 1] }] },
    },
  ]);
  // Of a rule that did not run nothing is known.
  expect(said(ignoring("rule: b"), rules, { rules: ["a"] })).toEqual(["error a name"]);
  expect(said(ignoring("rule: b"), rules, { rules: ["b"] })).toEqual([
    "hint unused-ignore ignore.0",
  ]);
});

test("an entry of ignore that names no rule is an error, with the nearest name", () => {
  const rules = [rule("unused-index", "error")];
  const { findings } = lint(modelOf(ignoring("rule: unusd-index")), {}, rules);
  expect(findings).toMatchObject([
    {
      rule: "unknown-rule",
      severity: "error",
      message: "There is no rule 'unusd-index'; did you mean 'unused-index'?",
    },
  ]);
  expect(findings[0]?.place?.line).toBe(soundModel.split("\n").length + 1);
});

test("a model without a text has findings without a place", () => {
  const { model } = modelFrom({
    keywright: 1,
    name: "x",
    entities: { A: { id: ["a"], attributes: { a: { type: "S" } } } },
  });
  const [first] = lint(model!, {}, [rule("a", "error", finding(["name"]))]).findings;
  expect(first?.place).toBeUndefined();
});
