/**
 * What conditions and orders of a pattern mean, evaluated on entities in memory. The oracle uses it. Requests are filtered and
 * sorted by code of their own (`requests/`), so that a mistake in either shows.
 */
import type { AttributeValue } from "../../../item/attribute-value.ts";
import type { Constant } from "../../../model/document-parts.ts";
import type { Attribute, Operand, Order, Predicate } from "../../../model/requirements.ts";
import { compareDecimals, normalDecimal } from "./decimals.ts";
import type { EntityValues, Parameters } from "./state.ts";

/**
 * Whether an entity is asked for. A parameter that an attribute equals may have a list of values; the lists are zipped: the
 * i-th question takes the i-th value of each list, and a single value belongs to all questions.
 */
export function isAskedFor(
  attributes: ReadonlyMap<string, Attribute>,
  where: readonly Predicate[],
  parameters: Parameters,
  values: EntityValues,
): boolean {
  return askFor(attributes, where, parameters)(values);
}

/** The same for many entities: what the parameters mean is worked out once. */
export function askFor(
  attributes: ReadonlyMap<string, Attribute>,
  where: readonly Predicate[],
  parameters: Parameters,
): (values: EntityValues) => boolean {
  const lists = where.flatMap(({ operator, operands }) =>
    operator === "equals" ? operands.flatMap((operand) => listOf(operand, parameters)) : [],
  );
  const questions = lists.length === 0 ? 1 : Math.min(...lists.map(({ length }) => length));
  const conditions = where.map((predicate): Condition => {
    const attribute = attributes.get(predicate.attribute);
    let known: readonly AttributeValue[] | undefined;
    const operands = (): readonly AttributeValue[] => {
      known ??= attribute
        ? predicate.operands.flatMap((one) => operandValues(one, attribute, parameters))
        : [];
      return known;
    };
    return { predicate, isDescribed: attribute !== undefined, operands };
  });
  return (values) => {
    for (let question = 0; question < questions; question += 1) {
      if (conditions.every((one) => isFulfilled(one, values, question))) return true;
    }
    return false;
  };
}

/** A predicate with the values that it compares with; a parameter is needed only where an entity has the attribute. */
interface Condition {
  readonly predicate: Predicate;
  readonly isDescribed: boolean;
  readonly operands: () => readonly AttributeValue[];
}

function listOf(operand: Operand, parameters: Parameters): readonly (readonly AttributeValue[])[] {
  if (operand.kind !== "parameter") return [];
  const list = parameters.get(operand.name) ?? [];
  return list.length > 1 ? [list] : [];
}

function isFulfilled(
  { predicate: { attribute: name, operator, exists }, isDescribed, operands }: Condition,
  values: EntityValues,
  question: number,
): boolean {
  const value = values.get(name);
  if (!isDescribed) return false;
  if (operator === "exists") return exists === (value !== undefined);
  if (value === undefined) return false;
  const own = operands();
  const [first, last = first] =
    operator === "equals" && own.length > 1 ? own.slice(question, question + 1) : own;
  if (operator === "one-of") return own.some((one) => isSame(value, one));
  if (first === undefined || last === undefined) return false;
  if (operator === "equals") return isSame(value, first);
  if (operator === "contains") return hasPart(value, first);
  if (operator === "begins-with") return isPrefix(value, first);
  const [low, high] = [rank(value, first), rank(value, last)];
  if (low === undefined || high === undefined) return false;
  if (operator === "between") return low >= 0 && high <= 0;
  if (operator === "less") return low < 0;
  if (operator === "at-most") return low <= 0;
  return operator === "greater" ? low > 0 : low >= 0;
}

/** The values of an operand: one, or all of a parameter with several. */
export function operandValues(
  operand: Operand,
  { type }: Attribute,
  parameters: Parameters,
): readonly AttributeValue[] {
  if (operand.kind === "constant") return [constantOf(type, operand.value)];
  const values = parameters.get(operand.name);
  if (values === undefined) throw new Error(`the parameter ${operand.name} has no value`);
  return values;
}

