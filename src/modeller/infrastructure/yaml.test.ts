import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { yamlText } from "./yaml.ts";

describe("YAML", () => {
  it("quotes what could be read as something else, by any version of YAML", () => {
    const texts = [
      "yes",
      "No",
      "on",
      "y",
      "true",
      "null",
      "1",
      "1e3",
      "",
      "a: b",
      "- a",
      "x\u2028y",
    ];
    const printed = yamlText(["from here"], { texts });
    expect(parse(printed)).toEqual({ texts });
    for (const [i, line] of printed.split("\n").slice(2, -1).entries()) {
      expect(line, texts[i]).toMatch(/^ {2}- ".*"$/);
    }
  });

  it("has short lists in one line, and nothing in them is read as something else", () => {
    const value = {
      a: ["AWS::Region", "a:b", "c, d", "[e", "x: y", "no", "1", 1, true, "f # g"],
      b: Array.from({ length: 30 }, (_, i) => `t${i}`),
    };
    const text = yamlText([], value);
    expect(parse(text)).toEqual(value);
    expect(text.split("\n")[0]).toMatch(/^a: \["AWS::Region", .*\]$/);
    expect(text).toContain("\n  - t29\n");
  });

  it("keeps lists in lists, and what is empty", () => {
    const value = { a: [[1, [true]], [], {}], b: { c: { d: "AWS::Region" } } };
    expect(parse(yamlText([], value))).toEqual(value);
  });

  it("says things of members before them, in one line whatever is said", () => {
    const value = { a: { b: { c: 1 }, c: 2 }, c: 3 };
    const notes = new Map([["a", new Map([["c", "one\nb: 5 \u2028 # two"]])]]);
    const text = yamlText([], value, notes);
    expect(text.split("\n").filter((line) => line.includes("#"))).toEqual([
      "  # one\\u{a}b: 5 \\u{2028} # two",
    ]);
    expect(text.indexOf("# one")).toBeLessThan(text.indexOf("c: 2"));
    expect(text.indexOf("# one")).toBeGreaterThan(text.indexOf("c: 1"));
    expect(parse(text)).toEqual(value);
  });
});
