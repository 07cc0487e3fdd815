import type { Attribute, Predicate } from "../../model/requirements.ts";
import type { Use } from "./key-code.ts";
import { constantCode } from "./source.ts";
import { attributeType } from "./types.ts";

/** The code of an operand: a constant, or the parameter's. */
export type OperandCode = { readonly code: string; readonly isList: boolean };

/** A test of a value that is at hand, as an expression. `operands` are those that are parameters, in their order. */
export function predicateCode(
  predicate: Predicate,
  attribute: Attribute,
  value: string,
  operands: readonly OperandCode[],
  use: Use,
): string {
  const { operator, exists } = predicate;
  if (operator === "exists") return `${value} ${exists ? "!==" : "==="} undefined`;
  let next = 0;
  const codes = predicate.operands.map((operand): OperandCode => {
    if (operand.kind === "constant")
      return { code: constantFor(attribute, operand.value), isList: false };
    next += 1;
    return operands[next - 1] ?? { code: "undefined", isList: false };
  });
  const [only] = codes;
  // A large number may be a number or a bigint, which are not the same to the language.
  const isScalar = ["S", "N", "BOOL"].includes(attribute.type) && !isLarge(attribute);
  const isPlain = attribute.values === undefined && only?.isList === false;
  if (operator === "equals" && isScalar && isPlain && codes.length === 1) {
    return `${value} === ${only.code}`;
  }
  const list = codes.map(({ code, isList }) => (isList ? `...${code}` : code));
  const kind = operator === "equals" && only?.isList === true ? "one-of" : operator;
  return `${use("holds")}(${[value, `"${kind}"`, ...list].join(", ")})`;
}

function isLarge(attribute: Attribute): boolean {
  return attribute.type === "N" && attributeType(attribute).includes("bigint");
}

/** A constant as a value of an attribute: a text in a number's place is that number. */
export function constantFor(
  { type }: Pick<Attribute, "type">,
  constant: string | number | boolean,
): string {
  if ((type === "N" || type === "NS") && typeof constant === "string") {
    return constantCode(Number(constant));
  }
  return constantCode(constant);
}
