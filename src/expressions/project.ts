import { emptyRecord } from "../base/record.ts";
import { type AttributeValue, attribute, type Item } from "../item/attribute-value.ts";
import type { Projection } from "./tree.ts";

/** What to keep of a value: all of it, or these members and elements. */
type Part = "whole" | MutableParts;
type MutableParts = Map<string | number, Part>;
type Parts = ReadonlyMap<string | number, Part>;

/**
 * The parts of the item that the projection names. Elements of a list keep their order and close
 * ranks; a document of which nothing is left is left out.
 */
export function project(projection: Projection, item: Item): Item {
  return projectMap(item, partsOf(projection));
}

/** One projection is applied to every item of a page. */
const known = new WeakMap<Projection, Parts>();

function partsOf(projection: Projection): Parts {
  const cached = known.get(projection);
  if (cached !== undefined) return cached;
  const parts: MutableParts = new Map();
  for (const { steps } of projection.paths) addPart(parts, steps);
  known.set(projection, parts);
  return parts;
}

function addPart(parts: MutableParts, steps: readonly (string | number)[]): void {
  let inside = parts;
  for (let at = 0; at < steps.length - 1; at++) {
    const step = steps[at] as string | number;
    let next = inside.get(step);
    if (next === undefined) {
      next = new Map();
      inside.set(step, next);
    }
    // A path into something that is kept as a whole adds nothing.
    if (next === "whole") return;
    inside = next;
  }
  inside.set(steps[steps.length - 1] as string | number, "whole");
}

function projectMap(map: Item, parts: Parts): Item {
  const kept = emptyRecord<AttributeValue>();
  for (const [name, part] of parts) {
    if (typeof name !== "string") continue;
    const value = attribute(map, name);
    const projected = value === undefined ? undefined : projectValue(value, part);
    if (projected !== undefined) kept[name] = projected;
  }
  return kept;
}

function projectValue(value: AttributeValue, part: Part): AttributeValue | undefined {
  if (part === "whole") return value;
  if ("M" in value) {
    const map = projectMap(value.M, part);
    for (const _ in map) return { M: map };
    return undefined;
  }
  if (!("L" in value)) return undefined;
  const list = projectList(value.L, part);
  return list.length === 0 ? undefined : { L: list };
}

function projectList(list: readonly AttributeValue[], parts: Parts): AttributeValue[] {
  const indices: number[] = [];
  for (const index of parts.keys()) if (typeof index === "number") indices.push(index);
  indices.sort((one, two) => one - two);
  const kept: AttributeValue[] = [];
  for (const index of indices) {
    const element = list[index];
    if (element === undefined) continue;
    const projected = projectValue(element, parts.get(index) as Part);
    if (projected !== undefined) kept.push(projected);
  }
  return kept;
}
