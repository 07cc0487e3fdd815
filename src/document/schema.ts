import { assert } from "../base/assert.ts";
import { own } from "../base/record.ts";
import { didYouMean } from "./nearest.ts";
import type { Issue, Path } from "./path.ts";

/** The parts of JSON Schema that our schemas use. */
export interface Schema {
  readonly $schema?: string;
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly examples?: readonly unknown[];
  /** Alternatives of different types. */
  readonly anyOf?: readonly Schema[];
  /** Alternatives that differ in the properties that they require. */
  readonly oneOf?: readonly Schema[];
  readonly $defs?: Readonly<Record<string, Schema>>;
}

/** Holds a value, as JSON knows them, against a schema. */
export function checkSchema(value: unknown, schema: Schema): readonly Issue[] {
  const issues: Issue[] = [];
  check(value, schema, [], { root: schema, issues });
  return issues;
}

interface Run {
  readonly root: Schema;
  readonly issues: Issue[];
}

function check(value: unknown, given: Schema, path: Path, run: Run): void {
  const schema = resolve(given, run.root);
  const say = (message: string): void => void run.issues.push({ path, message });
  if (schema.anyOf !== undefined) {
    const choices = schema.anyOf.map((one) => resolve(one, run.root));
    const fitting = choices.filter((one) => fits(value, one, run.root));
    if (fitting.length === 0) {
      say(`must be ${choices.map(nameOf).join(" or ")}${meant(value, choices)}`);
    } else {
      run.issues.push(...fewest(fitting.map((one) => issuesOf(value, one, path, run.root))));
    }
    return;
  }
  if (!isOfType(value, schema)) say(`must be ${nameOf(schema)}${meant(value, [schema])}`);
  else if (typeof value === "string") checkText(value, schema, say);
  else if (typeof value === "number") checkNumber(value, schema, say);
  else if (Array.isArray(value)) checkList(value, schema, path, run, say);
  else if (isRecord(value)) checkRecord(value, schema, path, run, say);
}

function issuesOf(value: unknown, schema: Schema, path: Path, root: Schema): readonly Issue[] {
  const issues: Issue[] = [];
  check(value, schema, path, { root, issues });
  return issues;
}

/** None, if one alternative fits; otherwise what the first of them complains of. */
function fewest(all: readonly (readonly Issue[])[]): readonly Issue[] {
  return all.find((issues) => issues.length === 0) ?? all[0] ?? [];
}

function fits(value: unknown, schema: Schema, root: Schema): boolean {
  if (schema.anyOf === undefined) return isOfType(value, schema);
  return schema.anyOf.some((one) => fits(value, resolve(one, root), root));
}

/** The word that was probably meant, where only some words are allowed. */
function meant(value: unknown, choices: readonly Schema[]): string {
  if (typeof value !== "string") return "";
  return didYouMean(value, choices.flatMap(({ enum: words = [] }) => words).map(String));
}

function checkText(value: string, schema: Schema, say: Say): void {
  const { pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY, examples } = schema;
  if (value.length < minLength) {
    say(minLength === 1 ? "must not be empty" : `must have at least ${minLength} characters`);
  } else if (value.length > maxLength) {
    say(`must have at most ${maxLength} characters`);
  } else if (pattern !== undefined && !expression(pattern).test(value)) {
    say(`must look like ${(examples ?? []).map((one) => `"${one}"`).join(" or ")}`);
  }
}

const expressions = new Map<string, RegExp>();

/** The patterns are ours, so there are few of them. */
function expression(pattern: string): RegExp {
  let found = expressions.get(pattern);
  if (found === undefined) {
    found = new RegExp(pattern, "u");
    expressions.set(pattern, found);
  }
  return found;
}

function checkNumber(value: number, schema: Schema, say: Say): void {
  const { minimum, exclusiveMinimum, maximum } = schema;
  if (minimum !== undefined && value < minimum) say(`must be at least ${minimum}`);
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) {
    say(`must be more than ${exclusiveMinimum}`);
  }
  if (maximum !== undefined && value > maximum) say(`must be at most ${maximum}`);
}

