import type { Attribute } from "../../model/requirements.ts";
import type { WriteAction } from "../plans/plan.ts";
import { allOf, type Placeholders } from "./expression.ts";
import { type Given, MissingValueError } from "./given.ts";
import { predicateText } from "./predicate.ts";
import { storedName } from "./stored-names.ts";

/** What must hold for a write: the pattern's condition, and what it asks beyond the key. */
export function conditionText(
  { record, condition, also }: WriteAction,
  given: Given,
  placeholders: Placeholders,
): string | undefined {
  const { attributes } = record.entity;
  const partition = record.table.partition.name;
  const parts: string[] = [];
  const predicates = [...also, ...(condition?.kind === "where" ? condition.predicates : [])];
  if (condition?.kind === "absent")
    parts.push(`attribute_not_exists(${placeholders.name(partition)})`);
  if (condition?.kind === "exists") parts.push(`attribute_exists(${placeholders.name(partition)})`);
  if (condition?.kind === "version") {
    const name = storedName(record, condition.attribute) ?? condition.attribute;
    const [version] = given.parameters.get(condition.attribute) ?? [];
    if (version === undefined) {
      throw new MissingValueError(`the parameter '${condition.attribute}' is not given`);
    }
    parts.push(`${placeholders.name(name)} = ${placeholders.value(version)}`);
  }
  for (const predicate of predicates) {
    const attribute = attributes.get(predicate.attribute) as Attribute;
    const stored = storedName(record, predicate.attribute);
    if (stored !== undefined)
      parts.push(predicateText(predicate, attribute, stored, given, placeholders));
  }
  return allOf(parts);
}
