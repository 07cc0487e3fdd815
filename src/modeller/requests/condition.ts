import type { Attribute } from "../../model/requirements.ts";
import type { WriteAction } from "../plans/plan.ts";
import { resultFor, type Sources } from "./combinations.ts";
import { allOf, type Placeholders } from "./expression.ts";
import { MissingValueError } from "./given.ts";
import { predicateText } from "./predicate.ts";
import type { Found } from "./run.ts";
import { storedName } from "./stored-names.ts";

/** What must hold for a write: the pattern's condition, and what it asks beyond the key. */
export function conditionText(
  { record, condition, also, asRead }: WriteAction,
  sources: Sources,
  from: Found | undefined,
  placeholders: Placeholders,
): string | undefined {
  const { given } = sources;
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
    const isId = stored === undefined && record.entity.id.includes(predicate.attribute);
    const name = isId && predicate.operator === "exists" ? partition : stored;
    if (name !== undefined)
      parts.push(predicateText(predicate, attribute, name, given, placeholders));
  }
  const found = asRead && resultFor(sources, asRead.request, from);
  for (const attribute of asRead?.attributes ?? []) {
    const name = placeholders.name(storedName(record, attribute) ?? attribute);
    const value = found?.values.get(attribute);
    const isSame = value && `${name} = ${placeholders.value(value)}`;
    parts.push(isSame ?? `attribute_not_exists(${name})`);
  }
  return allOf([...new Set(parts)]);
}
