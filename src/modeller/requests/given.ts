import type { AttributeValue } from "../../item/attribute-value.ts";
import type { Attribute, Operand, Predicate } from "../../model/requirements.ts";
import { compares, constantValue } from "../values/holds.ts";
import type { EntityValues, Writing } from "../values/render-key.ts";

/** What a caller of a pattern hands in. */
export interface Given {
  /** Values of parameters; of `one-of`, all of them. */
  readonly parameters: ReadonlyMap<string, readonly AttributeValue[]>;
  /** What is written: the values of each entity that the pattern creates. */
  readonly items: (entity: string) => readonly EntityValues[];
  /** What is appended to lists and sets, by attribute. */
  readonly writing: Writing;
  /** Items of one call where the pattern has no limit; the service's megabyte if nothing is said. */
  readonly pageSize?: number;
}

export class MissingValueError extends Error {}

/** The values of an operand: one, or all of a parameter with several. */
export function operandValues(
  given: Given,
  attribute: Attribute,
  operand: Operand,
): readonly AttributeValue[] {
  if (operand.kind === "constant") {
    const value = constantValue(attribute, operand.value);
    if (value === undefined)
      throw new MissingValueError(`'${operand.value}' is no ${attribute.type}`);
    return [value];
  }
  const values = given.parameters.get(operand.name);
  if (values === undefined)
    throw new MissingValueError(`the parameter '${operand.name}' is not given`);
  return values;
}

/** Whether conditions hold for an item, as a filter would find it. */
export function passes(
  given: Given,
  attributes: ReadonlyMap<string, Attribute>,
  predicates: readonly Predicate[],
  values: EntityValues,
): boolean {
  return predicates.every((predicate) => {
    const attribute = attributes.get(predicate.attribute);
    if (attribute === undefined) return false;
    const operands = predicate.operands.flatMap((one) => operandValues(given, attribute, one));
    const value = values.get(predicate.attribute);
    // A request for several things at once has several values where one thing would have one.
    const isAny = predicate.operator === "equals" && operands.length > 1;
    return compares(isAny ? { ...predicate, operator: "one-of" } : predicate, value, operands);
  });
}
