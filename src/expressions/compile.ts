import {
  type ExpressionKind,
  expressionTooLarge,
  mixedParameters,
  nameKeyInvalid,
  nameKeyTooLong,
  namesEmpty,
  namesUnused,
  namesWithoutExpression,
  nameValueEmpty,
  placeholdersTooLarge,
  valueKeyInvalid,
  valueKeyTooLong,
  valuesEmpty,
  valuesUnused,
  valuesWithoutExpression,
} from "../api/errors/expression.ts";
import type { ValueLayer } from "../api/errors/value.ts";
import { expressionBytesMax, placeholderBytesMax, placeholdersBytesMax } from "../api/limits.ts";
import { checkExpressionValues } from "../api/values.ts";
import { own } from "../base/record.ts";
import type { AttributeValue } from "../item/attribute-value.ts";
import { textSize, valueSize } from "../item/size.ts";
import { compileCondition } from "./condition-resolve.ts";
import { keyConditionOf } from "./key-condition-parser.ts";
import { isWordPart } from "./lexer.ts";
import { Placeholders } from "./parser.ts";
import { compileProjection } from "./projection-parser.ts";
import type { Condition, KeyCondition, Projection, Update } from "./tree.ts";
import { compileUpdate } from "./update-resolve.ts";

interface OperationParameters {
  readonly expressions: readonly ExpressionKind[];
  /** The parameters from before there were expressions. */
  readonly legacy: readonly string[];
}

/** In the order in which the service lists them. */
const parameters = {
  GetItem: { expressions: ["ProjectionExpression"], legacy: ["AttributesToGet"] },
  BatchGetItem: { expressions: ["ProjectionExpression"], legacy: ["AttributesToGet"] },
  PutItem: { expressions: ["ConditionExpression"], legacy: ["Expected"] },
  DeleteItem: { expressions: ["ConditionExpression"], legacy: ["Expected"] },
  UpdateItem: {
    expressions: ["UpdateExpression", "ConditionExpression"],
    legacy: ["AttributeUpdates", "Expected"],
  },
  Query: {
    expressions: ["ProjectionExpression", "FilterExpression", "KeyConditionExpression"],
    legacy: ["AttributesToGet", "QueryFilter", "ConditionalOperator", "KeyConditions"],
  },
  Scan: {
    expressions: ["ProjectionExpression", "FilterExpression"],
    legacy: ["AttributesToGet", "ScanFilter", "ConditionalOperator"],
  },
} as const satisfies Record<string, OperationParameters>;

/**
 * The parameters of a request that do not go together: expressions beside their predecessors, and
 * placeholders without an expression. The older layer also says which expressions are missing.
 */
export function checkExpressionParameters(
  operation: keyof typeof parameters,
  request: object,
  layer: ValueLayer,
): void {
  const record = request as Readonly<Record<string, unknown>>;
  const given = (name: string): boolean => (own(record, name) ?? undefined) !== undefined;
  const { expressions, legacy }: OperationParameters = parameters[operation];
  const present = expressions.filter(given);
  if (present.length > 0) {
    // KeyConditions may stand beside other expressions, as nothing else names the keys.
    const keysByName = given("KeyConditionExpression");
    const others = legacy.filter((name) => given(name) && (name !== "KeyConditions" || keysByName));
    if (others.length > 0) throw mixedParameters(others, present);
  } else if (given("ExpressionAttributeNames")) {
    throw namesWithoutExpression();
  }
  const withValues = expressions.filter((kind) => kind !== "ProjectionExpression");
  if (withValues.length > 0 && given("ExpressionAttributeValues") && !withValues.some(given)) {
    throw valuesWithoutExpression(layer === "older" ? withValues : []);
  }
}

export interface ExpressionTexts {
  readonly update?: string | undefined;
  readonly condition?: string | undefined;
  readonly keyCondition?: string | undefined;
  readonly filter?: string | undefined;
  readonly projection?: string | undefined;
  readonly names?: Readonly<Record<string, string>> | undefined;
  /** As sent: they are checked, and made canonical in place, here. */
  readonly values?: Readonly<Record<string, object>> | undefined;
  /** Which layer judges the values; `current` if not said. */
  readonly layer?: ValueLayer | undefined;
  /** Whether a condition that is too large is told how large it is. */
  readonly sizeShown?: boolean | undefined;
}

export interface CompiledExpressions {
  readonly update: Update | undefined;
  readonly condition: Condition | undefined;
  readonly keyCondition: KeyCondition | undefined;
  readonly filter: Condition | undefined;
  readonly projection: Projection | undefined;
}

