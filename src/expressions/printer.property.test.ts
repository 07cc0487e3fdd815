import fc from "fast-check";
import { expect, test } from "vitest";
import { ServiceError } from "../api/errors/service-error.ts";
import type { AttributeValue } from "../item/attribute-value.ts";
import { compileExpressions } from "./compile.ts";
import { compileCondition } from "./condition-resolve.ts";
import { evaluate } from "./evaluate.ts";
import { compileKeyCondition } from "./key-condition-parser.ts";
import { Placeholders } from "./parser.ts";
import {
  type Notation,
  printCondition,
  printKeyCondition,
  printProjection,
  printUpdate,
} from "./printer.ts";
import { project } from "./project.ts";
import { compileProjection } from "./projection-parser.ts";
import type {
  Condition,
  Constant,
  KeyCondition,
  Operand,
  Path,
  Projection,
  Update,
  UpdateValue,
} from "./tree.ts";
import { compileUpdate } from "./update-resolve.ts";

/** Writes every name and constant as a placeholder, and remembers what they stand for. */
class PlaceholderNotation implements Notation {
  readonly names: Record<string, string> = {};
  readonly values: Record<string, AttributeValue> = {};
  #count = 0;

  readonly name = (name: string): string => {
    this.#count++;
    this.names[`#n${this.#count}`] = name;
    return `#n${this.#count}`;
  };

  readonly constant = ({ value }: Constant): string => {
    this.#count++;
    this.values[`:v${this.#count}`] = value;
    return `:v${this.#count}`;
  };

  get placeholders(): Placeholders {
    return new Placeholders(this.names, this.values);
  }
}

/** The tree without the names of placeholders, which printing does not keep. */
function anonymous<T>(tree: T): T {
  return JSON.parse(
    JSON.stringify(tree, (key, member) => (key === "placeholder" ? undefined : member)),
  ) as T;
}

const name = fc.oneof(
  fc.constantFrom("a", "b", "status", "x.y", "#odd", "constructor", "__proto__"),
  fc.string({ minLength: 1, maxLength: 4 }),
);
const step = fc.oneof(name, fc.nat(20));
const path: fc.Arbitrary<Path> = fc
  .tuple(name, fc.array(step, { maxLength: 3 }))
  .map(([first, rest]) => ({ kind: "path", steps: [first, ...rest] }));
const text = fc.string({ maxLength: 5 }).map((S): AttributeValue => ({ S }));
const number = fc.integer().map((value): AttributeValue => ({ N: String(value) }));
const constant = (value: fc.Arbitrary<AttributeValue>): fc.Arbitrary<Operand> =>
  value.map((value) => ({ kind: "value", value }));
const size: fc.Arbitrary<Operand> = path.map((of) => ({ kind: "size", of }));
const operand = fc.oneof(path, constant(text), constant(number), size);
const textual = fc.oneof(path, constant(text));
const comparator = fc.constantFrom("=", "<>", "<", "<=", ">", ">=");
const typeName = fc.constantFrom("S", "N", "BOOL", "M").map((S): AttributeValue => ({ S }));

const condition = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.record({ kind: fc.constant("compare"), op: comparator, left: operand, right: operand }),
    fc.record({ kind: fc.constant("between"), subject: operand, low: path, high: operand }),
    fc.record({
      kind: fc.constant("in"),
      subject: operand,
      candidates: fc.array(operand, { minLength: 1, maxLength: 4 }),
    }),
    fc.record({ kind: fc.constantFrom("attribute_exists", "attribute_not_exists"), path }),
    fc.record({ kind: fc.constant("attribute_type"), subject: path, type: constant(typeName) }),
    fc.record({ kind: fc.constant("begins_with"), subject: textual, prefix: textual }),
    fc.record({ kind: fc.constant("contains"), subject: operand, member: operand }),
    fc.record({ kind: fc.constant("not"), inner: tie("condition") }),
    fc.record({
      kind: fc.constantFrom("and", "or"),
      left: tie("condition"),
      right: tie("condition"),
    }),
  ) as fc.Arbitrary<Condition>,
})).condition;

/** A printed tree may break a rule of the service (equal operands, say), but never its grammar. */
function acceptable<T>(compile: () => T): T | undefined {
  try {
    return compile();
  } catch (error) {
    expect(error).toBeInstanceOf(ServiceError);
    expect(String(error)).not.toMatch(/Syntax error|redundant|not defined|reserved|function name/);
    return undefined;
  }
}

