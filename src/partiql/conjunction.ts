import type { Condition } from "../expressions/tree.ts";

/** The conditions that an AND joins, in order. */
export function conjunctsOf(condition: Condition | undefined): readonly Condition[] {
  if (condition === undefined) return [];
  if (condition.kind !== "and") return [condition];
  return [...conjunctsOf(condition.left), ...conjunctsOf(condition.right)];
}

/** The same the other way round: undefined if there are none. */
export function conjunctionOf(conditions: readonly Condition[]): Condition | undefined {
  let all: Condition | undefined;
  for (const condition of conditions) {
    all = all === undefined ? condition : { kind: "and", left: all, right: condition };
  }
  return all;
}
