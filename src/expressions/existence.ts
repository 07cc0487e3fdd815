import type { Condition, Path } from "./tree.ts";

/**
 * The verdict of a condition that asks for nothing but the existence of attributes which every item
 * has: its keys. That is the most frequent condition of all, and needs no item to be parsed.
 * Undefined if the condition asks for more than that.
 */
export function evaluateExistence(
  condition: Condition,
  isKey: (name: string) => boolean,
  exists: boolean,
): boolean | undefined {
  switch (condition.kind) {
    case "attribute_exists":
      return isKeyPath(condition.path, isKey) ? exists : undefined;
    case "attribute_not_exists":
      return isKeyPath(condition.path, isKey) ? !exists : undefined;
    case "and": {
      const left = evaluateExistence(condition.left, isKey, exists);
      if (left === undefined) return undefined;
      return left ? evaluateExistence(condition.right, isKey, exists) : false;
    }
    default:
      return undefined;
  }
}

function isKeyPath({ steps }: Path, isKey: (name: string) => boolean): boolean {
  return steps.length === 1 && isKey(steps[0]);
}
