import type { Attribute } from "../../model/requirements.ts";
import type { WriteAction } from "../plans/plan.ts";
import type { StoredRecord } from "../records/record.ts";
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
    if (name === undefined) throw new Error(`${record.name} does not store ${predicate.attribute}`);
    parts.push(predicateText(predicate, attribute, name, given, placeholders));
  }
  if (asRead !== undefined)
    parts.push(
      ...unchangedTexts(
        record,
        asRead.attributes,
        resultFor(sources, asRead.request, from),
        placeholders,
      ),
    );
  return allOf([...new Set(parts)]);
}

/** An item is as it was read, or still not there. */
function unchangedTexts(
  record: StoredRecord,
  attributes: readonly string[],
  found: Found | undefined,
  placeholders: Placeholders,
): readonly string[] {
  const partition = record.table.partition.name;
  if (found === undefined) return [`attribute_not_exists(${placeholders.name(partition)})`];
  if (attributes.every((name) => !found.values.has(name))) {
    const texts = [`attribute_exists(${placeholders.name(partition)})`];
    return [
      ...texts,
      ...attributes.map(
        (name) => `attribute_not_exists(${placeholders.name(storedName(record, name) ?? name)})`,
      ),
    ];
  }
  return attributes.map((attribute) => {
    const name = placeholders.name(storedName(record, attribute) ?? attribute);
    const value = found.values.get(attribute);
    return value === undefined
      ? `attribute_not_exists(${name})`
      : `${name} = ${placeholders.value(value)}`;
  });
}
