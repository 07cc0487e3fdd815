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

  it("keeps lists in lists, and what is empty", () => {
    const value = { a: [[1, [true]], [], {}], b: { c: { d: "AWS::Region" } } };
    expect(parse(yamlText([], value))).toEqual(value);
  });
});
