import type { Condition } from "../expressions/tree.ts";

/** The conditions joined with AND: undefined if there are none. */
export function conjunctionOf(conditions: readonly Condition[]): Condition | undefined {
  let all: Condition | undefined;
  for (const condition of conditions) {
    all = all === undefined ? condition : { kind: "and", left: all, right: condition };
  }
  return all;
}
