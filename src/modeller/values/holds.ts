import type { AttributeValue } from "../../item/attribute-value.ts";
import { compareValues, equalValues } from "../../item/compare.ts";
import { normaliseNumber } from "../../item/number.ts";
import type { Constant } from "../../model/document-parts.ts";
import type { Attribute, Entity, Predicate } from "../../model/requirements.ts";
import type { EntityValues } from "./render-key.ts";

/** Whether all conditions on constants hold for an entity. What is compared with a parameter does not. */
export function holds(
  predicates: readonly Predicate[],
  entity: Pick<Entity, "attributes">,
  values: EntityValues,
): boolean {
  return predicates.every((predicate) => {
    const attribute = entity.attributes.get(predicate.attribute);
    if (attribute === undefined) return false;
    const operands = predicate.operands.map((operand) =>
      operand.kind === "constant" ? constantValue(attribute, operand.value) : undefined,
    );
    if (operands.some((operand) => operand === undefined)) return false;
    return compares(
      predicate,
      values.get(predicate.attribute),
      operands as readonly AttributeValue[],
    );
  });
}

/** Whether a condition holds for a value, which may be missing. */
export function compares(
  { operator, exists }: Pick<Predicate, "operator" | "exists">,
  value: AttributeValue | undefined,
  operands: readonly AttributeValue[],
): boolean {
  if (operator === "exists") return (value !== undefined) === exists;
  if (value === undefined) return false;
  const [first, last] = operands;
  if (operator === "one-of") return operands.some((one) => equalValues(value, one));
  if (first === undefined) return false;
  const order = compareValues(value, first);
  switch (operator) {
    case "equals":
      return equalValues(value, first);
    case "less":
      return order !== undefined && order < 0;
    case "at-most":
      return order !== undefined && order <= 0;
    case "greater":
      return order !== undefined && order > 0;
    case "at-least":
      return order !== undefined && order >= 0;
    case "between": {
      const end = last === undefined ? undefined : compareValues(value, last);
      return order !== undefined && order >= 0 && end !== undefined && end <= 0;
    }
    case "begins-with":
      return beginsWith(value, first);
    case "contains":
      return contains(value, first);
  }
}

function beginsWith(value: AttributeValue, start: AttributeValue): boolean {
  if ("S" in value) return "S" in start && value.S.startsWith(start.S);
  if (!("B" in value && "B" in start)) return false;
  return Buffer.from(value.B, "base64").indexOf(Buffer.from(start.B, "base64")) === 0;
}

function contains(value: AttributeValue, part: AttributeValue): boolean {
  if ("S" in value) return "S" in part && value.S.includes(part.S);
  if ("SS" in value) return "S" in part && value.SS.includes(part.S);
  if ("NS" in value) return "N" in part && value.NS.includes(part.N);
  if ("BS" in value) return "B" in part && value.BS.includes(part.B);
  if ("L" in value) return value.L.some((one) => equalValues(one, part));
  if (!("B" in value && "B" in part)) return false;
  return Buffer.from(value.B, "base64").includes(Buffer.from(part.B, "base64"));
}

const memberTypes = new Map([
  ["SS", "S"],
  ["NS", "N"],
  ["BS", "B"],
]);

/** A constant of the document as a value of the attribute that it is compared with. */
export function constantValue(
  { type }: Pick<Attribute, "type">,
  constant: Constant,
): AttributeValue | undefined {
  if (typeof constant === "boolean") return { BOOL: constant };
  const wanted = memberTypes.get(type) ?? type;
  if (wanted === "N" || typeof constant === "number") {
    const number = normaliseNumber(String(constant));
    return typeof number === "string" ? { N: number } : undefined;
  }
  return wanted === "B" ? { B: constant } : { S: constant };
}
