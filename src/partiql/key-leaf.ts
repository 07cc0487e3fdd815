import type { Comparator, Condition, KeyComparison, Operand } from "../expressions/tree.ts";
import type { AttributeValue } from "../item/attribute-value.ts";

/** A condition on one attribute by itself, as a key condition could have it. */
export interface KeyLeaf {
  readonly attribute: string;
  /** Of several one is enough, as IN has it. */
  readonly anyOf: readonly KeyComparison[];
}

const mirrored: Readonly<Record<Comparator, Comparator>> = {
  "=": "=",
  "<>": "<>",
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
};

export function keyLeafOf(condition: Condition): KeyLeaf | undefined {
  switch (condition.kind) {
    case "compare":
      return (
        compared(condition.op, condition.left, condition.right) ??
        compared(mirrored[condition.op], condition.right, condition.left)
      );
    case "between": {
      const attribute = attributeOf(condition.subject);
      const [low, high] = [constantOf(condition.low), constantOf(condition.high)];
      if (attribute === undefined || low === undefined || high === undefined) return undefined;
      return { attribute, anyOf: [{ op: "between", low, high }] };
    }
    case "begins_with": {
      const attribute = attributeOf(condition.subject);
      const value = constantOf(condition.prefix);
      if (attribute === undefined || value === undefined) return undefined;
      return { attribute, anyOf: [{ op: "begins_with", value }] };
    }
    case "in": {
      const attribute = attributeOf(condition.subject);
      const anyOf: KeyComparison[] = [];
      for (const candidate of condition.candidates) {
        const value = constantOf(candidate);
        if (value === undefined) return undefined;
        anyOf.push({ op: "=", value });
      }
      return attribute === undefined ? undefined : { attribute, anyOf };
    }
    default:
      return undefined;
  }
}

function compared(op: Comparator, subject: Operand, other: Operand): KeyLeaf | undefined {
  const attribute = attributeOf(subject);
  const value = constantOf(other);
  if (attribute === undefined || value === undefined || op === "<>") return undefined;
  return { attribute, anyOf: [{ op, value }] };
}

function attributeOf(operand: Operand): string | undefined {
  return operand.kind === "path" && operand.steps.length === 1 ? operand.steps[0] : undefined;
}

function constantOf(operand: Operand): AttributeValue | undefined {
  return operand.kind === "value" ? operand.value : undefined;
}
