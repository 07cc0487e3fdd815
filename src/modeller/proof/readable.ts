import type { AttributeValue } from "../../item/attribute-value.ts";
import type { EntityValues } from "../values/render-key.ts";

/** Values for people: `orderId = "a", score = 7`. */
export function readable(values: Iterable<readonly [string, AttributeValue]>): string {
  return [...values].map(([name, value]) => `${name} = ${readableValue(value)}`).join(", ");
}

/** Texts in quotes, numbers as they are, all else as the service writes it. */
export function readableValue(value: AttributeValue): string {
  if ("S" in value) return JSON.stringify(value.S);
  return "N" in value ? value.N : JSON.stringify(value);
}

/** The attributes that are asked for, in the order of their names. */
export function readableEntity(
  values: EntityValues,
  returns: readonly string[] | undefined,
): string {
  const names = new Set(returns ?? values.keys());
  const own = [...values].filter(([name]) => names.has(name));
  return own.length === 0 ? "an item without what is asked for" : readable(own);
}
