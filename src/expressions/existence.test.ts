import { expect, test } from "vitest";
import { compileCondition } from "./condition-resolve.ts";
import { evaluate } from "./evaluate.ts";
import { evaluateExistence } from "./existence.ts";
import { Placeholders } from "./parser.ts";

const isKey = (name: string) => name === "pk" || name === "sk";
const item = { pk: { S: "a" }, sk: { S: "b" }, x: { M: { pk: { S: "c" } } } };

const decided = [
  "attribute_exists(pk)",
  "attribute_not_exists(sk)",
  "attribute_exists(pk) AND attribute_exists(sk)",
  "attribute_exists(pk) AND attribute_not_exists(sk)",
  "attribute_not_exists(pk) AND attribute_not_exists(sk)",
];

test.each(decided)("%s is decided as by the whole item", (text) => {
  const condition = compileCondition(
    "ConditionExpression",
    text,
    new Placeholders(undefined, undefined),
  );
  expect(evaluateExistence(condition, isKey, true)).toBe(evaluate(condition, item));
  expect(evaluateExistence(condition, isKey, false)).toBe(evaluate(condition, undefined));
});

test.each([
  "attribute_exists(x)",
  "attribute_not_exists(y)",
  "attribute_exists(x.pk)",
  "attribute_exists(pk) AND attribute_exists(x)",
  "attribute_exists(x) AND attribute_exists(pk)",
  "attribute_exists(pk) OR attribute_exists(sk)",
  "NOT attribute_exists(pk)",
  "pk = sk",
])("%s needs the item", (text) => {
  const condition = compileCondition(
    "ConditionExpression",
    text,
    new Placeholders(undefined, undefined),
  );
  expect(evaluateExistence(condition, isKey, true)).toBeUndefined();
});
