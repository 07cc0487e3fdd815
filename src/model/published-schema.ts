import type { Schema } from "../document/schema.ts";
import { modelSchema } from "./schema.ts";

/** Editors read `1_000_000` as text; we read it as a number. */
const grouped: Schema = { type: "string", pattern: "^-?\\d+(_\\d+)+(\\.\\d+)?$" };

/** The schema for editors. */
export function publishedSchema(): Schema {
  return published(modelSchema) as Schema;
}

function published(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(published);
  if (typeof value !== "object" || value === null) return value;
  const copy: { type?: unknown } & Record<string, unknown> = {};
  for (const [name, one] of Object.entries(value)) {
    copy[name] = name === "examples" ? one : published(one);
  }
  if (copy.type !== "integer" && copy.type !== "number") return copy;
  const { description, examples, ...rest } = copy;
  return {
    ...(description !== undefined && { description }),
    ...(examples !== undefined && { examples }),
    anyOf: [rest, grouped],
  };
}
