import { conjunctsOf } from "./logical-tree.ts";
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
      let verdict: boolean | undefined = true;
      for (const conjunct of conjunctsOf(condition)) {
        verdict = evaluateExistence(conjunct, isKey, exists);
        if (verdict !== true) break;
      }
      return verdict;
    }
    default:
      return undefined;
  }
}

function isKeyPath({ steps }: Path, isKey: (name: string) => boolean): boolean {
  return steps.length === 1 && isKey(steps[0]);
}
