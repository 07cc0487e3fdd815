import {
  keyConditionNested,
  keyConditionNestedAttribute,
  keyConditionNoName,
  keyConditionOperator,
  keyConditionRepeated,
  keyConditionSeveralNames,
  keyNotFirstOperand,
} from "../api/errors/expression.ts";
import { unreachable } from "../base/assert.ts";
import type { AttributeValue } from "../item/attribute-value.ts";
import { compileCondition } from "./condition-resolve.ts";
import { type Conjunct, conjunctsOf } from "./logical-tree.ts";
import type { Placeholders } from "./parser.ts";
import type {
  Comparator,
  Comparison,
  Condition,
  KeyComparison,
  KeyCondition,
  Operand,
} from "./tree.ts";

const kind = "KeyConditionExpression";

/** A key condition has the grammar of all conditions; what it may not say is judged afterwards. */
export function compileKeyCondition(text: string, placeholders: Placeholders): KeyCondition {
  return keyConditionOf(compileCondition(kind, text, placeholders));
}

type Entry = KeyCondition["comparisons"][number];

/** The comparisons of single key attributes with constants that the condition consists of. */
export function keyConditionOf(condition: Condition): KeyCondition {
  const comparisons: Entry[] = [];
  const names = new Set<string>();
  for (const part of conjunctsOf(condition)) {
    const entry = keyEntry(part);
    if (names.has(entry.attribute)) throw keyConditionRepeated();
    names.add(entry.attribute);
    comparisons.push(entry);
  }
  return { kind: "key-condition", comparisons };
}

function keyEntry(part: Conjunct<Comparison>): Entry {
  switch (part.kind) {
    case "or":
    case "not":
    case "in":
      throw keyConditionOperator(part.kind.toUpperCase());
    case "attribute_exists":
    case "attribute_not_exists":
    case "attribute_type":
    case "contains":
      throw keyConditionOperator(part.kind);
    case "compare":
      return compareEntry(part.op, part.left, part.right);
    case "between": {
      if (part.subject.kind !== "path") throw keyNotFirstOperand("BETWEEN");
      const { attribute, values } = nameAndValues([part.subject, part.low, part.high]);
      const [low, high] = values as [AttributeValue, AttributeValue];
      return { attribute, is: { op: "between", low, high } };
    }
    case "begins_with": {
      if (part.subject.kind !== "path") throw keyNotFirstOperand("begins_with");
      const { attribute, values } = nameAndValues([part.subject, part.prefix]);
      return { attribute, is: { op: "begins_with", value: values[0] as AttributeValue } };
    }
    default:
      return unreachable(part);
  }
}

/** The value may stand on the left: `:v < a` says `a > :v`. */
const mirrored = { "=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<=" } as const;

function compareEntry(op: Comparator, left: Operand, right: Operand): Entry {
  if (op === "<>") throw keyConditionOperator(op);
  const { attribute, values } = nameAndValues([left, right]);
  const value = values[0] as AttributeValue;
  const is: KeyComparison = { op: left.kind === "path" ? op : mirrored[op], value };
  return { attribute, is };
}

/** Exactly one of the operands is an attribute, and that at the top level. */
function nameAndValues(operands: readonly Operand[]): {
  attribute: string;
  values: AttributeValue[];
} {
  let attribute: string | undefined;
  const values: AttributeValue[] = [];
  for (const operand of operands) {
    if (operand.kind === "size") throw keyConditionNested();
    if (operand.kind === "value") {
      values.push(operand.value);
      continue;
    }
    if (attribute !== undefined) throw keyConditionSeveralNames();
    if (operand.steps.length > 1) throw keyConditionNestedAttribute();
    attribute = operand.steps[0];
  }
  if (attribute === undefined) throw keyConditionNoName();
  return { attribute, values };
}
