import type { AttributeType, AttributeValue } from "../../item/attribute-value.ts";
import { type ServiceError, validationError } from "./service-error.ts";

export type ExpressionKind =
  | "UpdateExpression"
  | "ConditionExpression"
  | "KeyConditionExpression"
  | "FilterExpression"
  | "ProjectionExpression"
  /** A PartiQL statement, whose complaints name no parameter. */
  | "Statement";

type Steps = readonly (string | number)[];

function invalid(kind: ExpressionKind, reason: string): ServiceError {
  return validationError(kind === "Statement" ? reason : `Invalid ${kind}: ${reason}`);
}

// Text and syntax

export function emptyExpression(kind: ExpressionKind): ServiceError {
  return invalid(kind, "The expression can not be empty;");
}

/** `bytes` where the service says how large the expression is. */
export function expressionTooLarge(kind: ExpressionKind, bytes?: number): ServiceError {
  const size = bytes === undefined ? "" : ` expression size: ${bytes}`;
  return invalid(kind, `Expression size has exceeded the maximum allowed size;${size}`);
}

export function syntaxError(kind: ExpressionKind, token: string, near: string): ServiceError {
  return invalid(kind, `Syntax error; token: "${token}", near: "${near}"`);
}

export function redundantParentheses(kind: ExpressionKind): ServiceError {
  return invalid(kind, "The expression has redundant parentheses;");
}

/** The service stops counting at the first operator too many. */
export function tooManyOperators(kind: ExpressionKind, count: number): ServiceError {
  return invalid(kind, `The expression contains too many operators; operator count: ${count}`);
}

// Names and paths

export function reservedKeyword(kind: ExpressionKind, word: string): ServiceError {
  return invalid(kind, `Attribute name is a reserved keyword; reserved keyword: ${word}`);
}

export function listIndexOutOfRange(kind: ExpressionKind, index: string): ServiceError {
  return invalid(kind, `List index is not within the allowable range; index: [${index}]`);
}

export function pathTooDeep(kind: ExpressionKind, levels: number): ServiceError {
  return invalid(kind, `The document path has too many nesting levels; nesting levels: ${levels}`);
}

export function undefinedName(kind: ExpressionKind, placeholder: string): ServiceError {
  return invalid(
    kind,
    `An expression attribute name used in the document path is not defined; attribute name: ${placeholder}`,
  );
}

export function undefinedValue(kind: ExpressionKind, placeholder: string): ServiceError {
  return invalid(
    kind,
    `An expression attribute value used in expression is not defined; attribute value: ${placeholder}`,
  );
}

export function pathsOverlap(kind: ExpressionKind, one: Steps, two: Steps): ServiceError {
  return invalid(kind, `Two document paths overlap with each other; ${bothPaths(one, two)}`);
}

export function pathsConflict(kind: ExpressionKind, one: Steps, two: Steps): ServiceError {
  return invalid(kind, `Two document paths conflict with each other; ${bothPaths(one, two)}`);
}

function bothPaths(one: Steps, two: Steps): string {
  return (
    "must remove or rewrite one of these paths; " +
    `path one: ${pathText(one)}, path two: ${pathText(two)}`
  );
}

/** `[a, [1], b]` for `a[1].b`. */
function pathText(steps: Steps): string {
  return `[${steps.map((step) => (typeof step === "number" ? `[${step}]` : step)).join(", ")}]`;
}

// Functions and operands

export function invalidFunctionName(kind: ExpressionKind, name: string): ServiceError {
  return invalid(kind, `Invalid function name; function: ${name}`);
}

export function functionMisused(kind: ExpressionKind, name: string): ServiceError {
  return invalid(
    kind,
    `The function is not allowed to be used this way in an expression; function: ${name}`,
  );
}

/** A known function in the wrong kind of expression, for example `size` in an update. */
export function functionNotAllowed(kind: ExpressionKind, name: string): ServiceError {
  const where = kind === "UpdateExpression" ? "an update" : "a condition";
  return invalid(kind, `The function is not allowed in ${where} expression; function: ${name}`);
}

export function wrongOperandCount(
  kind: ExpressionKind,
  operator: string,
  count: number,
): ServiceError {
  return invalid(
    kind,
    "Incorrect number of operands for operator or function; " +
      `operator or function: ${operator}, number of operands: ${count}`,
  );
}

export function pathRequired(kind: ExpressionKind, operator: string): ServiceError {
  return invalid(
    kind,
    `Operator or function requires a document path; operator or function: ${operator}`,
  );
}

export function operandsNotDistinct(
  kind: ExpressionKind,
  operator: string,
  first: Steps,
): ServiceError {
  return invalid(
    kind,
    "The first operand must be distinct from the remaining operands for this operator or function; " +
      `operator: ${operator}, first operand: ${pathText(first)}`,
  );
}

/** The type of an operand that is only known when an item is read. */
export const anyAttributeType = "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}";

