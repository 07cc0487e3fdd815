import { type AttributeValue, attribute, type Item } from "../item/attribute-value.ts";
import type { Update } from "./tree.ts";
import { setMember } from "./update-edit.ts";

/** Places in an item: true is the whole value there. */
type Places = Map<string | number, Places | true>;

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
  return mapFragment(item, placesOf(update));
}

function placesOf({ actions }: Update): Places {
  const root: Places = new Map();
  for (const { path } of actions) {
    let places = root;
    const last = path.steps.length - 1;
    for (const [at, step] of path.steps.entries()) {
      const inner = places.get(step);
      if (inner === true) break;
      if (at === last) {
        places.set(step, true);
      } else if (inner === undefined) {
        const made: Places = new Map();
        places.set(step, made);
        places = made;
      } else {
        places = inner;
      }
    }
  }
  return root;
}

function mapFragment(map: Item, places: Places): Item | undefined {
  let found: Record<string, AttributeValue> | undefined;
  for (const [name, inner] of places) {
    if (typeof name !== "string") continue;
    const value = fragment(attribute(map, name), inner);
    if (value === undefined) continue;
    found ??= {};
    setMember(found, name, value);
  }
  return found;
}

/** The elements close up, in the order in which they stand in the list. */
function listFragment(
  list: readonly AttributeValue[],
  places: Places,
): AttributeValue[] | undefined {
  const found: [number, AttributeValue][] = [];
  for (const [index, inner] of places) {
    if (typeof index !== "number") continue;
    const value = fragment(list[index], inner);
    if (value !== undefined) found.push([index, value]);
  }
  if (found.length === 0) return undefined;
  return found.sort((a, b) => a[0] - b[0]).map(([, value]) => value);
}

function fragment(
  value: AttributeValue | undefined,
  places: Places | true,
): AttributeValue | undefined {
  if (value === undefined || places === true) return value;
  if ("M" in value) {
    const map = mapFragment(value.M, places);
    return map === undefined ? undefined : { M: map };
  }
  if ("L" in value) {
    const list = listFragment(value.L, places);
    return list === undefined ? undefined : { L: list };
  }
  return undefined;
}
