import type { Attribute, Predicate } from "../../model/requirements.ts";
import type { WriteAction } from "../plans/plan.ts";
import type { StoredRecord } from "../records/record.ts";
import type { EntityValues } from "../values/render-key.ts";
import { resultFor, type Sources } from "./combinations.ts";
import { allOf, type Placeholders, type StoredPath } from "./expression.ts";
import { parameterValue } from "./given.ts";
import { predicateText } from "./predicate.ts";
import { innerPath, storedName } from "./stored-names.ts";

/**
 * What must hold for a write: the pattern's condition, and what it asks beyond the key. Of what lies inside of an item, that item
 * must be there as well.
 */
export function conditionText(
  action: WriteAction,
  sources: Sources,
  known: EntityValues,
  placeholders: Placeholders,
): string | undefined {
  const { record, inner, equal = [], asRead } = action;
  const { entity } = inner ?? record;
  const { condition, also } = inner ?? action;
  const host = record.table.partition.name;
  const path = inner && innerPath(inner, sources);
  const here = path ?? host;
  const exists = (place: StoredPath): string => `attribute_exists(${placeholders.name(place)})`;
  const absent = (place: StoredPath): string => `attribute_not_exists(${placeholders.name(place)})`;
  const placeOf = (attribute: string): StoredPath => {
    const place = path === undefined ? storedName(record, attribute) : [...path, attribute];
    if (place === undefined) throw new Error(`${record.name} does not store ${attribute}`);
    return place;
  };
  const parts = inner === undefined ? [] : [exists(host)];
  if (condition?.kind === "absent") parts.push(absent(here));
  else if (condition?.kind === "exists" || inner?.kind === "update") parts.push(exists(here));
  if (condition?.kind === "version") {
    const name = placeholders.name(placeOf(condition.attribute));
    const version = parameterValue(sources.given, condition.attribute);
    parts.push(`${name} = ${placeholders.value(version)}`);
  }
  const where = condition?.kind === "where" ? condition.predicates : [];
  for (const predicate of [...also, ...where]) {
    const attribute = entity.attributes.get(predicate.attribute) as Attribute;
    const place = isKeyed(record, predicate) && path === undefined ? host : placeOf(attribute.name);
    parts.push(predicateText(predicate, attribute, place, sources.given, placeholders));
  }
  for (const name of equal) {
    const value = known.get(name);
    const place = placeholders.name(placeOf(name));
    if (value !== undefined) parts.push(`${place} = ${placeholders.value(value)}`);
  }
  if (asRead !== undefined) {
    const { attributes, request } = asRead;
    const found = resultFor(sources, request);
    const isThere = (name: string): boolean => found?.values.has(name) === true;
    // An item that holds none of it is still there.
    if (found === undefined) parts.push(absent(host));
    else if (!attributes.some(isThere)) parts.push(exists(host));
    for (const name of found === undefined ? [] : attributes) {
      const value = found?.values.get(name);
      const place = placeOf(name);
      if (value === undefined) parts.push(absent(place));
      else parts.push(`${placeholders.name(place)} = ${placeholders.value(value)}`);
    }
  }
  return allOf([...new Set(parts)]);
}

/** A part of the id that only the key holds is there whenever the item is. */
function isKeyed(record: StoredRecord, { attribute, operator }: Predicate): boolean {
  return (
    operator === "exists" &&
    record.entity.id.includes(attribute) &&
    storedName(record, attribute) === undefined
  );
}
