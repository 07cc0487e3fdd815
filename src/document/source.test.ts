import { describe, expect, test } from "vitest";
import { complaintsText } from "./complaint.ts";
import type { Path } from "./path.ts";
import { Source, textLengthMax } from "./source.ts";

function read(text: string): Source {
  const { source, complaints } = Source.read(text, "f.yaml");
  expect(complaints).toEqual([]);
  return source as Source;
}

const refused = (text: string): string => complaintsText(Source.read(text, "f.yaml").complaints);

const text = `# a comment
name: shop
list:
  - one
  - { two: 2, "three four": [5, 6] }
1: numbers are names
1.50: as they are written
big: 1_000_000
empty:
key: "A#{id}#B"
block: |
  more
  lines
`;

describe("places", () => {
  test.each<[Path, boolean, number, number]>([
    [[], false, 2, 1],
    [["name"], false, 2, 7],
    [["name"], true, 2, 1],
    [["list"], false, 4, 3],
    [["list", 0], false, 4, 5],
    [["list", 1, "two"], false, 5, 12],
    [["list", 1, "two"], true, 5, 7],
    [["list", 1, "three four", 1], false, 5, 33],
    [["1"], false, 6, 4],
    [[1], true, 6, 1],
    [["1.50"], false, 7, 7],
    [["empty"], false, 9, 7],
    [["empty", "inside"], false, 9, 1],
    [["nowhere"], false, 2, 1],
    [["list", 7], false, 3, 1],
    [["name", "deeper"], false, 2, 1],
    [["block"], false, 11, 8],
  ])("%j (name: %s) is at %i:%i", (path, isName, line, column) => {
    expect(read(text).place({ path, isName })).toEqual({ line, column });
  });

  test("inside a text, where it is written as it is", () => {
    const source = read(`${text}escaped: "a\\tb"\n`);
    expect(source.place({ path: ["key"], within: 2 })).toEqual({ line: 10, column: 9 });
    expect(source.place({ path: ["name"], within: 2 })).toEqual({ line: 2, column: 9 });
    expect(source.place({ path: ["escaped"], within: 2 })).toEqual({ line: 14, column: 10 });
    expect(source.place({ path: ["block"], within: 2 })).toEqual({ line: 11, column: 8 });
  });

  test("with the line ends of Windows", () => {
    const source = read(text.replaceAll("\n", "\r\n"));
    expect(source.place({ path: ["list", 1, "two"] })).toEqual({ line: 5, column: 12 });
    expect((source.value as { name: string }).name).toBe("shop");
  });
});

test("values are those of JSON, names are as written, numbers may be grouped", () => {
  expect(read(text).value).toEqual({
    name: "shop",
    list: ["one", { two: 2, "three four": [5, 6] }],
    "1": "numbers are names",
    "1.50": "as they are written",
    big: 1_000_000,
    empty: null,
    key: "A#{id}#B",
    block: "more\nlines\n",
  });
  expect(read("[1_0, '1_0', 1_2_3.5, -1_000, _1, 1_]").value).toEqual([
    10,
    "1_0",
    123.5,
    -1_000,
    "_1",
    "1_",
  ]);
});

test("JSON is read, indented with tabs too", () => {
  const json = '{\n\t"a": [1, 2.5e3],\n\t"b": {"c": "\\ud83d\\ude00\\/"}\n}\n';
  const source = read(json);
  expect(source.value).toEqual(JSON.parse(json));
  expect(source.place({ path: ["b", "c"] })).toEqual({ line: 3, column: 13 });
});

test("names may be those of things that every object has", () => {
  const { value } = read("__proto__: { polluted: true }\nconstructor: 1\n");
  expect(Object.keys(value as object)).toEqual(["__proto__", "constructor"]);
  expect(Object.getPrototypeOf(value)).toBeNull();
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

describe("what cannot be read is refused with a sentence", () => {
  test.each([
    ["a: [1", "f.yaml:1:6: Flow sequence in block collection must be sufficiently indented"],
    ["a: 1\n\tb: 2\n", "f.yaml:2:1: Tabs are not allowed as indentation"],
    ["a: 1\nb: 2\na: 3\n", "f.yaml:3:1: 'a' is there twice; keep one"],
    ["{ 1: x, '1': y }", "f.yaml:1:9: '1' is there twice; keep one"],
    ["a: &x 1\nb: *x\n", "f.yaml:2:4: *x is an alias; write out what it stands for"],
    ["a: !thing 1\n", "f.yaml:1:4: Unresolved tag: !thing"],
    ["a: 1\n---\nb: 2\n", "f.yaml:2:1: a second document begins here; keep one"],
    ["? [a]\n: 1\n", "f.yaml:1:3: a name in a map must be a plain text"],
    [`${"[".repeat(80)}${"]".repeat(80)}`, "f.yaml:1:65: nothing may lie deeper than 64 levels"],
  ])("%j", (bad, expected) => {
    expect(refused(bad).split("\n")[0]).toContain(expected);
  });

  test("a billion laughs", () => {
    const lines = ["a: &a [x, x, x, x, x, x, x, x, x, x]"];
    for (let i = 1; i < 10; i += 1) {
      const last = String.fromCharCode(96 + i);
      const name = String.fromCharCode(97 + i);
      lines.push(`${name}: &${name} [${Array(10).fill(`*${last}`).join(", ")}]`);
    }
    expect(refused(lines.join("\n"))).toContain("f.yaml:2:8: *a is an alias");
  });

  test("a list that holds itself", () => {
    expect(refused("&a [*a]")).toContain("*a is an alias");
  });

  test.each([
    ["[", 200_000],
    ["- ", 200_000],
    ["{a: ", 100_000],
  ])("%j many times", (part, times) => {
    expect(refused(part.repeat(times))).not.toBe("");
  });

  test("a file that is too long, and no other", () => {
    const fits = `a: ${"x".repeat(textLengthMax - 4)}\n`;
    expect(fits).toHaveLength(textLengthMax);
    expect(refused(fits)).toBe("");
    expect(refused(`${fits}\n`)).toBe("f.yaml:1:1: the file is longer than 4 MB");
  });
});

test("many names in one map take their time once, not squared", () => {
  const names = Array.from({ length: 40_000 }, (_, i) => `n${i}: 1\n`).join("");
  const began = performance.now();
  read(names);
  expect(performance.now() - began).toBeLessThan(5_000);
});
