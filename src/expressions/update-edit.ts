import { assert } from "../base/assert.ts";
import { type AttributeValue, attribute, type Item } from "../item/attribute-value.ts";
import type { Path } from "./tree.ts";

/**
 * What an update does to an item, as a tree of the places it touches. All places are positions in
 * the item as it was, and no place lies inside another (overlapping paths are refused when an
 * expression is compiled), so the edits can be carried out in any order.
 */
export type Edit =
  | { readonly kind: "write"; readonly value: AttributeValue }
  | { readonly kind: "remove" }
  | EditInside;

interface EditInside {
  readonly kind: "inside";
  readonly places: Map<string | number, Edit>;
}

/** The edits of top-level attributes. */
export type Edits = Map<string | number, Edit>;

export function addEdit(edits: Edits, path: Path, edit: Edit): void {
  const { steps } = path;
  let places = edits;
  for (let at = 0; at < steps.length - 1; at++) {
    const step = steps[at] as string | number;
    let inside = places.get(step);
    if (inside === undefined) {
      inside = { kind: "inside", places: new Map() };
      places.set(step, inside);
    }
    assert(inside.kind === "inside", "an update with overlapping paths");
    places = inside.places;
  }
  const last = steps[steps.length - 1] as string | number;
  assert(!places.has(last), "an update with overlapping paths");
  places.set(last, edit);
}

/** The item with the edits made; whatever they do not touch is shared with the item given. */
export function editItem(item: Item, edits: Edits): Item {
  if (edits.size === 0) return item;
  const copy: Record<string, AttributeValue> = { ...item };
  for (const [name, edit] of edits) {
    assert(typeof name === "string", "a list index into a map");
    if (edit.kind === "write") setMember(copy, name, edit.value);
    else if (edit.kind === "remove") delete copy[name];
    else setMember(copy, name, editValue(attribute(item, name), edit.places));
  }
  return copy;
}

/** An ordinary assignment to `__proto__` would change the prototype instead of adding a member. */
function setMember(
  record: Record<string, AttributeValue>,
  name: string,
  value: AttributeValue,
): void {
  if (name === "__proto__") {
    Object.defineProperty(record, name, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  } else {
    record[name] = value;
  }
}

function editValue(value: AttributeValue | undefined, places: Edits): AttributeValue {
  if (value !== undefined && "M" in value) return { M: editItem(value.M, places) };
  assert(value !== undefined && "L" in value, "an edit inside a scalar");
  return { L: editList(value.L, places) };
}

/** Writes beyond the end are appended in the order of their indices; the gaps are not kept. */
function editList(list: readonly AttributeValue[], places: Edits): readonly AttributeValue[] {
  const edited: AttributeValue[] = [];
  for (let index = 0; index < list.length; index++) {
    const element = list[index] as AttributeValue;
    const edit = places.get(index);
    if (edit === undefined) edited.push(element);
    else if (edit.kind === "write") edited.push(edit.value);
    else if (edit.kind === "inside") edited.push(editValue(element, edit.places));
  }
  const appended: [number, AttributeValue][] = [];
  for (const [index, edit] of places) {
    assert(typeof index === "number", "a name in a list");
    if (index >= list.length && edit.kind === "write") appended.push([index, edit.value]);
  }
  appended.sort((a, b) => a[0] - b[0]);
  for (const [, value] of appended) edited.push(value);
  return edited;
}
