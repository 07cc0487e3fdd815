import type { Item } from "../item/attribute-value.ts";
import { project } from "./project.ts";
import type { Update } from "./tree.ts";

/**
 * What UpdateItem returns for UPDATED_OLD and UPDATED_NEW: the paths that the update names, looked up
 * in the item before or after it, with nothing else of the maps and lists around them. The paths are
 * taken as written. So an element that was appended beyond the end of its list is not found in the
 * new item, and after `REMOVE l[1]` the element that moved up to that place is. Undefined if no path
 * leads to anything, in which case the answer has no Attributes at all.
 */
export function returnedAttributes(
  mode: "UPDATED_OLD" | "UPDATED_NEW",
  update: Update,
  before: Item | undefined,
  after: Item | undefined,
): Item | undefined {
  const item = mode === "UPDATED_OLD" ? before : after;
  if (item === undefined) return undefined;
  const paths = update.actions.map(({ path }) => path);
  const fragments = project({ kind: "projection", paths }, item);
  for (const _ in fragments) return fragments;
  return undefined;
}
