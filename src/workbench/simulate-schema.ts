import { assert } from "../base/assert.ts";
import { own } from "../base/record.ts";

/** What is wrong in a document, and where. */
export interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** It is the name that is wrong, not what it stands for. */
  readonly isName?: boolean;
}

/** The parts of JSON Schema that our schemas use. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly minProperties?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly examples?: readonly string[];
  /** Alternatives of different types. */
  readonly anyOf?: readonly Schema[];
  /** Alternatives that differ in the property that they require. */
  readonly oneOf?: readonly Schema[];
  readonly $defs?: Readonly<Record<string, Schema>>;
}

type Path = readonly (string | number)[];

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
    const fitting = schema.anyOf.find((one) => isOfType(value, resolve(one, run.root)));
    if (fitting !== undefined) check(value, fitting, path, run);
    else say(`must be ${schema.anyOf.map((one) => nameOf(resolve(one, run.root))).join(" or ")}`);
    return;
  }
  if (!isOfType(value, schema)) say(`must be ${nameOf(schema)}`);
  else if (typeof value === "string") checkText(value, schema, say);
  else if (typeof value === "number") checkNumber(value, schema, say);
  else if (Array.isArray(value)) checkList(value, schema, path, run, say);
  else if (isRecord(value)) checkRecord(value, schema, path, run, say);
}

function checkText(value: string, { pattern, minLength = 0, examples }: Schema, say: Say): void {
  if (value.length < minLength) say("must not be empty");
  if (pattern !== undefined && !new RegExp(pattern).test(value)) {
    say(`must look like ${(examples ?? []).map((one) => `"${one}"`).join(" or ")}`);
  }
}

function checkNumber(value: number, { minimum, maximum }: Schema, say: Say): void {
  if (minimum !== undefined && value < minimum) say(`must be at least ${minimum}`);
  if (maximum !== undefined && value > maximum) say(`must be at most ${maximum}`);
}

function checkList(
  value: readonly unknown[],
  { items, minItems = 0 }: Schema,
  path: Path,
  run: Run,
  say: Say,
): void {
  if (value.length < minItems) say(`must have at least ${minItems === 1 ? "one entry" : minItems}`);
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
  if (names.length < (schema.minProperties ?? 0)) say("must not be empty");
  for (const name of required) if (!names.includes(name)) say(`needs '${name}'`);
  if (schema.oneOf !== undefined) checkChoice(names, schema.oneOf, say);
  for (const name of names) {
    const known = own(properties, name) ?? (typeof others === "object" ? others : undefined);
    if (known !== undefined) check(value[name], known, [...path, name], run);
    else if (others === false) {
      const knownNames = Object.keys(properties).join(", ");
      run.issues.push({
        path: [...path, name],
        message: `is not known here; known: ${knownNames}`,
        isName: true,
      });
    }
  }
}

function checkChoice(names: readonly string[], choices: readonly Schema[], say: Say): void {
  const keys = choices.flatMap(({ required = [] }) => required);
  if (keys.filter((key) => names.includes(key)).length !== 1) {
    say(`needs exactly one of ${keys.join(", ")}`);
  }
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
      return typeof value === type;
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

function nameOf({ type, enum: values, const: only, examples }: Schema): string {
  if (values !== undefined) return values.map((value) => `'${String(value)}'`).join(" or ");
  if (only !== undefined) return String(only);
  const name = own(typeNames, type ?? "") ?? "something else";
  return examples === undefined ? name : `${name} such as "${examples[0]}"`;
}