export function wrongOperandType(
  kind: ExpressionKind,
  operator: string,
  type: AttributeType | typeof anyAttributeType,
): ServiceError {
  return invalid(
    kind,
    "Incorrect operand type for operator or function; " +
      `operator or function: ${operator}, operand type: ${type}`,
  );
}

export function invalidTypeName(kind: ExpressionKind, type: string): ServiceError {
  const types =
    kind === "Statement" ? "N,BS,L,B,NULL,M,S,SS,NS,BOOL" : "B,NULL,SS,BOOL,L,BS,N,NS,S,M";
  return invalid(kind, `Invalid attribute type name found; type: ${type}, valid types: {${types}}`);
}

export function betweenTypesDiffer(
  kind: ExpressionKind,
  low: AttributeValue,
  high: AttributeValue,
): ServiceError {
  return invalid(
    kind,
    `The BETWEEN operator requires same data type for lower and upper bounds; ${bounds(low, high)}`,
  );
}

export function betweenBoundsReversed(
  kind: ExpressionKind,
  low: AttributeValue,
  high: AttributeValue,
): ServiceError {
  return invalid(
    kind,
    "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; " +
      bounds(low, high),
  );
}

function bounds(low: AttributeValue, high: AttributeValue): string {
  return `lower bound operand: ${boundText(low)}, upper bound operand: ${boundText(high)}`;
}

function boundText(value: AttributeValue): string {
  if ("S" in value) return `AttributeValue: {S:${value.S}}`;
  if ("N" in value) return `AttributeValue: {N:${value.N}}`;
  if ("B" in value) {
    const bytes = Buffer.byteLength(value.B, "base64");
    return `AttributeValue: {B:java.nio.HeapByteBuffer[pos=0 lim=${bytes} cap=${bytes}]}`;
  }
  return `AttributeValue: ${JSON.stringify(value)}`;
}

export function tooManyInOperands(kind: ExpressionKind, count: number): ServiceError {
  return invalid(
    kind,
    `The IN operator is provided with too many operands; number of operands: ${count}`,
  );
}

// Update expressions

export type UpdateSection = "SET" | "REMOVE" | "ADD" | "DELETE";

export function repeatedSection(section: UpdateSection): ServiceError {
  return invalid(
    "UpdateExpression",
    `The "${section}" section can only be used once in an update expression;`,
  );
}

const longTypeNames: Readonly<Record<AttributeType, string>> = {
  S: "STRING",
  N: "NUMBER",
  B: "BINARY",
  SS: "STRING_SET",
  NS: "NUMBER_SET",
  BS: "BINARY_SET",
  BOOL: "BOOLEAN",
  NULL: "NULL",
  L: "LIST",
  M: "MAP",
};

/** The value of an ADD or DELETE action; these two name the type in words. */
export function wrongActionOperandType(
  section: "ADD" | "DELETE",
  type: AttributeType,
): ServiceError {
  return invalid(
    "UpdateExpression",
    "Incorrect operand type for operator or function; " +
      `operator: ${section}, operand type: ${longTypeNames[type]}, ` +
      `typeSet: ALLOWED_FOR_${section}_OPERAND`,
  );
}

export function updatePathInvalid(): ServiceError {
  return validationError(
    "The document path provided in the update expression is invalid for update",
  );
}

export function updateOperandType(): ServiceError {
  return validationError("An operand in the update expression has an incorrect data type");
}

export function updateOperandMissing(): ServiceError {
  return validationError(
    "The provided expression refers to an attribute that does not exist in the item",
  );
}

// Placeholder maps

export function namesEmpty(): ServiceError {
  return validationError("ExpressionAttributeNames must not be empty");
}

export function valuesEmpty(): ServiceError {
  return validationError("ExpressionAttributeValues must not be empty");
}

export function nameKeyInvalid(key: string): ServiceError {
  return validationError(
    `ExpressionAttributeNames contains invalid key: Syntax error; key: "${key}"`,
  );
}

export function valueKeyInvalid(key: string): ServiceError {
  return validationError(
    `ExpressionAttributeValues contains invalid key: Syntax error; key: "${key}"`,
  );
}

export function nameKeyTooLong(bytes: number): ServiceError {
  return validationError(
    "ExpressionAttributeNames contains invalid key: " +
      `The expression attribute map contains a key that is too long; size of key: ${bytes}`,
  );
}

export function valueKeyTooLong(): ServiceError {
  return validationError(
    "ExpressionAttributeValues contains invalid key: " +
      "The expression attribute map contains a key that is too long;",
  );
}

export function nameValueEmpty(key: string): ServiceError {
  return validationError(
    `ExpressionAttributeNames contains invalid value: Empty attribute name for key ${key}`,
  );
}

/** Each map has the limit for itself, and both have it together. */
export function placeholdersTooLarge(
  of: "ExpressionAttributeNames" | "ExpressionAttributeValues" | "both",
): ServiceError {
  const what =
    of === "both" ? "Combined size of ExpressionAttributeNames and ExpressionAttributeValues" : of;
  return validationError(`${what} exceeds max size`);
}

