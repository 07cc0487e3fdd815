import type { Schema } from "../document/schema.ts";

/** Words to write a schema with. Every member says what it means and shows an example. */

export function text(description: string, ...examples: string[]): Schema {
  return { type: "string", minLength: 1, description, examples };
}

export function flag(description: string): Schema {
  return { type: "boolean", description, examples: [true] };
}

export function whole(description: string, minimum: number, example: number, max?: number): Schema {
  return {
    type: "integer",
    minimum,
    ...(max !== undefined && { maximum: max }),
    description,
    examples: [example],
  };
}

export function number(description: string, example: number): Schema {
  return { type: "number", description, examples: [example] };
}

export function words(description: string, ...choices: string[]): Schema {
  return { enum: choices, description, examples: choices.slice(0, 1) };
}

export function list(description: string, items: Schema, example: unknown, minItems = 1): Schema {
  return { type: "array", minItems, items, description, examples: [example] };
}

export function map(
  description: string,
  values: Schema,
  example: unknown,
  names?: Schema,
  minProperties = 1,
): Schema {
  return {
    type: "object",
    minProperties,
    additionalProperties: values,
    ...(names !== undefined && { propertyNames: names }),
    description,
    examples: [example],
  };
}

export function shape(
  description: string,
  required: readonly string[],
  properties: Readonly<Record<string, Schema>>,
  example: unknown,
  oneOf?: readonly (readonly string[])[],
): Schema {
  return {
    type: "object",
    required,
    additionalProperties: false,
    properties,
    ...(oneOf !== undefined && { oneOf: oneOf.map((one) => ({ required: one })) }),
    description,
    examples: [example],
  };
}

export function either(description: string, example: unknown, ...anyOf: Schema[]): Schema {
  return { anyOf, description, examples: [example] };
}

/** A named part of the schema, with what it means here. */
export function part(name: string, description: string, example: unknown): Schema {
  return { $ref: `#/$defs/${name}`, description, examples: [example] };
}
