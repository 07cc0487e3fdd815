import { durationPattern, sizePattern } from "../document/measures.ts";
import type { Schema } from "../document/schema.ts";
import { either, flag, list, map, number, shape, text, whole, words } from "./schema-build.ts";

const assumed = (value: Schema, example: unknown): Schema =>
  shape(
    "A number that was assumed, not given, and why.",
    ["assumed"],
    { assumed: value, why: text("Why this number is likely.", "as in last year's shop") },
    { assumed: example, why: "as in last year's shop" },
  );

const amountOf = (description: string, value: Schema, example: number): Schema =>
  either(description, example, value, assumed(value, example));

const atLeastZero: Schema = { type: "number", minimum: 0, description: "A number.", examples: [5] };
const oneToNothing: Schema = {
  type: "number",
  minimum: 0,
  maximum: 1,
  description: "A share, from 0 to 1.",
  examples: [0.3],
};

const size: Schema = {
  description: "Bytes, or a number with B, KB (1,024 bytes) or MB.",
  examples: [200],
  anyOf: [
    { type: "number", minimum: 0 },
    { type: "string", pattern: sizePattern, examples: ["200 B", "4 KB"] },
  ],
};

const constant: Schema = {
  description: "A constant, or a parameter: its name after a dollar sign.",
  examples: ["$from"],
  anyOf: [{ type: "string" }, { type: "number" }, { type: "boolean" }],
};

/** In the order in which they are listed in complaints. */
export const operatorNames = [
  "equals",
  "one-of",
  "less",
  "at-most",
  "greater",
  "at-least",
  "between",
  "begins-with",
  "exists",
  "contains",
] as const;

const operators: Schema = shape(
  "Comparisons that all must hold.",
  [],
  {
    equals: { ...constant, description: "Equal to a constant or parameter." },
    "one-of": either(
      "Equal to one of these, or to one of the values of a parameter.",
      ["open", "paid"],
      list("The values.", constant, ["open", "paid"]),
      text("A parameter.", "$statuses"),
    ),
    less: { ...constant, description: "Less than." },
    "at-most": { ...constant, description: "Less than or equal." },
    greater: { ...constant, description: "Greater than." },
    "at-least": { ...constant, description: "Greater than or equal." },
    between: {
      ...list("From the first to the second, both included.", constant, ["$from", "$to"], 2),
      maxItems: 2,
    },
    "begins-with": text("Text that begins with this.", "$prefix"),
    exists: flag("Whether the attribute is there."),
    contains: { ...constant, description: "A text or set that contains this." },
  },
  { between: ["$from", "$to"] },
);

/** Parts with a name: `#/$defs/…`. */
export const partSchemas: Readonly<Record<string, Schema>> = {
  entityName: {
    type: "string",
    pattern: "^[A-Za-z][A-Za-z0-9_]*$",
    maxLength: 100,
    examples: ["Customer"],
    description: "Letters, digits and underscores, beginning with a letter.",
  },
  attributeName: {
    type: "string",
    pattern: "^[A-Za-z_][A-Za-z0-9_-]*$",
    maxLength: 255,
    examples: ["customerId"],
    description: "Letters, digits, underscores and hyphens, beginning with no digit.",
  },
  resourceName: {
    type: "string",
    minLength: 3,
    maxLength: 255,
    pattern: "^[A-Za-z0-9_.-]+$",
    examples: ["OrdersByCustomer"],
    description: "The name of a table or index: 3 to 255 of A-Z a-z 0-9 _ . -",
  },
  regionName: {
    type: "string",
    pattern: "^[a-z]{2}(-[a-z]+)+-[0-9]{1,2}$",
    examples: ["eu-west-1"],
    description: "The name of a Region.",
  },
  wordName: {
    type: "string",
    pattern: "^[A-Za-z0-9][A-Za-z0-9_-]*$",
    maxLength: 100,
    examples: ["1", "place-order"],
    description: "A number or a word.",
  },
  attributeOf: {
    type: "string",
    pattern: "^[A-Za-z][A-Za-z0-9_]*\\.[A-Za-z_][A-Za-z0-9_-]*$",
    examples: ["Plan.name"],
    description: "An entity and one of its attributes.",
  },
  amount: amountOf("A number, given or assumed.", atLeastZero, 1_000),
  share: amountOf("A share from 0 to 1, given or assumed.", oneToNothing, 0.3),
  size,
  bytes: {
    description:
      "How many bytes: always the same, evenly between two sizes, in shares, or assumed.",
    examples: [{ min: 12, max: 60 }],
    anyOf: [
      { type: "number", minimum: 0 },
      { type: "string", pattern: sizePattern, examples: ["200 B", "4 KB"] },
      shape(
        "Sizes that differ, or an assumed one.",
        [],
        {
          min: { ...size, description: "The smallest, where all sizes up to max are as likely." },
          max: { ...size, description: "The largest." },
          shares: map(
            "Sizes and which share of the values has them; the shares make 1.",
            oneToNothing,
            { "200": 0.9, "5000": 0.1 },
            {
              type: "string",
              pattern: "^\\d+(_\\d+)*$",
              examples: ["200", "5000"],
              description: "Bytes.",
            },
          ),
          assumed: { ...size, description: "A size that was assumed, not given." },
          why: text("Why this size is likely.", "three sentences"),
        },
        { shares: { "200": 0.9, "5000": 0.1 } },
        [["min", "max"], ["shares"], ["assumed"]],
      ),
    ],
  },
  duration: {
    description: "Seconds, or a number with ms, s, m, h or d.",
    examples: ["365d"],
    anyOf: [
      { type: "number", minimum: 0 },
      { type: "string", pattern: durationPattern, examples: ["50ms", "15m", "365d"] },
    ],
  },
  rate: {
    description:
      "Requests per second: the average, which is paid for, and the peak, which must be served.",
    examples: [{ average: 400, peak: 2_000 }],
    anyOf: [
      { type: "number", minimum: 0 },
      shape(
        "Average and peak.",
        [],
        {
          average: { $ref: "#/$defs/amount", description: "Over a month.", examples: [400] },
          peak: {
            $ref: "#/$defs/amount",
            description: "In the busiest minute.",
            examples: [2_000],
          },
          assumed: number("An average that was assumed, not given.", 5),
          why: text("Why this rate is likely.", "a tenth of the reads"),
        },
        { average: 400, peak: 2_000 },
      ),
    ],
  },
  operators,
  constant,
  where: map(
    "Conditions on attributes that all must hold. An operator alone compares with a parameter.",
    either(
      "An operator, or operators with what they compare with.",
      "equals",
      words("Compares with a parameter.", ...operatorNames),
      { $ref: "#/$defs/operators" },
    ),
    { customerId: "equals", status: { equals: "shipped" } },
    undefined,
    0,
  ),
  order: map(
    "Attributes that the answer is sorted by, the most important first.",
    words("The direction.", "ascending", "descending"),
    { createdAt: "descending" },
  ),
  limit: either(
    "How many are wanted at most: the size of a page, or all.",
    20,
    whole("So many.", 1, 20),
    words("Every one.", "all"),
  ),
  units: shape(
    "Units per second.",
    [],
    { read: whole("Read units.", 1, 100), write: whole("Write units.", 1, 50) },
    { read: 100, write: 50 },
  ),
  keyTexts: map(
    "Key attributes and what they are made of: text with {attribute}, {attribute|transform} and {shard:10} in it.",
    text("A key text.", "CUSTOMER#{customerId}", "ORDER#{createdAt|day}#{orderId}"),
    { PK: "CUSTOMER#{customerId}", SK: "PROFILE" },
  ),
};
