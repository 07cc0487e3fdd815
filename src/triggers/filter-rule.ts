import { TriggerOptionsError } from "./options-error.ts";

type Scalar = string | number | boolean | null;

/** What is asked of one value of a record. */
export type Rule =
  | { readonly kind: "equals"; readonly value: Scalar }
  | { readonly kind: "ignore-case"; readonly text: string }
  | { readonly kind: "prefix"; readonly text: string }
  | { readonly kind: "suffix"; readonly text: string }
  | { readonly kind: "anything-but"; readonly values: readonly (string | number)[] }
  | { readonly kind: "numeric"; readonly bounds: readonly NumericBound[] }
  | { readonly kind: "exists"; readonly wanted: boolean };

interface NumericBound {
  readonly operator: NumericOperator;
  readonly value: number;
}

const numericOperators = ["=", ">", ">=", "<", "<="] as const;
type NumericOperator = (typeof numericOperators)[number];

/** The names that make an object in a list of rules a rule, and `$or` of such objects a plain name. */
export const ruleNames: ReadonlySet<string> = new Set([
  "anything-but",
  "equals-ignore-case",
  "exists",
  "numeric",
  "prefix",
  "suffix",
]);

/** EventBridge has these as well, and Lambda's filters do not. */
const eventBridgeOnly: ReadonlySet<string> = new Set(["cidr", "wildcard"]);

/** `where` names the place in the pattern, for complaints. */
export function parseRule(value: unknown, where: string): Rule {
  if (isScalar(value)) return { kind: "equals", value };
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw wrong(where, 'a rule is a value or an object such as {"prefix": "a"}');
  }
  const entries = Object.entries(value);
  const [name = "", operand] = entries[0] ?? [];
  if (entries.length !== 1) throw wrong(where, "a rule has one comparison");
  if (eventBridgeOnly.has(name)) throw wrong(where, `Lambda's filters do not have '${name}'`);
  switch (name) {
    case "prefix":
    case "suffix":
      return { kind: name, text: textOf(operand, name, where) };
    case "equals-ignore-case":
      return { kind: "ignore-case", text: textOf(operand, name, where).toLowerCase() };
    case "exists":
      if (typeof operand !== "boolean") throw wrong(where, "'exists' takes true or false");
      return { kind: "exists", wanted: operand };
    case "anything-but":
      return { kind: "anything-but", values: excludedValues(operand, where) };
    case "numeric":
      return { kind: "numeric", bounds: numericBounds(operand, where) };
    default:
      throw wrong(where, `there is no comparison '${name}'`);
  }
}

function textOf(operand: unknown, name: string, where: string): string {
  if (typeof operand !== "string") throw wrong(where, `'${name}' takes a string`);
  return operand;
}

function excludedValues(operand: unknown, where: string): readonly (string | number)[] {
  const values: readonly unknown[] = Array.isArray(operand) ? operand : [operand];
  const texts = values.filter((value) => typeof value === "string");
  const numbers = values.filter((value) => typeof value === "number");
  if (values.length > 0 && texts.length === values.length) return texts;
  if (values.length > 0 && numbers.length === values.length) return numbers;
  throw wrong(where, "'anything-but' takes strings or numbers, one or a list of either");
}

function numericBounds(operand: unknown, where: string): readonly NumericBound[] {
  const complaint = () =>
    wrong(where, '\'numeric\' takes a list such as ["=", 5] or [">", 0, "<=", 5]');
  if (!Array.isArray(operand) || (operand.length !== 2 && operand.length !== 4)) throw complaint();
  const bounds: NumericBound[] = [];
  for (let at = 0; at < operand.length; at += 2) {
    const operator = numericOperators.find((known) => known === operand[at]);
    const value: unknown = operand[at + 1];
    if (operator === undefined || typeof value !== "number") throw complaint();
    bounds.push({ operator, value });
  }
  const [first, second] = bounds;
  if (second !== undefined && !isRange(first as NumericBound, second)) throw complaint();
  return bounds;
}

/** The lower bound comes first, and there is room above it. */
function isRange(lower: NumericBound, upper: NumericBound): boolean {
  return (
    lower.operator.startsWith(">") && upper.operator.startsWith("<") && lower.value < upper.value
  );
}

/** A value that is there; whether one is missing, only `exists` asks. */
export function ruleHolds(rule: Rule, value: Scalar): boolean {
  switch (rule.kind) {
    case "equals":
      return value === rule.value;
    case "ignore-case":
      return typeof value === "string" && value.toLowerCase() === rule.text;
    case "prefix":
      return typeof value === "string" && value.startsWith(rule.text);
    case "suffix":
      return typeof value === "string" && value.endsWith(rule.text);
    case "anything-but":
      return rule.values.every((excluded) => value !== excluded);
    case "numeric":
      return typeof value === "number" && rule.bounds.every((bound) => isWithin(bound, value));
    case "exists":
      return rule.wanted;
  }
}

function isWithin({ operator, value: bound }: NumericBound, value: number): boolean {
  switch (operator) {
    case "=":
      return value === bound;
    case ">":
      return value > bound;
    case ">=":
      return value >= bound;
    case "<":
      return value < bound;
    case "<=":
      return value <= bound;
  }
}

export function isScalar(value: unknown): value is Scalar {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}

function wrong(where: string, what: string): TriggerOptionsError {
  return new TriggerOptionsError(`a filter is wrong at ${where}: ${what}`);
}
