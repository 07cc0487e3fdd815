import type { Attribute, Predicate } from "../../model/requirements.ts";
import type { Placeholders, StoredPath } from "./expression.ts";
import { type Given, operandValues } from "./given.ts";

/** A condition as the service writes it, on the attribute's name in the table. */
export function predicateText(
  predicate: Predicate,
  attribute: Attribute,
  stored: StoredPath,
  given: Given,
  placeholders: Placeholders,
): string {
  const values =
    predicate.operator === "exists"
      ? []
      : predicate.operands.flatMap((one) => operandValues(given, attribute, one));
  // A batch has several values where a single request has one.
  const isAny = predicate.operator === "equals" && values.length > 1;
  const operator = isAny ? "one-of" : predicate.operator;
  const distinct = new Map(values.map((one) => [JSON.stringify(one), one]));
  const compared = operator === "one-of" ? [...distinct.values()] : values;
  return comparisonText({ ...predicate, operator }, stored, compared, placeholders);
}

/** The same, whatever the values are. */
export function comparisonText<V>(
  { operator, exists }: Pick<Predicate, "operator" | "exists">,
  stored: StoredPath,
  values: readonly V[],
  placeholders: Placeholders<V>,
): string {
  const name = placeholders.name(stored);
  if (operator === "exists") {
    return `${exists ? "attribute_exists" : "attribute_not_exists"}(${name})`;
  }
  const all = values.map((value) => placeholders.value(value));
  const [first = "", last = ""] = all;
  switch (operator) {
    case "equals":
      return `${name} = ${first}`;
    case "less":
      return `${name} < ${first}`;
    case "at-most":
      return `${name} <= ${first}`;
    case "greater":
      return `${name} > ${first}`;
    case "at-least":
      return `${name} >= ${first}`;
    case "between":
      return `${name} BETWEEN ${first} AND ${last}`;
    case "begins-with":
      return `begins_with(${name}, ${first})`;
    case "contains":
      return `contains(${name}, ${first})`;
    case "one-of":
      return `${name} IN (${all.join(", ")})`;
  }
}
