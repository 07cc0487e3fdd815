import type { AttributeValue, Item } from "../item/attribute-value.ts";
import { readJavaNumber } from "../item/java-number.ts";
import { type NumberProblem, normaliseNumber } from "../item/number.ts";
import { compareMembers, type SetType, sortMembers } from "../item/set.ts";
import { wellFormed } from "../item/text.ts";
import { expressionValueInvalid } from "./errors/expression.ts";
import { ServiceError } from "./errors/service-error.ts";
import {
  attributeNameEmpty,
  attributeNameTooLarge,
  nestedTooDeep,
  nullNotTrue,
  numberInvalid,
  setEmpty,
  setHasDuplicates,
  type ValueLayer,
  valueEmpty,
  valueOfSeveralTypes,
} from "./errors/value.ts";
import { attributeNameBytesMax, nestingLevelsMax } from "./limits.ts";

/**
 * The check of the values in a request, after the check of their JSON types. Values become canonical
 * in place: numbers in normal form, sets in the service's order. The errors are bare; an operation
 * that answers with a counted validation error adds the count.
 */
interface Walk {
  readonly layer: ValueLayer;
  readonly levelsMax: number;
  readonly readNumber: NumberReader;
  /** A map key without characters was met; what is nested too deep elsewhere is reported first. */
  emptyName: boolean;
}

/** The normal form of a number as sent, or what is wrong with it. */
type NumberReader = (text: string) => string | NumberProblem;

const numberReaderOf = (layer: ValueLayer): NumberReader =>
  layer === "older" ? readJavaNumber : normaliseNumber;

/** What the check of JSON types lets through. */
type RawValue = Record<string, unknown>;

/** An item or a key. */
export function checkItem(raw: Readonly<Record<string, object>>, layer: ValueLayer): Item {
  for (const name in raw) {
    if (name === "") throw attributeNameEmpty();
    checkNameSize(name);
  }
  const walk: Walk = {
    layer,
    levelsMax: nestingLevelsMax,
    readNumber: numberReaderOf(layer),
    emptyName: false,
  };
  for (const name in raw) walkValue(raw[name] as RawValue, 1, walk);
  if (walk.emptyName) throw attributeNameEmpty();
  return raw as Item;
}

export function checkValue(
  raw: object,
  layer: ValueLayer,
  levelsMax = nestingLevelsMax,
): AttributeValue {
  const walk: Walk = { layer, levelsMax, readNumber: numberReaderOf(layer), emptyName: false };
  walkValue(raw as RawValue, 1, walk);
  if (walk.emptyName) throw attributeNameEmpty();
  return raw as AttributeValue;
}

/** ExpressionAttributeValues; the names of the placeholders are not looked at. */
export function checkExpressionValues(
  raw: Readonly<Record<string, object>>,
  layer: ValueLayer,
): Readonly<Record<string, AttributeValue>> {
  // The older layer does not count the level of the attribute that the value may become.
  const levelsMax = layer === "older" ? nestingLevelsMax + 1 : nestingLevelsMax;
  for (const placeholder in raw) {
    try {
      checkValue(raw[placeholder] as object, layer, levelsMax);
    } catch (error) {
      if (layer === "current" || !(error instanceof ServiceError)) throw error;
      throw expressionValueInvalid(error.message, placeholder);
    }
  }
  return raw as Readonly<Record<string, AttributeValue>>;
}

/** Every member is judged before their number is: a bad number beats a second type. */
function walkValue(value: RawValue, level: number, walk: Walk): void {
  if (level > walk.levelsMax) throw nestedTooDeep();
  let types = 0;
  for (const type in value) {
    types++;
    walkMember(value, type, level, walk);
  }
  if (types === 0) throw valueEmpty();
  if (types > 1) throw valueOfSeveralTypes();
}

function walkMember(value: RawValue, type: string, level: number, walk: Walk): void {
  switch (type) {
    case "S": {
      const text = value.S as string;
      const whole = wellFormed(text);
      if (whole !== text) value.S = whole;
      return;
    }
    case "N": {
      const text = value.N as string;
      const number = checkNumber(text, walk);
      if (number !== text) value.N = number;
      return;
    }
    case "NULL":
      if (value.NULL !== true) throw nullNotTrue();
      return;
    case "SS":
    case "NS":
    case "BS":
      checkSet(type, value[type] as string[], walk);
      return;
    case "L":
      for (const element of value.L as RawValue[]) walkValue(element, level + 1, walk);
      return;
    case "M": {
      const map = value.M as Record<string, RawValue>;
      for (const name in map) {
        if (name === "") walk.emptyName = true;
        checkNameSize(name);
        walkValue(map[name] as RawValue, level + 1, walk);
      }
      return;
    }
  }
}

function checkNumber(text: string, walk: Walk): string {
  const number = walk.readNumber(text);
  if (typeof number === "string") return number;
  throw numberInvalid(number, text, walk.layer);
}

function checkSet(type: SetType, members: string[], walk: Walk): void {
  const { layer } = walk;
  if (members.length === 0) throw setEmpty(type);
  if (type === "NS") {
    for (const [index, text] of members.entries()) members[index] = checkNumber(text, walk);
  } else if (type === "SS") {
    for (const [index, text] of members.entries()) members[index] = wellFormed(text);
  }
  if (sortMembers(type, members)) return;
  const shown = layer === "older" ? members : duplicatesShown(type, members);
  throw setHasDuplicates(type, shown, layer);
}

/** The members before the first repeated one in the set's order, the others as sent. */
function duplicatesShown(type: SetType, members: readonly string[]): string[] {
  const seen = new Set<string>();
  for (const member of members) {
    if (seen.has(member)) break;
    seen.add(member);
  }
  const head = [...seen].sort((a, b) => compareMembers(type, a, b));
  return [...head, ...members.slice(head.length)];
}

function checkNameSize(name: string): void {
  // No code unit takes more than three bytes: nearly every name is seen to fit by its length alone.
  if (name.length * 3 <= attributeNameBytesMax) return;
  if (Buffer.byteLength(name, "utf8") > attributeNameBytesMax) throw attributeNameTooLarge();
}
