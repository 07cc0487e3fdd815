import type { Attribute, Predicate } from "../../model/requirements.ts";
import type { Placeholders, StoredPath } from "./expression.ts";
import { type Given, operandValues } from "./given.ts";

/** How the service writes comparisons with one value. */
export const signs = {
  equals: "=",
  less: "<",
  "at-most": "<=",
  greater: ">",
  "at-least": ">=",
} as const;

/** A condition as the service writes it, on the attribute's name in the table. */
export function predicateText(
  { operator, operands, exists }: Predicate,
  attribute: Attribute,
  stored: StoredPath,
  given: Given,
  placeholders: Placeholders,
): string {
  const name = placeholders.name(stored);
  if (operator === "exists") {
    return `${exists ? "attribute_exists" : "attribute_not_exists"}(${name})`;
  }
  const values = operands.flatMap((one) => operandValues(given, attribute, one));
  // A batch has several values where a single request has one.
  const isAny = operator === "one-of" || (operator === "equals" && values.length > 1);
  const distinct = new Map(values.map((one) => [JSON.stringify(one), one]));
  const compared = isAny ? [...distinct.values()] : values;
  const all = compared.map((value) => placeholders.value(value));
  const [first = "", last = ""] = all;
  if (isAny) return `${name} IN (${all.join(", ")})`;
  if (operator === "between") return `${name} BETWEEN ${first} AND ${last}`;
  if (operator === "begins-with") return `begins_with(${name}, ${first})`;
  if (operator === "contains") return `contains(${name}, ${first})`;
  return `${name} ${signs[operator]} ${first}`;
}
