import { expect, test } from "vitest";
import { fixText } from "./fix.ts";
import type { Fix, Rule } from "./rule.ts";

const text = `# a shop
keywright: 1
name: a # its name
entities: { A: { id: [id], count: 3, attributes: { id: { type: S, bytes: 4 } } } }
`;

const rule = (id: string, check: (name: string) => Fix | undefined): Rule => ({
  id,
  severity: "warning",
  title: "A name.",
  topic: "table",
  *check({ model }) {
    const fix = check(model.name);
    if (fix === undefined) return;
    yield {
      path: ["name"],
      message: `The name is ${model.name}.`,
      evidence: "It is.",
      cure: "Change it.",
      fix,
    };
  },
});
const rename = (value: unknown): Fix => ({
  what: `calls it ${value}`,
  edits: [{ kind: "set", path: ["name"], value }],
});

test("fixes are made one after the other, each on the text that the former left", () => {
  const rules = [
    rule("first", (name) => (name === "a" ? rename("b") : undefined)),
    rule("second", (name) => (name === "b" ? rename("c") : undefined)),
  ];
  const fixed = fixText(text, "m.yaml", {}, rules);
  expect(fixed.text).toBe(text.replace("name: a", "name: c"));
  expect(fixed.changes).toEqual([
    {
      rule: "first",
      path: "name",
      line: 3,
      what: "calls it b",
      hunk: { line: 3, removed: ["name: a # its name"], added: ["name: b # its name"] },
    },
    {
      rule: "second",
      path: "name",
      line: 3,
      what: "calls it c",
      hunk: { line: 3, removed: ["name: b # its name"], added: ["name: c # its name"] },
    },
  ]);
  expect(fixed.refused).toEqual([]);
});

test.each([
  ["leaves a document that cannot be read", rename(7)],
  [
    "does not go with the document",
    { what: "x", edits: [{ kind: "delete" as const, path: ["nothing"] }] },
  ],
  ["leaves the finding", rename("a")],
])("a fix that %s is refused, and the others are made", (_, fix) => {
  const rules = [
    rule("bad", () => fix),
    rule("good", (name) => (name === "a" ? rename("b") : undefined)),
  ];
  const fixed = fixText(text, "m.yaml", {}, rules);
  expect(fixed.text).toContain("name: b # its name");
  expect(fixed.changes.map(({ rule: id }) => id)).toEqual(["good"]);
  expect(new Set(fixed.refused.map(({ rule: id }) => id))).toEqual(new Set(["bad"]));
});

test("fixes that undo each other come to an end", () => {
  const rules = [
    rule("there", (name) => (name === "a" ? rename("b") : undefined)),
    rule("back", (name) => (name === "b" ? rename("a") : undefined)),
  ];
  const { changes, refused } = fixText(text, "m.yaml", {}, rules);
  expect([changes, refused].map((list) => list.map(({ rule: id }) => id))).toEqual([
    ["there"],
    ["back"],
  ]);
});

test("a fix that always calls for another comes to an end", () => {
  const rules = [rule("more", (name) => rename(`x${Number(name.slice(1)) + 1}`))];
  expect(fixText(text, "m.yaml", {}, rules).changes).toHaveLength(500);
});
