import { checkSchema, type Schema } from "../../src/document/schema.ts";
import { modelSchema } from "../../src/model/schema.ts";

/**
 * Lists what a document can say, from the schema, and what a document does say. An entry is a member
 * (`entities.*.count`), a word (`….kind = one-to-one`), a truth value, or an alternative (`….values | 1`). Entries of
 * a named part of the schema are listed once, under its name (`#bytes | 2`), wherever the part is used.
 */

/** Every entry of the requirements part of the schema. */
export function schemaEntries(): ReadonlySet<string> {
  const entries = new Set<string>();
  walkSchema(requirementsSchema, "", entries);
  return entries;
}

/** The entries that a document uses. */
export function documentEntries(document: unknown): ReadonlySet<string> {
  const entries = new Set<string>();
  walkDocument(plain(document), requirementsSchema, "", entries);
  return entries;
}

const { design: _, ...requirements } = modelSchema.properties ?? {};
const requirementsSchema: Schema = { ...modelSchema, properties: requirements };

function plain(document: unknown): unknown {
  return JSON.parse(JSON.stringify(document));
}

/** The schema that a reference means, and the place that its entries are listed under. */
function resolve(schema: Schema, at: string): { readonly schema: Schema; readonly at: string } {
  if (schema.$ref === undefined) return { schema, at };
  const name = schema.$ref.replace("#/$defs/", "");
  const part = modelSchema.$defs?.[name];
  if (part === undefined) throw new Error(`the schema has no ${schema.$ref}`);
  return { schema: part, at: `#${name}` };
}

function walkSchema(given: Schema, place: string, entries: Set<string>): void {
  const { schema, at } = resolve(given, place);
  for (const [i, alternative] of (schema.anyOf ?? []).entries()) {
    entries.add(`${at} | ${i}`);
    // A constant that is a truth value is one alternative, not two words.
    if (alternative.type !== "boolean") walkSchema(alternative, at, entries);
  }
  for (const word of wordsOf(schema)) entries.add(`${at} = ${word}`);
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    entries.add(`${at}.${name}`);
    walkSchema(member, `${at}.${name}`, entries);
  }
  if (typeof schema.additionalProperties === "object") {
    walkSchema(schema.additionalProperties, `${at}.*`, entries);
  }
  if (schema.items !== undefined) walkSchema(schema.items, `${at}[]`, entries);
}

function wordsOf({ enum: words = [], type }: Schema): readonly string[] {
  return type === "boolean" ? ["true", "false"] : words.map(String);
}

function walkDocument(value: unknown, given: Schema, place: string, entries: Set<string>): void {
  const { schema, at } = resolve(given, place);
  for (const [i, alternative] of (schema.anyOf ?? []).entries()) {
    if (!isValid(value, alternative)) continue;
    entries.add(`${at} | ${i}`);
    walkDocument(value, alternative, at, entries);
  }
  if (wordsOf(schema).includes(String(value))) entries.add(`${at} = ${String(value)}`);
  if (Array.isArray(value)) {
    for (const element of value) walkDocument(element, schema.items ?? {}, `${at}[]`, entries);
  } else if (typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      const known = Object.hasOwn(schema.properties ?? {}, name)
        ? schema.properties?.[name]
        : undefined;
      if (known !== undefined) {
        entries.add(`${at}.${name}`);
        walkDocument(member, known, `${at}.${name}`, entries);
      } else if (typeof schema.additionalProperties === "object") {
        walkDocument(member, schema.additionalProperties, `${at}.*`, entries);
      }
    }
  }
}

function isValid(value: unknown, schema: Schema): boolean {
  const root: Schema = { ...resolve(schema, "").schema, $defs: modelSchema.$defs ?? {} };
  return checkSchema(value, root).length === 0;
}
