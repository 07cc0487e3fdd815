import {
  comparisonArgumentCount,
  comparisonArgumentType,
  comparisonArgumentTypesDiffer,
  comparisonBoundsReversed,
} from "../api/errors/legacy.ts";
import type { ComparisonOperator } from "../api/requests/shared.ts";
import { unreachable } from "../base/assert.ts";
import { type AttributeType, type AttributeValue, typeOf } from "../item/attribute-value.ts";
import { compareValues } from "../item/compare.ts";
import type { Comparator, Condition, Constant, Path } from "./tree.ts";

/** The operators of the parameters before expressions: their arguments and their meaning. */

interface Rule {
  readonly argumentsMin: number;
  readonly argumentsMax: number;
  /** The types an argument may have; undefined: all. */
  readonly types: ReadonlySet<AttributeType> | undefined;
}

const ordered: ReadonlySet<AttributeType> = new Set<AttributeType>(["S", "N", "B"]);
const scalars: ReadonlySet<AttributeType> = new Set<AttributeType>([...ordered, "BOOL", "NULL"]);
const prefixes: ReadonlySet<AttributeType> = new Set<AttributeType>(["S", "B"]);

function rule(argumentsMin: number, argumentsMax: number, types?: Rule["types"]): Rule {
  return { argumentsMin, argumentsMax, types };
}

const rules: Readonly<Record<ComparisonOperator, Rule>> = {
  EQ: rule(1, 1),
  NE: rule(1, 1),
  LE: rule(1, 1, ordered),
  LT: rule(1, 1, ordered),
  GE: rule(1, 1, ordered),
  GT: rule(1, 1, ordered),
  BETWEEN: rule(2, 2, ordered),
  IN: rule(1, Number.POSITIVE_INFINITY, ordered),
  BEGINS_WITH: rule(1, 1, prefixes),
  CONTAINS: rule(1, 1, scalars),
  NOT_CONTAINS: rule(1, 1, scalars),
  NULL: rule(0, 0),
  NOT_NULL: rule(0, 0),
};

/** In the service's order: how many arguments, of one type, of the right type, bounds in order. */
export function checkComparison(
  operator: ComparisonOperator,
  values: readonly AttributeValue[],
): void {
  const { argumentsMin, argumentsMax, types } = rules[operator];
  if (values.length < argumentsMin || values.length > argumentsMax) {
    throw comparisonArgumentCount(operator);
  }
  const [first, second] = values;
  if (first === undefined) return;
  const type = typeOf(first);
  if (values.some((value) => typeOf(value) !== type)) throw comparisonArgumentTypesDiffer();
  if (types !== undefined && !types.has(type)) throw comparisonArgumentType(operator, type);
  if (operator === "BETWEEN" && second !== undefined && (compareValues(first, second) ?? 0) > 0) {
    throw comparisonBoundsReversed();
  }
}

/** Attribute names in these parameters are never paths: a dot in one is part of the name. */
export function attributePath(name: string): Path {
  return { kind: "path", steps: [name] };
}

/** The condition that a checked comparison means. */
export function comparisonCondition(
  name: string,
  operator: ComparisonOperator,
  values: readonly AttributeValue[],
): Condition {
  const path = attributePath(name);
  switch (operator) {
    case "EQ":
    case "NE":
    case "LE":
    case "LT":
    case "GE":
    case "GT":
      return {
        kind: "compare",
        op: comparators[operator],
        left: path,
        right: argument(values, 0),
      };
    case "BETWEEN":
      return {
        kind: "between",
        subject: path,
        low: argument(values, 0),
        high: argument(values, 1),
      };
    case "IN":
      return { kind: "in", subject: path, candidates: values.map(constant) };
    case "BEGINS_WITH":
      return { kind: "begins_with", subject: path, prefix: argument(values, 0) };
    case "CONTAINS":
      return { kind: "contains", subject: path, member: argument(values, 0) };
    case "NOT_CONTAINS":
      // Unlike NOT contains(…) in an expression, it is false for an attribute that is missing.
      return {
        kind: "and",
        left: { kind: "attribute_exists", path },
        right: {
          kind: "not",
          inner: { kind: "contains", subject: path, member: argument(values, 0) },
        },
      };
    // Despite their names these ask whether there is an attribute, not whether it is of type NULL.
    case "NULL":
      return { kind: "attribute_not_exists", path };
    case "NOT_NULL":
      return { kind: "attribute_exists", path };
    default:
      return unreachable(operator);
  }
}

const comparators = {
  EQ: "=",
  NE: "<>",
  LE: "<=",
  LT: "<",
  GE: ">=",
  GT: ">",
} as const satisfies Record<string, Comparator>;

function constant(value: AttributeValue): Constant {
  return { kind: "value", value };
}

function argument(values: readonly AttributeValue[], at: number): Constant {
  return constant(values[at] as AttributeValue);
}
