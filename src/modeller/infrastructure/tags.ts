import type { Table } from "../../model/design.ts";
import { tagKeyMax, tagsMax, tagValueMax } from "./service-limits.ts";

/** Said when it is deployed, so a design's own tags of these names are not needed. */
const ours = ["Project", "Environment"];

const allowed = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u;

/** The tags of a table that AWS takes. */
export function tagsOf({ tags }: Table): ReadonlyMap<string, string> {
  const taken = [...tags].filter((tag) => !ours.includes(tag[0]) && isTaken(tag));
  return new Map(taken.slice(0, tagsMax - ours.length));
}

/** Those that it refuses, and why. */
export function refusedTags(table: Table): readonly string[] {
  const there = tagsOf(table);
  return [...table.tags].flatMap((tag) => {
    const [key] = tag;
    if (there.has(key) || ours.includes(key)) return [];
    const why = isTaken(tag)
      ? `a table has ${tagsMax} at most`
      : "AWS takes letters, digits, spaces and _ . : / = + - @ in them, 128 in a key and 256 in a value";
    return [`The tag ${key} of ${table.name} is not in it: ${why}.`];
  });
}

function isTaken([key, value]: readonly [string, string]): boolean {
  if (key.length === 0 || key.length > tagKeyMax || value.length > tagValueMax) return false;
  return allowed.test(key) && allowed.test(value) && !/^aws:/i.test(key);
}
