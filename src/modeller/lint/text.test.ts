import { expect, test } from "vitest";
import { printable } from "../../base/printable.ts";
import type { LintFinding } from "./lint.ts";
import { fixedText, lintText, rulesText } from "./text.ts";

const finding = (more: Partial<LintFinding> = {}): LintFinding => ({
  rule: "unused-index",
  severity: "warning",
  path: ["name"],
  place: { line: 3, column: 7 },
  message: "Nobody asks A.",
  evidence: "It has 5 entries.",
  cure: "Drop it.",
  ...more,
});
const plain = { file: "m.yaml", colour: false };

test("findings stand under their severities, with all that is known of them", () => {
  const findings = [
    finding({ severity: "error", price: { kind: "throttled", share: 0.125 } }),
    finding({
      price: { kind: "money", perMonth: 1234.5, assumed: true },
      fix: { what: "drops the index", edits: [] },
    }),
    finding({ place: undefined }),
    finding({ severity: "hint", price: { kind: "money", perMonth: 0.051, assumed: false } }),
  ];
  expect(lintText({ findings, ignored: 2 }, plain)).toBe(`1 error

m.yaml:3:7 error unused-index: Nobody asks A.
  It has 5 entries.
  Price: 12.5 % of the requests are throttled at peak
  Cure: Drop it.

2 warnings

m.yaml:3:7 warning unused-index: Nobody asks A.
  It has 5 entries.
  Price: $1,234.50 a month (from assumed numbers)
  Cure: Drop it.
  --fix drops the index.

m.yaml warning unused-index: Nobody asks A.
  It has 5 entries.
  Cure: Drop it.

1 hint

m.yaml:3:7 hint unused-index: Nobody asks A.
  It has 5 entries.
  Price: $0.05 a month
  Cure: Drop it.

1 error, 2 warnings, 1 hint; --fix cures 1; 2 ignored.
To read more: keywright learn unused-index
`);
});

test("nothing is said as such", () => {
  expect(lintText({ findings: [], ignored: 0 }, plain)).toBe("Nothing found.\n");
});

test("colours are for terminals", () => {
  const text = lintText({ findings: [finding()], ignored: 0 }, { ...plain, colour: true });
  expect(text).toContain("m.yaml:3:7 \u001b[33mwarning\u001b[0m unused-index");
  expect(lintText({ findings: [finding()], ignored: 0 }, plain)).not.toContain("\u001b");
});

test("a name cannot reach the terminal", () => {
  const message = "A table is called \u001b]0;x\u0007\u202e.";
  const text = lintText({ findings: [finding({ message })], ignored: 0 }, plain);
  expect(text).toContain("A table is called \\u{1b}]0;x\\u{7}\\u{202e}.");
  expect(printable("Ünïcode and 名前 stay")).toBe("Ünïcode and 名前 stay");
});

test("fixes are shown as lines that go and lines that come", () => {
  const change = { rule: "a", path: "name", line: 3, what: "calls it b" };
  const hunk = { line: 3, removed: ["name: a"], added: ["name: b", "x: 1"] };
  const fixed = { text: "", changes: [{ ...change, hunk }], refused: [change] };
  expect(fixedText(fixed, plain, false)).toBe(`m.yaml:3 a calls it b
- name: a
+ name: b
+ x: 1
m.yaml:3 a could not be fixed by itself: calls it b
1 fix made.
`);
  expect(fixedText({ text: "", changes: [], refused: [] }, plain, true)).toBe(
    "0 fixes would be made; nothing is written.\n",
  );
});

test("rules are listed in columns", () => {
  const head = { title: "It is so.", topic: "table" } as const;
  expect(
    rulesText([
      { ...head, id: "one", severity: "error" },
      { ...head, id: "another", severity: "warning" },
    ]),
  ).toBe("one      error    It is so.\nanother  warning  It is so.\n");
});