/** The older validation layer wraps what is wrong with the value itself. */
export function expressionValueInvalid(reason: string, key: string): ServiceError {
  return validationError(
    `ExpressionAttributeValues contains invalid value: ${reason} for key ${key}`,
  );
}

export function namesWithoutExpression(): ServiceError {
  return validationError("ExpressionAttributeNames can only be specified when using expressions");
}

/** `absent` are the expressions the operation could have had; today's layer no longer lists them. */
export function valuesWithoutExpression(absent: readonly ExpressionKind[] = []): ServiceError {
  const text = "ExpressionAttributeValues can only be specified when using expressions";
  if (absent.length === 0) return validationError(text);
  const verb = absent.length > 1 ? "are" : "is";
  return validationError(`${text}: ${absent.join(" and ")} ${verb} null`);
}

export function namesUnused(unused: readonly string[], total: number): ServiceError {
  return validationError(
    "Value provided in ExpressionAttributeNames unused in expressions: " +
      `keys: {${hashSetOrder(unused, total).join(", ")}}`,
  );
}

export function valuesUnused(unused: readonly string[], total: number): ServiceError {
  return validationError(
    "Value provided in ExpressionAttributeValues unused in expressions: " +
      `keys: {${hashSetOrder(unused, total).join(", ")}}`,
  );
}

/** The service lists such keys in the order of a hash set made from all keys of the map. */
function hashSetOrder(keys: readonly string[], total: number): readonly string[] {
  let capacity = 16;
  while (capacity < total / 0.75 + 1) capacity *= 2;
  const slot = (key: string): number => {
    let hash = 0;
    for (let at = 0; at < key.length; at++) hash = (Math.imul(31, hash) + key.charCodeAt(at)) | 0;
    return (hash ^ (hash >>> 16)) & (capacity - 1);
  };
  return keys.toSorted((one, two) => slot(one) - slot(two));
}

export function mixedParameters(
  nonExpression: readonly string[],
  expression: readonly string[],
): ServiceError {
  return validationError(
    "Can not use both expression and non-expression parameters in the same request: " +
      `Non-expression parameters: {${nonExpression.join(", ")}} ` +
      `Expression parameters: {${expression.join(", ")}}`,
  );
}

// Key conditions

export function keyConditionOperator(operator: string): ServiceError {
  return validationError(`Invalid operator used in KeyConditionExpression: ${operator}`);
}

export function keyNotFirstOperand(operator: string): ServiceError {
  return validationError(
    `Invalid condition in KeyConditionExpression: ${operator} operator must have the key attribute as its first operand`,
  );
}

export function keyConditionNested(): ServiceError {
  return validationError("KeyConditionExpressions cannot contain nested operations");
}

export function keyConditionSeveralNames(): ServiceError {
  return validationError(
    "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition",
  );
}

export function keyConditionNestedAttribute(): ServiceError {
  return invalid(
    "KeyConditionExpression",
    "KeyConditionExpressions cannot have conditions on nested attributes",
  );
}

export function keyConditionNoName(): ServiceError {
  return validationError("Invalid condition in KeyConditionExpression: No key attribute specified");
}

export function keyConditionRepeated(): ServiceError {
  return invalid(
    "KeyConditionExpression",
    "KeyConditionExpressions must only contain one condition per key",
  );
}

export function tooManyKeyConditions(conditions: number, keys: number): ServiceError {
  return validationError(
    `The number of query conditions (${conditions}) exceeds the number of key attributes defined in the schema (${keys})`,
  );
}

export function keyConditionMissing(attribute: string): ServiceError {
  return validationError(`Query condition missed key schema element: ${attribute}`);
}

export function keyConditionUnsupported(): ServiceError {
  return validationError("Query key condition not supported");
}

export function keyConditionType(): ServiceError {
  return validationError(
    "One or more parameter values were invalid: Condition parameter type does not match schema type",
  );
}

export function hashEqualityRequired(without: readonly string[]): ServiceError {
  return validationError(
    `HASH key attributes ${without.join(", ")} must have equality conditions specified in the query`,
  );
}

export function rangeEqualityRequired(without: readonly string[], present: string): ServiceError {
  return validationError(
    `RANGE key attributes ${without.join(", ")} must have equality conditions specified in the query ` +
      `because a condition is present on key attribute ${present}`,
  );
}

export function filterOnKey(
  parameter: "Filter Expression" | "QueryFilter",
  key: string,
): ServiceError {
  return validationError(
    `${parameter} can only contain non-primary key attributes: Primary key attribute: ${key}`,
  );
}

export function keyPathNotScalar(owner: "Key" | "IndexKey", key: string): ServiceError {
  return validationError(
    "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: " +
      `${owner}: ${key}`,
  );
}