/** A constant of the document, as a value of the attribute or of a member of the set that the attribute is. */
function constantOf(type: Attribute["type"], constant: Constant): AttributeValue {
  if (typeof constant === "boolean") return { BOOL: constant };
  if (typeof constant === "number" || type === "N" || type === "NS") return { N: String(constant) };
  return type === "B" || type === "BS" ? { B: constant } : { S: constant };
}

/** Sorts like the answer to a question: entities without the attribute come first, whatever the direction. */
export function compareInOrder(order: readonly Order[], a: EntityValues, b: EntityValues): number {
  for (const { attribute, direction } of order) {
    const [one, other] = [a.get(attribute), b.get(attribute)];
    if (one === undefined && other === undefined) continue;
    if (one === undefined || other === undefined) return one === undefined ? -1 : 1;
    const difference = rank(one, other) ?? 0;
    if (difference !== 0) return direction === "ascending" ? difference : -difference;
  }
  return 0;
}

/** Below 0 if the first value comes before the second, above 0 if after; undefined if the two have no order. */
function rank(a: AttributeValue, b: AttributeValue): number | undefined {
  if ("N" in a && "N" in b) return compareDecimals(a.N, b.N);
  const [one, other] = [bytesOf(a), bytesOf(b)];
  const isSameType = "S" in a === "S" in b;
  return one === undefined || other === undefined || !isSameType
    ? undefined
    : Buffer.compare(one, other);
}

function bytesOf(value: AttributeValue): Buffer | undefined {
  if ("S" in value) return Buffer.from(value.S, "utf8");
  return "B" in value ? Buffer.from(value.B, "base64") : undefined;
}

/** Whether two values are equal. */
export function isSame(a: AttributeValue, b: AttributeValue): boolean {
  if ("S" in a && "S" in b) return a.S === b.S;
  if ("N" in a && "N" in b) return a.N === b.N || compareDecimals(a.N, b.N) === 0;
  if ("B" in a && "B" in b && a.B === b.B) return true;
  return normalForm(a) === normalForm(b);
}

/** One text for all values that are equal. */
export function normalForm(value: AttributeValue): string {
  if ("S" in value) return `S${JSON.stringify(value.S)}`;
  if ("N" in value) return `N${normalDecimal(value.N)}`;
  if ("B" in value) return `B${Buffer.from(value.B, "base64").toString("hex")}`;
  if ("BOOL" in value) return `BOOL${value.BOOL}`;
  if ("L" in value) return `L[${value.L.map(normalForm).join()}]`;
  if ("M" in value) {
    const members = Object.entries(value.M).map(
      ([name, one]) => `${JSON.stringify(name)}:${normalForm(one)}`,
    );
    return `M{${members.toSorted().join()}}`;
  }
  return `set(${membersOf(value).map(normalForm).toSorted().join()})`;
}

function membersOf(value: AttributeValue): readonly AttributeValue[] {
  if ("SS" in value) return value.SS.map((S) => ({ S }));
  if ("NS" in value) return value.NS.map((N) => ({ N }));
  if ("BS" in value) return value.BS.map((B) => ({ B }));
  return "L" in value ? value.L : [];
}

function hasPart(value: AttributeValue, part: AttributeValue): boolean {
  if ("S" in value && "S" in part) return value.S.includes(part.S);
  if ("B" in value && "B" in part) {
    return Buffer.from(value.B, "base64").includes(Buffer.from(part.B, "base64"));
  }
  return membersOf(value).some((one) => isSame(one, part));
}

function isPrefix(value: AttributeValue, start: AttributeValue): boolean {
  if ("S" in value && "S" in start) return value.S.startsWith(start.S);
  if (!("B" in value && "B" in start)) return false;
  const prefix = Buffer.from(start.B, "base64");
  return Buffer.from(value.B, "base64").subarray(0, prefix.length).equals(prefix);
}
