import {
  emptyBag,
  literalInvalid,
  literalNestedTooDeep,
  mixedBag,
  numberBagRepeats,
  parameterCount,
  unsupportedValue,
} from "../api/errors/statement.ts";
import { attributeNameEmpty, numberInvalid, setHasDuplicates } from "../api/errors/value.ts";
import { nestingLevelsMax } from "../api/limits.ts";
import { checkValue } from "../api/values.ts";
import { emptyRecord } from "../base/record.ts";
import type { AttributeValue } from "../item/attribute-value.ts";
import { readJavaNumber } from "../item/java-number.ts";
import { sortMembers } from "../item/set.ts";
import { wellFormed } from "../item/text.ts";
import type { Expression } from "./syntax.ts";

export type Parameters = readonly AttributeValue[];

/** The parameters by themselves: they are judged before the statement is read. */
export function checkParameters(raw: readonly object[]): Parameters {
  return raw.map((value) => checkValue(value, "older"));
}

/** A literal or a parameter, as far as its form tells. */
export function isValue({ kind }: Expression): boolean {
  return valueKinds.has(kind);
}

const valueKinds: ReadonlySet<Expression["kind"]> = new Set([
  "string",
  "number",
  "boolean",
  "null",
  "parameter",
  "list",
  "bag",
  "struct",
]);

/** The value of a literal or a parameter. */
export function valueFrom(expression: Expression, parameters: Parameters): AttributeValue {
  if (expression.kind !== "parameter") return literal(expression, "root", 1);
  const value = parameters[expression.at];
  if (value === undefined) throw parameterCount();
  return value;
}

/** `under` is the path to the literal within the value. */
function literal(expression: Expression, under: string, level: number): AttributeValue {
  if (level > nestingLevelsMax) throw literalNestedTooDeep(under);
  switch (expression.kind) {
    case "string":
      return { S: wellFormed(expression.text) };
    case "number":
      return { N: numberOf(expression.text, under) };
    case "boolean":
      return { BOOL: expression.value };
    case "null":
      return { NULL: true };
    case "list":
      return {
        L: expression.elements.map((element, i) => literal(element, `${under}[${i}]`, level + 1)),
      };
    case "bag":
      return bag(expression.elements, under);
    case "struct": {
      const map = emptyRecord<AttributeValue>();
      for (const [name, value] of expression.members) {
        const text = memberName(name, under);
        map[text] = literal(value, `${under}.${text}`, level + 1);
      }
      return { M: map };
    }
    default:
      throw unsupportedValue(described(expression), under, expression.place);
  }
}

/** The name of a member must be a string. What is said of another one is a guess. */
export function memberName(expression: Expression, under: string): string {
  if (expression.kind !== "string") {
    throw unsupportedValue(described(expression), under, expression.place);
  }
  if (expression.text === "") throw attributeNameEmpty();
  return wellFormed(expression.text);
}

function described(expression: Expression): string {
  switch (expression.kind) {
    case "call":
    case "name":
      return expression.name;
    case "parameter":
      return "Parameter";
    default:
      return nodeName(expression);
  }
}

/** What the open PartiQL parser calls the parts of its tree. */
export function nodeName(expression: Expression): string {
  switch (expression.kind) {
    case "unary":
      return { not: "Not", "+": "Pos", "-": "Neg" }[expression.op];
    case "binary":
      return binaryNames[expression.op];
    default:
      return nodeNames[expression.kind];
  }
}

const nodeNames: Readonly<Record<Exclude<Expression["kind"], "unary" | "binary">, string>> = {
  string: "Lit",
  number: "Lit",
  boolean: "Lit",
  null: "Lit",
  missing: "Missing",
  parameter: "Parameter",
  name: "Id",
  path: "Path",
  call: "Call",
  list: "List",
  bag: "Bag",
  struct: "Struct",
  between: "Between",
  is: "IsType",
  select: "Select",
  insert: "Dml",
  update: "Dml",
  delete: "Dml",
};

const binaryNames = {
  or: "Or",
  and: "And",
  "=": "Eq",
  "<>": "Ne",
  "<": "Lt",
  "<=": "Lte",
  ">": "Gt",
  ">=": "Gte",
  in: "InCollection",
  like: "Like",
  "+": "Plus",
  "-": "Minus",
  "||": "Concat",
  "*": "Times",
  "/": "Divide",
  "%": "Mod",
} as const;

function numberOf(text: string, under: string): string {
  const number = readJavaNumber(text);
  if (typeof number === "string") return number;
  throw literalInvalid(numberInvalid(number, text, "older").message, under);
}

/** A set of texts or of numbers. */
function bag(elements: readonly Expression[], under: string): AttributeValue {
  if (elements.length === 0) throw emptyBag();
  const texts: string[] = [];
  for (const element of elements) {
    if (element.kind !== elements[0]?.kind) throw mixedBag();
    if (element.kind !== "string" && element.kind !== "number") throw mixedBag();
    texts.push(element.text);
  }
  if (elements[0]?.kind === "string") {
    const members = texts.map(wellFormed);
    if (!sortMembers("SS", members)) throw setHasDuplicates("SS", texts, "older");
    return { SS: members };
  }
  const members = texts.map((text, i) => numberOf(text, `${under}[${i}]`));
  if (!sortMembers("NS", members)) throw numberBagRepeats(texts, under);
  return { NS: members };
}