test("a printed condition is parsed to the same tree", () => {
  let parsed = 0;
  fc.assert(
    fc.property(condition, (tree) => {
      const notation = new PlaceholderNotation();
      const printed = printCondition(tree, notation);
      const compile = () => compileCondition("FilterExpression", printed, notation.placeholders);
      const again = acceptable(compile);
      if (again === undefined) return;
      parsed++;
      expect(anonymous(again)).toEqual(anonymous(tree));
      // What compiles can be evaluated, and its negation is the opposite.
      expect(evaluate({ kind: "not", inner: again }, { a: { S: "x" } })).toBe(
        !evaluate(again, { a: { S: "x" } }),
      );
    }),
    { numRuns: 500 },
  );
  expect(parsed).toBeGreaterThan(250);
});

test("a printed key condition is parsed to the same tree", () => {
  const is = fc.oneof(
    fc.record({ op: fc.constantFrom("=", "<", "<=", ">", ">="), value: fc.oneof(text, number) }),
    fc.record({ op: fc.constant("begins_with"), value: text }),
    number.map((low) => ({ op: "between", low, high: low })),
  );
  const comparisons = fc.uniqueArray(fc.record({ attribute: name, is }), {
    minLength: 1,
    maxLength: 8,
    selector: ({ attribute }) => attribute,
  });
  fc.assert(
    fc.property(comparisons, (comparisons) => {
      const tree = { kind: "key-condition", comparisons } as KeyCondition;
      const notation = new PlaceholderNotation();
      const printed = printKeyCondition(tree, notation);
      expect(compileKeyCondition(printed, notation.placeholders)).toEqual(tree);
    }),
  );
});

test("a printed projection is parsed to the same tree", () => {
  fc.assert(
    fc.property(fc.array(path, { minLength: 1, maxLength: 5 }), (paths) => {
      const tree: Projection = { kind: "projection", paths };
      const notation = new PlaceholderNotation();
      const printed = printProjection(tree, notation);
      const again = acceptable(() => compileProjection(printed, notation.placeholders));
      if (again === undefined) return;
      expect(again).toEqual(tree);
      expect(project(again, {})).toEqual({});
    }),
  );
});

test("a printed update is parsed to the same tree", () => {
  const value = (inner: fc.Arbitrary<AttributeValue>) =>
    constant(inner) as fc.Arbitrary<UpdateValue>;
  const scalar = fc.oneof<fc.Arbitrary<UpdateValue>[]>(path, value(number));
  const optional = fc.record({
    kind: fc.constant("if_not_exists"),
    path,
    otherwise: scalar,
  }) as fc.Arbitrary<UpdateValue>;
  const either = fc.oneof(scalar, optional);
  const set = fc.oneof(
    either,
    value(text),
    fc.record({ kind: fc.constantFrom("plus", "minus"), left: either, right: either }),
    fc.record({ kind: fc.constant("list_append"), left: path, right: path }),
  );
  const members = fc.constant({ SS: ["a", "b"] });
  // As printed: sections in their usual order.
  const actions = fc.tuple(
    fc.array(fc.record({ kind: fc.constant("set"), path, value: set }), { maxLength: 3 }),
    fc.array(fc.record({ kind: fc.constant("remove"), path }), { maxLength: 2 }),
    fc.array(fc.record({ kind: fc.constant("add"), path, value: number }), { maxLength: 2 }),
    fc.array(fc.record({ kind: fc.constant("delete"), path, value: members }), { maxLength: 2 }),
  );
  fc.assert(
    fc.property(actions, (sections) => {
      const tree = { kind: "update", actions: sections.flat() } as Update;
      if (tree.actions.length === 0) return;
      const notation = new PlaceholderNotation();
      const printed = printUpdate(tree, notation);
      const again = acceptable(() => compileUpdate(printed, notation.placeholders));
      if (again !== undefined) expect(anonymous(again)).toEqual(anonymous(tree));
    }),
  );
});

const piece = fc.constantFrom(
  ..."a b.c #n :v :n ( ) ( ) [0] [ ] , . = <> < <= > >= + - AND OR NOT BETWEEN IN SET REMOVE ADD".split(
    " ",
  ),
  ..."DELETE size( contains( begins_with( attribute_exists( attribute_type( if_not_exists( f(".split(
    " ",
  ),
  "status",
  "1",
  "!",
  "_",
  "#",
  "😀",
);
const garbage = fc.oneof(
  fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join(" ")),
  fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join("")),
  fc.string({ maxLength: 60, unit: "grapheme" }),
);

test("no text makes the compiler throw anything but a service error", () => {
  const kinds = ["update", "condition", "keyCondition", "filter", "projection"] as const;
  fc.assert(
    fc.property(fc.constantFrom(...kinds), garbage, (kind, text) => {
      try {
        compileExpressions({
          [kind]: text,
          names: { "#n": "name" },
          values: { ":v": { S: "x" }, ":n": { N: "1" } },
        });
      } catch (error) {
        expect(error).toBeInstanceOf(ServiceError);
      }
    }),
    { numRuns: 3_000 },
  );
});
