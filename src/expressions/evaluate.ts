import type { AttributeValue, Item } from "../item/attribute-value.ts";
import { typeOf } from "../item/attribute-value.ts";
import { compareValues, equalValues } from "../item/compare.ts";
import { binarySize } from "../item/size.ts";
import { lookup } from "./path.ts";
import type { Comparator, Comparison, Condition, Operand } from "./tree.ts";

const noItem: Item = Object.freeze({});

/**
 * Whether the item meets the condition; a missing item has no attributes. What cannot be compared (a
 * missing attribute, a wrong type in the item) makes a condition false, never an error, except that
 * `<>` is then true.
 */
export function evaluate(condition: Condition, item: Item | undefined): boolean {
  return holds(condition, item ?? noItem);
}

type Operator = Extract<Condition, { kind: "and" | "or" | "not" }>;

/**
 * Operators whose result is still open are kept in a list and not on the call stack. The right side of
 * an AND or OR takes the place of its operator, whose result it is.
 */
function holds(root: Condition, item: Item): boolean {
  let open: Operator[] | undefined;
  for (let condition = root; ; ) {
    switch (condition.kind) {
      case "and":
      case "or":
        open ??= [];
        open.push(condition);
        condition = condition.left;
        continue;
      case "not":
        open ??= [];
        open.push(condition);
        condition = condition.inner;
        continue;
    }
    let isMet = meets(condition, item);
    let following: Condition | undefined;
    while (following === undefined) {
      const operator = open?.pop();
      if (operator === undefined) return isMet;
      if (operator.kind === "not") isMet = !isMet;
      else if (isMet === (operator.kind === "and")) following = operator.right;
    }
    condition = following;
  }
}

function meets(condition: Comparison, item: Item): boolean {
  switch (condition.kind) {
    case "compare":
      return compares(
        condition.op,
        operandValue(condition.left, item),
        operandValue(condition.right, item),
      );
    case "between":
      return isBetween(
        operandValue(condition.subject, item),
        operandValue(condition.low, item),
        operandValue(condition.high, item),
      );
    case "in":
      return isIn(operandValue(condition.subject, item), condition.candidates, item);
    case "attribute_exists":
      return lookup(condition.path, item) !== undefined;
    case "attribute_not_exists":
      return lookup(condition.path, item) === undefined;
    case "attribute_type":
      return hasType(operandValue(condition.subject, item), operandValue(condition.type, item));
    case "begins_with":
      return beginsWith(
        operandValue(condition.subject, item),
        operandValue(condition.prefix, item),
      );
    case "contains":
      return contains(operandValue(condition.subject, item), operandValue(condition.member, item));
  }
}

function operandValue(operand: Operand, item: Item): AttributeValue | undefined {
  switch (operand.kind) {
    case "path":
      return lookup(operand, item);
    case "value":
      return operand.value;
    case "size": {
      const value = operandValue(operand.of, item);
      const size = value === undefined ? undefined : sizeOf(value);
      return size === undefined ? undefined : { N: String(size) };
    }
  }
}

/** UTF-16 code units of a text, bytes of a binary, elements of the rest; scalars have no size. */
function sizeOf(value: AttributeValue): number | undefined {
  if ("S" in value) return value.S.length;
  if ("B" in value) return binarySize(value.B);
  if ("L" in value) return value.L.length;
  if ("M" in value) return Object.keys(value.M).length;
  if ("SS" in value) return value.SS.length;
  if ("NS" in value) return value.NS.length;
  if ("BS" in value) return value.BS.length;
  return undefined;
}

function compares(
  op: Comparator,
  left: AttributeValue | undefined,
  right: AttributeValue | undefined,
): boolean {
  if (left === undefined || right === undefined) return op === "<>";
  if (op === "=") return equalValues(left, right);
  if (op === "<>") return !equalValues(left, right);
  const order = compareValues(left, right);
  if (order === undefined) return false;
  switch (op) {
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
  }
}

function isBetween(
  subject: AttributeValue | undefined,
  low: AttributeValue | undefined,
  high: AttributeValue | undefined,
): boolean {
  return compares(">=", subject, low) && compares("<=", subject, high);
}

function isIn(
  subject: AttributeValue | undefined,
  candidates: readonly Operand[],
  item: Item,
): boolean {
  if (subject === undefined) return false;
  for (const candidate of candidates) {
    if (compares("=", subject, operandValue(candidate, item))) return true;
  }
  return false;
}

function hasType(subject: AttributeValue | undefined, type: AttributeValue | undefined): boolean {
  if (subject === undefined || type === undefined) return false;
  return "S" in type && typeOf(subject) === type.S;
}

function beginsWith(
  subject: AttributeValue | undefined,
  prefix: AttributeValue | undefined,
): boolean {
  if (subject === undefined || prefix === undefined) return false;
  if ("S" in subject && "S" in prefix) return subject.S.startsWith(prefix.S);
  if ("B" in subject && "B" in prefix) {
    const bytes = Buffer.from(prefix.B, "base64");
    return Buffer.from(subject.B, "base64").subarray(0, bytes.length).equals(bytes);
  }
  return false;
}

/** A part of a text or binary, a member of a set, an element of a list. */
function contains(
  subject: AttributeValue | undefined,
  member: AttributeValue | undefined,
): boolean {
  if (subject === undefined || member === undefined) return false;
  if ("L" in subject) return subject.L.some((element) => equalValues(element, member));
  if ("S" in member) {
    if ("S" in subject) return subject.S.includes(member.S);
    return "SS" in subject && subject.SS.includes(member.S);
  }
  if ("N" in member) return "NS" in subject && subject.NS.includes(member.N);
  if ("B" in member) {
    if ("B" in subject) {
      return Buffer.from(subject.B, "base64").includes(Buffer.from(member.B, "base64"));
    }
    return "BS" in subject && subject.BS.includes(member.B);
  }
  return false;
}
