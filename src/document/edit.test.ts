import { expect, test } from "vitest";
import { type Edit, EditError, editText } from "./edit.ts";
import { printYaml } from "./print.ts";
import { Source } from "./source.ts";

const text = `# what it is
name: shop # the name

entities:
  # those who buy
  Customer: { count: 1_000_000, id: [customerId] }
  Order:
    count: 5 # a few
patterns:
  1: { name: one }
  # the second
  2:
    name: "two"
list:
  - a # first
  - b
long:
  {
    one: "1", # in quotes
    two: [x, { y: 2 }],
  }
only: [{ z: 1 }]
single:
  - { w: 1 }
last: end
`;

test.each<[string, Edit, string, string]>([
  [
    "set a value; its comment stays",
    { kind: "set", path: ["name"], value: "store" },
    "name: shop # the name",
    "name: store # the name",
  ],
  [
    "set inside braces",
    { kind: "set", path: ["entities", "Customer", "count"], value: 7 },
    "{ count: 1_000_000, id: [customerId] }",
    "{ count: 7, id: [customerId] }",
  ],
  [
    "set under a number",
    { kind: "set", path: ["patterns", "1", "name"], value: "uno" },
    "1: { name: one }",
    "1: { name: uno }",
  ],
  [
    "set what is not there yet, with the maps on the way",
    { kind: "set", path: ["entities", "Order", "growth", "perMonth"], value: 3 },
    "    count: 5 # a few\n",
    "    count: 5 # a few\n    growth:\n      perMonth: 3\n",
  ],
  [
    "set in a list",
    { kind: "set", path: ["list", 0], value: "z" },
    "  - a # first",
    "  - z # first",
  ],
  [
    "insert into a list",
    { kind: "insert", path: ["list", 1], value: "x" },
    "  - b",
    "  - x\n  - b",
  ],
  ["insert at its end", { kind: "insert", path: ["list", 2], value: "x" }, "  - b", "  - b\n  - x"],
  ["delete from a list", { kind: "delete", path: ["list", 1] }, "  - b\n", ""],
  [
    "delete with the comment above it",
    { kind: "delete", path: ["patterns", 2] },
    '  # the second\n  2:\n    name: "two"\n',
    "",
  ],
  ["rename", { kind: "rename", path: ["entities", "Order"], name: "Sale" }, "Order:", "Sale:"],
  [
    "rename in braces, to what needs quotes",
    { kind: "rename", path: ["patterns", "1", "name"], name: "a, b" },
    "{ name: one }",
    '{ "a, b": one }',
  ],
  [
    "set in braces over several lines; quotes stay",
    { kind: "set", path: ["long", "one"], value: "{a}, b" },
    'one: "1",',
    'one: "{a}, b",',
  ],
  [
    "set what is not there yet in braces over several lines",
    { kind: "set", path: ["long", "three"], value: { deep: [1, "yes"] } },
    "    two: [x, { y: 2 }],\n",
    "    two: [x, { y: 2 }],\n    three: { deep: [1, yes] },\n",
  ],
  [
    "set what is not there yet in braces on one line",
    { kind: "set", path: ["patterns", "1", "condition"], value: "absent" },
    "{ name: one }",
    "{ name: one, condition: absent }",
  ],
  [
    "a list instead of a word",
    { kind: "set", path: ["last"], value: ["a: b", 1] },
    "last: end",
    'last: ["a: b", 1]',
  ],
  [
    "insert among brackets",
    { kind: "insert", path: ["long", "two", 1], value: 5 },
    "[x, {",
    "[x, 5, {",
  ],
  [
    "insert last among brackets",
    { kind: "insert", path: ["long", "two", 2], value: 5 },
    "{ y: 2 }]",
    "{ y: 2 }, 5]",
  ],
  ["delete among brackets", { kind: "delete", path: ["long", "two", 0] }, "[x, {", "[{"],
  [
    "delete the last among brackets",
    { kind: "delete", path: ["long", "two", 1] },
    "[x, { y: 2 }]",
    "[x]",
  ],
  [
    "delete the only one among brackets",
    { kind: "delete", path: ["only", 0] },
    "only: [{ z: 1 }]",
    "only: []",
  ],
  [
    "delete the only one of a list",
    { kind: "delete", path: ["single", 0] },
    "single:\n  - { w: 1 }",
    "single: []",
  ],
  [
    "delete a part of what is among brackets",
    { kind: "delete", path: ["only", 0, "z"] },
    "only: [{ z: 1 }]",
    "only: [{}]",
  ],
])("%s", (_, edit, before, after) => {
  expect(text).toContain(before);
  expect(editText(text, [edit])).toBe(text.replace(before, after));
});

test("what is no piece of text is printed anew, with its comments", () => {
  const folded = "a: |-\n  long\n  text\nb: [x] # last\n";
  expect(editText(folded, [{ kind: "set", path: ["a"], value: "short" }])).toBe(
    "a: short\nb: [ x ] # last\n",
  );
});

test("names are taken as they are", () => {
  const edit: Edit = { kind: "set", path: ["__proto__", "constructor"], value: 1 };
  expect(editText("a: 1\n", [edit])).toBe("a: 1\n__proto__:\n  constructor: 1\n");
});

test("line ends of Windows stay", () => {
  const edited = editText("a: 1 # x\r\nb: 2\r\n", [{ kind: "set", path: ["b"], value: 3 }]);
  expect(edited).toBe("a: 1 # x\r\nb: 3\r\n");
});

test.each<[Edit, string]>([
  [{ kind: "set", path: [], value: 1 }, "The whole document cannot be edited at once."],
  [{ kind: "rename", path: ["nothing"], name: "x" }, "There is no nothing."],
  [{ kind: "rename", path: ["list", 0], name: "x" }, "There is no list[0]."],
  [{ kind: "delete", path: ["nothing"] }, "There is no nothing."],
  [{ kind: "delete", path: ["nothing", "here"] }, "There is no nothing."],
  [{ kind: "insert", path: ["list", 9], value: 1 }, "list[9] is not a place in a list."],
  [{ kind: "insert", path: ["name"], value: 1 }, "name is not a place in a list."],
  [{ kind: "set", path: ["name", "x"], value: 1 }, "name.x cannot be set."],
])("%j is refused", (edit, message) => {
  expect(() => editText(text, [edit])).toThrow(new EditError(message));
});

test("a text that cannot be read is not edited", () => {
  expect(() => editText("[", [])).toThrow("The text cannot be read.");
});

test("a value that stands in two places is written out in both", () => {
  const names = ["a", "b"];
  const edited = editText(text, [
    { kind: "set", path: ["twice"], value: { first: names, second: names } },
  ]);
  expect(Source.read(edited, "p.yaml").complaints).toEqual([]);
});

test("what is printed reads back the same", () => {
  const value = JSON.parse(
    '{"a":[1,"1","yes",null,true,{"b":{}}],"__proto__":{"x":"- # : {y}"},"long":"word word word word word word word word word word word word word word word word word word word word word"}',
  );
  const { source } = Source.read(printYaml(value), "p.yaml");
  expect(JSON.stringify(source?.value)).toBe(JSON.stringify(value));
});
