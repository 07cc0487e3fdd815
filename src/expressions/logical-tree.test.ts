import { expect, test } from "vitest";
import { pathsOf } from "./condition-paths.ts";
import { evaluate } from "./evaluate.ts";
import { evaluateExistence } from "./existence.ts";
import { keyConditionOf } from "./key-condition-parser.ts";
import { conjunctsOf, foldLogical } from "./logical-tree.ts";
import { printCondition } from "./printer.ts";
import type { Comparison, Condition } from "./tree.ts";

/** Ten times what a call stack of the usual size holds. */
const depth = 100_000;

const exists = (name: string): Comparison => ({
  kind: "attribute_exists",
  path: { kind: "path", steps: [name] },
});

type Grow = (tree: Condition, name: string) => Condition;

function grow(step: Grow): Condition {
  let tree: Condition = exists("a0");
  for (let at = 1; at < depth; at++) tree = step(tree, `a${at}`);
  return tree;
}

const shapes: Readonly<Record<string, Grow>> = {
  "AND to the left": (left, name) => ({ kind: "and", left, right: exists(name) }),
  "AND to the right": (right, name) => ({ kind: "and", left: exists(name), right }),
  "OR to the left": (left, name) => ({ kind: "or", left, right: exists(name) }),
  "OR to the right": (right, name) => ({ kind: "or", left: exists(name), right }),
  "NOT and AND": (inner, name) => ({
    kind: "and",
    left: { kind: "not", inner },
    right: exists(name),
  }),
  "AND in OR": (tree, name) => ({
    kind: "or",
    left: exists(name),
    right: { kind: "and", left: tree, right: exists(name) },
  }),
};

test.each(Object.entries(shapes))("walks over %s, 100,000 levels deep", (_name, step) => {
  const condition = grow(step);
  const leaves = foldLogical<Comparison, number>(condition, {
    leaf: () => 1,
    not: (inner) => inner,
    join: (_kind, left, right) => left + right,
  });
  expect(pathsOf(condition)).toHaveLength(leaves);
  expect(printCondition(condition).match(/attribute_exists/g)).toHaveLength(leaves);
  expect(evaluate(condition, {})).toBe(false);
  expect(conjunctsOf(condition).length).toBeGreaterThan(0);
  expect(evaluateExistence(condition, () => true, true)).toSatisfy(
    (verdict) => verdict === undefined || verdict === true,
  );
  expect(() => keyConditionOf(condition)).toThrow(/KeyConditionExpression/);
});

test("visits leaves in the order in which they are written", () => {
  const names: string[] = [];
  const condition: Condition = {
    kind: "or",
    left: { kind: "and", left: exists("a"), right: { kind: "not", inner: exists("b") } },
    right: { kind: "and", left: exists("c"), right: exists("d") },
  };
  const text = foldLogical<Comparison, string>(condition, {
    leaf: (leaf) => {
      const [name = ""] = pathsOf(leaf).flatMap(({ steps }) => steps.map(String));
      names.push(name);
      return name;
    },
    not: (inner) => `!${inner}`,
    join: (kind, left, right) => `(${left} ${kind} ${right})`,
  });
  expect(names).toEqual(["a", "b", "c", "d"]);
  expect(text).toBe("((a and !b) or (c and d))");
});

test("evaluates the right side only if the left one does not decide", () => {
  const read: string[] = [];
  const item = new Proxy({} as Record<string, { readonly N: string }>, {
    getOwnPropertyDescriptor: (_target, name) => {
      read.push(String(name));
      return { value: { N: "1" }, configurable: true, enumerable: true, writable: true };
    },
    get: () => ({ N: "1" }),
  });
  const not = (inner: Condition): Condition => ({ kind: "not", inner });
  const both = (left: Condition, right: Condition): Condition => ({ kind: "and", left, right });
  const either = (left: Condition, right: Condition): Condition => ({ kind: "or", left, right });
  const isMet = evaluate(
    either(both(not(exists("a")), exists("b")), either(exists("c"), exists("d"))),
    item,
  );
  expect(isMet).toBe(true);
  expect(read).toEqual(["a", "c"]);
});
