import { updateOperandMissing, updateOperandType } from "../api/errors/expression.ts";
import { numberInvalid } from "../api/errors/value.ts";
import { unreachable } from "../base/assert.ts";
import { type AttributeValue, type Item, typeOf } from "../item/attribute-value.ts";
import { addNumbers, type NumberProblem, subtractNumbers } from "../item/number.ts";
import { lookup } from "./path.ts";
import type { UpdateValue } from "./tree.ts";
import { setDifference, setUnion } from "./update-sets.ts";

/** The right-hand side of a SET, with all reads from `item`. */
export function evaluateUpdateValue(value: UpdateValue, item: Item): AttributeValue {
  switch (value.kind) {
    case "value":
      return value.value;
    case "path": {
      const found = lookup(value, item);
      if (found === undefined) throw updateOperandMissing();
      return found;
    }
    case "if_not_exists":
      return lookup(value.path, item) ?? evaluateUpdateValue(value.otherwise, item);
    case "plus":
    case "minus": {
      const left = evaluateUpdateValue(value.left, item);
      if (!("N" in left)) throw updateOperandType();
      const right = evaluateUpdateValue(value.right, item);
      if (!("N" in right)) throw updateOperandType();
      const calculate = value.kind === "plus" ? addNumbers : subtractNumbers;
      return storable(calculate(left.N, right.N));
    }
    case "list_append": {
      const left = evaluateUpdateValue(value.left, item);
      if (!("L" in left)) throw updateOperandType();
      const right = evaluateUpdateValue(value.right, item);
      if (!("L" in right)) throw updateOperandType();
      return { L: left.L.concat(right.L) };
    }
    default:
      return unreachable(value);
  }
}

/** What ADD makes of the value that is there; undefined if the two do not add up. */
export function added(existing: AttributeValue, value: AttributeValue): AttributeValue | undefined {
  if ("N" in existing && "N" in value) return storable(addNumbers(existing.N, value.N));
  // Only AttributeUpdates can ask for this; expressions refuse a list as the operand of ADD.
  if ("L" in existing && "L" in value) return { L: existing.L.concat(value.L) };
  return typeOf(existing) === typeOf(value) ? setUnion(existing, value) : undefined;
}

/**
 * What DELETE leaves of the set that is there: the same set if it had none of the members, "empty"
 * if it had no others; undefined if the two are not sets of one type.
 */
export function deleted(
  existing: AttributeValue,
  value: AttributeValue,
): AttributeValue | "empty" | undefined {
  return typeOf(existing) === typeOf(value) ? setDifference(existing, value) : undefined;
}

function storable(result: string | NumberProblem): AttributeValue {
  if (typeof result !== "string") throw numberInvalid(result, "", "current");
  return { N: result };
}
