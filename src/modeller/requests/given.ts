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

/** Whether a parameter of `one-of` names what a batch is about. Then each parameter of `equals` has a single value. */
export function hasListParameter(where: readonly Predicate[]): boolean {
  return where.some(
    ({ operator, operands }) =>
      operator === "one-of" && operands.some(({ kind }) => kind === "parameter"),
  );
}

export class MissingValueError extends Error {}

/** The value of a parameter that has one. */
export function parameterValue({ parameters }: Given, name: string): AttributeValue {
  const [value] = parameters.get(name) ?? [];
  if (value === undefined) throw new MissingValueError(`the parameter '${name}' is not given`);
  return value;
}

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

/**
 * Parameters that have one value for each of several things that a request names: those that an attribute equals. The
 * lists are zipped: the i-th thing takes the i-th value of each list, and a single value applies to all.
 */
export function listedParameters(
  { parameters }: Given,
  operands: readonly { readonly kind: string; readonly name?: string }[],
): readonly string[] {
  const names = operands.flatMap(({ kind, name }) => (kind === "parameter" && name ? [name] : []));
  return [...new Set(names)].filter((name) => (parameters.get(name)?.length ?? 0) > 1);
}

/** What one of several things is given: of each list its own value. */
export function givenAt(given: Given, names: readonly string[], at: number): Given {
  const parameters = new Map(given.parameters);
  for (const name of names) {
    const value = given.parameters.get(name)?.[at];
    parameters.set(name, value === undefined ? [] : [value]);
  }
  return { ...given, parameters };
}

/** What each of several things is given, in the order of their lists. */
export function givenApart(given: Given, names: readonly string[]): readonly Given[] {
  if (names.length === 0) return [given];
  const count = Math.min(...names.map((name) => given.parameters.get(name)?.length ?? 0));
  return Array.from({ length: count }, (_, at) => givenAt(given, names, at));
}

/** The parameters with a list that something equals. */
export function comparedLists(given: Given, predicates: readonly Predicate[]): readonly string[] {
  const operands = predicates.flatMap((one) => (one.operator === "equals" ? one.operands : []));
  return listedParameters(given, operands);
}

/** Whether conditions hold for an item, as a filter would find it: for one of several things that are asked for. */
export function passes(
  given: Given,
  attributes: ReadonlyMap<string, Attribute>,
  predicates: readonly Predicate[],
  values: EntityValues,
): boolean {
  return givenApart(given, comparedLists(given, predicates)).some((one) =>
    predicates.every((predicate) => {
      const attribute = attributes.get(predicate.attribute);
      if (attribute === undefined) return false;
      const operands = predicate.operands.flatMap((operand) =>
        operandValues(one, attribute, operand),
      );
      return compares(predicate, values.get(predicate.attribute), operands);
    }),
  );
}
