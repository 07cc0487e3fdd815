import { expect, test } from "vitest";
import { mermaidMistakes } from "../../../test/generate/mermaid.test-support.ts";
import { erDiagram, flowchart, label, word } from "./mermaid.ts";

const hostile = '"];\n%% x\\ --> <script>#35; {a|b} `';

test("texts are quoted, and signs that Mermaid reads are numbers", () => {
  expect(label("PK = ORDER#{id|pad:3}", "Größe")).toBe(
    '"PK = ORDER#35;#123;id#124;pad:3#125;<br/>Größe"',
  );
  expect(label('a"b\\c%d<e>')).toBe('"a#34;b#92;c#37;d#60;e#62;"');
  expect(label("a;b#1;")).toBe('"a#59;b#35;1#59;"');
  expect(label("x\ny\u202e")).toBe('"x y#92;u#123;202e#125;"');
  expect(label("y".repeat(200))).toBe(`"${"y".repeat(79)}…"`);
});

test("names of attributes are words", () => {
  expect(["__proto__", "a-b", "1st", "a b", ""].map(word)).toEqual([
    "__proto__",
    "a-b",
    "_1st",
    "a_b",
    "_",
  ]);
});

test("entities and relations", () => {
  const diagram = erDiagram(
    [
      {
        name: "Customer",
        attributes: [
          { type: "S", name: "id", keys: ["PK", "FK"], comment: "ulid" },
          { type: "N", name: "n", keys: [], comment: undefined },
        ],
      },
      { name: hostile, attributes: [{ type: "S", name: hostile, keys: ["UK"], comment: hostile }] },
    ],
    [
      { from: "Customer", to: hostile, kind: "one-to-many", identifying: true, text: "5" },
      { from: "Customer", to: "Customer", kind: "many-to-many", identifying: false, text: hostile },
      { from: "Customer", to: "Customer", kind: "one-to-one", identifying: false, text: "has" },
    ],
  );
  const lines = diagram.split("\n");
  expect(lines.slice(0, 5)).toEqual([
    "erDiagram",
    '  "Customer" {',
    '    S id PK, FK "ulid"',
    "    N n",
    "  }",
  ]);
  expect(lines).toContain('  "Customer" ||..o| "Customer" : "has"');
  expect(lines.some((line) => line.startsWith('  "Customer" ||--o{ "'))).toBe(true);
  expect(lines.some((line) => line.startsWith('  "Customer" }o..o{ "Customer" : "'))).toBe(true);
  expect(mermaidMistakes(diagram.trimEnd())).toEqual([]);
});

test("boxes, frames and arrows", () => {
  const diagram = flowchart(
    [
      { id: "g", title: hostile, nodes: [{ id: "a", lines: ["A", hostile], shape: "box" }] },
      { id: "b", lines: ["B"], shape: "store" },
      { id: "c", lines: ["C"], shape: "round" },
    ],
    [
      { from: "a", to: "b", text: undefined },
      { from: "g", to: "c", text: hostile },
    ],
  );
  expect(diagram.split("\n").slice(3)).toEqual([
    "  end",
    '  b[("B")]',
    '  c(["C"])',
    "  a --> b",
    expect.stringMatching(/^ {2}g -->\|".*"\| c$/),
    "",
  ]);
  expect(mermaidMistakes(diagram.trimEnd())).toEqual([]);
  // The check itself sees what is wrong.
  expect(mermaidMistakes('flowchart LR\n  a["x"y"]\n  a --> z')).toEqual(['  a["x"y"]', "z"]);
});