/**
 * Checks and compiles all expressions of a request in the service's order: the maps of placeholders,
 * the expressions one by one, placeholders that none of them used, and last what a key condition may
 * not say.
 */
export function compileExpressions(texts: ExpressionTexts): CompiledExpressions {
  const { update, condition, keyCondition, filter, projection, names, sizeShown } = texts;
  const nameBytes = names === undefined ? 0 : checkNames(names);
  const values = texts.values === undefined ? undefined : checkValues(texts.values, texts.layer);
  if (values !== undefined) checkPlaceholdersSize(nameBytes, values);
  const placeholders = new Placeholders(names, values);
  const conditionOf = (kind: ExpressionKind, text: string | undefined) => {
    if (text === undefined) return undefined;
    checkTextSize(kind, text, sizeShown === true);
    return compileCondition(kind, text, placeholders);
  };
  if (update !== undefined) checkTextSize("UpdateExpression", update, false);
  const updateTree = update === undefined ? undefined : compileUpdate(update, placeholders);
  const conditionTree = conditionOf("ConditionExpression", condition);
  const keyTree = conditionOf("KeyConditionExpression", keyCondition);
  const filterTree = conditionOf("FilterExpression", filter);
  if (projection !== undefined) checkTextSize("ProjectionExpression", projection, false);
  const projectionTree =
    projection === undefined ? undefined : compileProjection(projection, placeholders);
  if (names !== undefined) checkUsed(names, placeholders, namesUnused);
  if (values !== undefined) checkUsed(values, placeholders, valuesUnused);
  return {
    update: updateTree,
    condition: conditionTree,
    keyCondition: keyTree === undefined ? undefined : keyConditionOf(keyTree),
    filter: filterTree,
    projection: projectionTree,
  };
}

function checkTextSize(kind: ExpressionKind, text: string, shown: boolean): void {
  // No character takes more than three bytes per unit, so a short text need not be measured.
  if (text.length * 3 <= expressionBytesMax) return;
  const bytes = Buffer.byteLength(text);
  if (bytes > expressionBytesMax) throw expressionTooLarge(kind, shown ? bytes : undefined);
}

/** The bytes of all names. */
function checkNames(names: Readonly<Record<string, string>>): number {
  let count = 0;
  let bytes = 0;
  for (const key in names) {
    count++;
    bytes += textSize(key) + textSize(names[key] as string);
    if (key.length * 3 > placeholderBytesMax) {
      const bytes = Buffer.byteLength(key);
      if (bytes > placeholderBytesMax) throw nameKeyTooLong(bytes);
    }
    if (!isPlaceholder(key, "#")) throw nameKeyInvalid(key);
    if (names[key] === "") throw nameValueEmpty(key);
  }
  if (count === 0) throw namesEmpty();
  if (bytes > placeholdersBytesMax) throw placeholdersTooLarge("ExpressionAttributeNames");
  return bytes;
}

function checkValues(
  values: Readonly<Record<string, object>>,
  layer: ValueLayer = "current",
): Readonly<Record<string, AttributeValue>> {
  let count = 0;
  for (const key in values) {
    count++;
    if (key.length * 3 > placeholderBytesMax && Buffer.byteLength(key) > placeholderBytesMax) {
      throw valueKeyTooLong();
    }
    if (!isPlaceholder(key, ":")) throw valueKeyInvalid(key);
  }
  if (count === 0) throw valuesEmpty();
  return checkExpressionValues(values, layer);
}

function checkPlaceholdersSize(
  nameBytes: number,
  values: Readonly<Record<string, AttributeValue>>,
): void {
  let bytes = 0;
  for (const key in values) bytes += textSize(key) + valueSize(values[key] as AttributeValue);
  if (bytes > placeholdersBytesMax) throw placeholdersTooLarge("ExpressionAttributeValues");
  if (nameBytes + bytes > placeholdersBytesMax) throw placeholdersTooLarge("both");
}

/** A sigil and at least one letter, digit or underscore. */
function isPlaceholder(key: string, sigil: "#" | ":"): boolean {
  if (key.length < 2 || key[0] !== sigil) return false;
  for (let at = 1; at < key.length; at++) {
    if (!isWordPart(key.charCodeAt(at))) return false;
  }
  return true;
}

function checkUsed(
  given: Readonly<Record<string, unknown>>,
  placeholders: Placeholders,
  error: (unused: readonly string[], total: number) => Error,
): void {
  let unused: string[] | undefined;
  for (const key in given) {
    if (placeholders.isUsed(key)) continue;
    unused ??= [];
    unused.push(key);
  }
  if (unused !== undefined) throw error(unused, Object.keys(given).length);
}
