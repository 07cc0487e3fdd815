import { describe, expect, it } from "vitest";
import {
  arrowCode,
  callCode,
  choiceCode,
  docComment,
  Imports,
  literal,
  memberOf,
  objectCode,
  propertyName,
  sentence,
  templateText,
} from "./source.ts";

const awkward = "\"q\" 'a' \\ `b` $" + "{c} */ \n\r\t\u0000\u2028\u202e\u{10ffff}é😀";

describe("texts in code", () => {
  it("stay what they were, and stay inside", () => {
    for (const code of [literal(awkward), `\`${templateText(awkward)}\``]) {
      expect(code).not.toMatch(/[\n\r\t\u2028\u202e]/);
      expect(Function(`return ${code};`)()).toBe(awkward);
    }
  });

  it("end no comment and are no tag of one", () => {
    const comment = docComment("ends */ here", "@deprecated\n@see x");
    expect(comment.match(/\*\//g)).toHaveLength(1);
    expect(comment).not.toMatch(/\s@/);
    expect(docComment("")).toBe("");
    expect(docComment("x".repeat(60), "y ".repeat(60)).split("\n").length).toBeGreaterThan(5);
  });

  it("are names where they can be", () => {
    expect(memberOf("input", "name")).toBe("input.name");
    expect(memberOf("input", "a-b")).toBe('input["a-b"]');
    expect(propertyName("__proto__")).toBe('["__proto__"]');
    expect(sentence("what is it?")).toBe("What is it?");
    expect(sentence(" a list ")).toBe("A list.");
  });
});

describe("layout", () => {
  const long = (n: number): string => `argument${n}${"x".repeat(30)}`;

  it("keeps short calls on a line and breaks long ones", () => {
    expect(callCode("f", "a", "{ b }")).toBe("f(a, { b })");
    expect(callCode("f", long(1), long(2), long(3))).toBe(
      `f(\n  ${long(1)},\n  ${long(2)},\n  ${long(3)},\n)`,
    );
    expect(callCode("f", "a", `{ b: "x, ${"y".repeat(80)}", c: [1, 2] }`)).toBe(
      `f(a, {\n  b: "x, ${"y".repeat(80)}",\n  c: [1, 2],\n})`,
    );
    expect(callCode("list.map", arrowCode("one", callCode("f", long(1), long(2))))).toBe(
      `list.map((one) =>\n  f(${long(1)}, ${long(2)}),\n)`,
    );
  });

  it("breaks objects and choices", () => {
    expect(objectCode([long(1), long(2), long(3)])).toBe(
      `{\n  ${long(1)},\n  ${long(2)},\n  ${long(3)},\n}`,
    );
    expect(choiceCode(long(1), long(2), long(3))).toBe(
      `${long(1)}\n  ? ${long(2)}\n  : ${long(3)}`,
    );
  });
});

describe("imports", () => {
  it("name each thing once, as a type if it is only used as one", () => {
    const imports = new Imports();
    imports.type("B", "./b.js");
    imports.type("Base", "../a.js");
    imports.value("add", "../a.js");
    imports.type("add", "../a.js");
    imports.type("Client", "package");
    expect(imports.text()).toBe(
      'import type { Client } from "package";\nimport { add, type Base } from "../a.js";\nimport type { B } from "./b.js";\n\n',
    );
  });
});
