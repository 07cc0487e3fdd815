import { type ExpressionKind, pathsConflict, pathsOverlap } from "../api/errors/expression.ts";
import { type AttributeValue, attribute, type Item } from "../item/attribute-value.ts";
import type { Path } from "./tree.ts";

/** The value at a path; undefined where the document does not reach. */
export function lookup({ steps }: Path, item: Item): AttributeValue | undefined {
  let value = attribute(item, steps[0]);
  for (let at = 1; at < steps.length && value !== undefined; at++) {
    const step = steps[at] as string | number;
    if (typeof step === "number") value = "L" in value ? value.L[step] : undefined;
    else value = "M" in value ? attribute(value.M, step) : undefined;
  }
  return value;
}

/**
 * No path may be another one or lead into it (overlap), nor take for a list what another takes for a
 * map (conflict). An overlap anywhere is reported before a conflict.
 */
export function checkPathsApart(paths: readonly Path[], kind: ExpressionKind): void {
  if (paths.length < 2) return;
  const seen = new Map<string, Path[]>();
  let conflict: readonly [Path, Path] | undefined;
  for (const path of paths) {
    const others = seen.get(path.steps[0]);
    if (others === undefined) {
      seen.set(path.steps[0], [path]);
      continue;
    }
    for (const other of others) {
      const relation = relate(other, path);
      if (relation === "overlap") throw pathsOverlap(kind, other.steps, path.steps);
      if (relation === "conflict") conflict ??= [other, path];
    }
    others.push(path);
  }
  if (conflict !== undefined) throw pathsConflict(kind, conflict[0].steps, conflict[1].steps);
}

function relate(one: Path, two: Path): "apart" | "overlap" | "conflict" {
  const length = Math.min(one.steps.length, two.steps.length);
  for (let at = 0; at < length; at++) {
    const left = one.steps[at];
    const right = two.steps[at];
    if (typeof left !== typeof right) return "conflict";
    if (left !== right) return "apart";
  }
  return "overlap";
}