function checkList(
  value: readonly unknown[],
  { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY }: Schema,
  path: Path,
  run: Run,
  say: Say,
): void {
  if (value.length < minItems) say(`must have at least ${minItems === 1 ? "one entry" : minItems}`);
  if (value.length > maxItems) say(`must have at most ${maxItems === 1 ? "one entry" : maxItems}`);
  if (items === undefined) return;
  for (const [index, one] of value.entries()) check(one, items, [...path, index], run);
}

function checkRecord(
  value: Readonly<Record<string, unknown>>,
  schema: Schema,
  path: Path,
  run: Run,
  say: Say,
): void {
  const { properties = {}, required = [], additionalProperties: others = true } = schema;
  const names = Object.keys(value);
  const { minProperties = 0, maxProperties = Number.POSITIVE_INFINITY } = schema;
  if (names.length < minProperties) say("must not be empty");
  if (names.length > maxProperties) say(`must have at most ${maxProperties} entries`);
  for (const name of required) if (!names.includes(name)) say(`needs '${name}'`);
  if (schema.oneOf !== undefined) checkChoice(names, schema.oneOf, say);
  for (const name of names) {
    const at = [...path, name];
    const known = own(properties, name) ?? (typeof others === "object" ? others : undefined);
    if (known !== undefined) check(value[name], known, at, run);
    else if (others === false) {
      const knownNames = Object.keys(properties);
      const message = `is not known here${didYouMean(name, knownNames) || ";"} known: ${knownNames.join(", ")}`;
      run.issues.push({ path: at, message, isName: true });
    }
    if (schema.propertyNames !== undefined && own(properties, name) === undefined) {
      checkText(name, resolve(schema.propertyNames, run.root), (message) => {
        run.issues.push({ path: at, message: `is a name that ${message}`, isName: true });
      });
    }
  }
}

function checkChoice(names: readonly string[], choices: readonly Schema[], say: Say): void {
  const begun = choices.filter(({ required = [] }) => required.some((one) => names.includes(one)));
  const [chosen] = begun;
  if (chosen === undefined || begun.length > 1) {
    say(
      `needs exactly one of ${choices.map(({ required = [] }) => required.join(" with ")).join(", ")}`,
    );
    return;
  }
  for (const name of chosen.required ?? []) if (!names.includes(name)) say(`needs '${name}'`);
}

type Say = (message: string) => void;

function resolve(schema: Schema, root: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const found = own(root.$defs ?? {}, schema.$ref.replace("#/$defs/", ""));
  assert(found !== undefined, `the schema lacks ${schema.$ref}`);
  return found;
}

function isOfType(value: unknown, { type, enum: values, const: only }: Schema): boolean {
  if (values !== undefined) return values.includes(value);
  if (only !== undefined) return value === only;
  switch (type) {
    case "integer":
      return Number.isSafeInteger(value);
    case "number":
      return typeof value === "number" && Number.isFinite(value);
    case "array":
      return Array.isArray(value);
    case "object":
      return isRecord(value);
    default:
      return type === undefined || typeof value === type;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const typeNames: Readonly<Record<string, string>> = {
  integer: "a whole number",
  number: "a number",
  string: "text",
  boolean: "true or false",
  array: "a list",
  object: "a map",
};

function nameOf({ type, enum: values, const: only, examples, anyOf }: Schema): string {
  if (anyOf !== undefined) return anyOf.map(nameOf).join(" or ");
  if (values !== undefined) return values.map((value) => `'${String(value)}'`).join(" or ");
  if (only !== undefined) return String(only);
  const name = own(typeNames, type ?? "") ?? "something else";
  return type !== "string" || examples === undefined ? name : `${name} such as "${examples[0]}"`;
}
