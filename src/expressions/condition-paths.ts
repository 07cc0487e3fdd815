import { foldLogical } from "./logical-tree.ts";
import type { Comparison, Condition, Operand, Path } from "./tree.ts";

/** All paths that a condition reads, as written. */
export function pathsOf(condition: Condition): Path[] {
  const paths: Path[] = [];
  foldLogical(condition, {
    leaf: (comparison: Comparison) => collect(comparison, paths),
    not: () => {},
    join: () => {},
  });
  return paths;
}

function collect(condition: Comparison, paths: Path[]): void {
  switch (condition.kind) {
    case "attribute_exists":
    case "attribute_not_exists":
      paths.push(condition.path);
      return;
    default:
      for (const operand of operandsOf(condition)) {
        const inner = operand.kind === "size" ? operand.of : operand;
        if (inner.kind === "path") paths.push(inner);
      }
  }
}

type Compared = Exclude<Comparison, { kind: "attribute_exists" | "attribute_not_exists" }>;

function operandsOf(condition: Compared): readonly Operand[] {
  switch (condition.kind) {
    case "compare":
      return [condition.left, condition.right];
    case "between":
      return [condition.subject, condition.low, condition.high];
    case "in":
      return [condition.subject, ...condition.candidates];
    case "attribute_type":
      return [condition.subject, condition.type];
    case "begins_with":
      return [condition.subject, condition.prefix];
    case "contains":
      return [condition.subject, condition.member];
  }
}
