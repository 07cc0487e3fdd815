import { sizeBytes } from "../document/measures.ts";
import type { Path } from "../document/path.ts";
import type { SkewDocument } from "./document-parts.ts";
import type { AttributeDocument, KeepsDocument } from "./document-requirements.ts";
import { digitsBytes, formats } from "./formats.ts";
import { makeOne, quantity, quantityOf, type Size, sizeOf } from "./quantities.ts";
import { entriesOf, type Reading } from "./reading.ts";
import type { Attribute, Keeps, Skew } from "./requirements.ts";

const collections: readonly string[] = ["L", "M", "SS", "NS", "BS"];
const assumedDigits = 10;

export function readAttribute(
  reading: Reading,
  name: string,
  document: AttributeDocument,
  isId: boolean,
  path: Path,
  isOptional = document.present !== undefined && quantity(document.present).value < 1,
): Attribute {
  const { type, format, digits, copyOf, present, elements } = document;
  checkKind(reading, document, path);
  if (format !== undefined && formats[format].bytes[type] === undefined) {
    const types = Object.keys(formats[format].bytes).join(" or ");
    reading.say([...path, "format"], `is ${format}, which is for ${types}, not for ${type}`);
  }
  const values = readValues(reading, document, path);
  const presence = present === undefined ? { value: 1, assumed: false } : quantity(present);
  if (isId && !["S", "N", "B"].includes(type)) {
    reading.say([...path, "type"], "cannot be in an id; an id has S, N and B");
  }
  if (isId && presence.value < 1) {
    reading.say([...path, "present"], "cannot be less than 1 of an id");
  }
  const { average, max } = elements ?? {};
  if (average !== undefined && max !== undefined && quantity(average).value > quantity(max).value) {
    reading.say([...path, "elements"], "has an average above its max");
  }
  return {
    name,
    path,
    description: document.description,
    type,
    format,
    size: readSize(reading, document, values, path),
    digits,
    elements: elements && {
      average: quantity(elements.average),
      max: quantityOf(elements.max),
    },
    values,
    distinct: quantityOf(document.distinct),
    skew: readSkew(document.skew),
    present: presence,
    isOptional,
    canBeNegative: false,
    unique: document.unique ?? false,
    mutable: document.mutable ?? !(isId || copyOf !== undefined),
    mutableStated: document.mutable !== undefined,
    counter: document.counter ?? false,
    personal: document.personal ?? false,
    copyOf: attributePlace(copyOf),
    refersTo: attributePlace(document.refersTo),
    keeps: readKeeps(document.keeps),
    staleness: document.staleness,
  };
}

/** An attribute of an entity, written `Plan.name`. */
function attributePlace(text: string | undefined): Attribute["copyOf"] {
  const [entity = "", attribute = ""] = text?.split(".") ?? [];
  return text === undefined ? undefined : { entity, attribute };
}

/** Members that mean nothing with the type. */
function checkKind(reading: Reading, document: AttributeDocument, path: Path): void {
  const { type } = document;
  const refuse = (member: keyof AttributeDocument, allowed: boolean, why: string): void => {
    if (document[member] !== undefined && !allowed) reading.say([...path, member], why);
  };
  const scalar = ["S", "N", "B"].includes(type);
  refuse("digits", type === "N" || type === "NS", `is for numbers, not for ${type}`);
  refuse("counter", type === "N", `is for numbers, not for ${type}`);
  refuse("elements", collections.includes(type), `is for lists, maps and sets, not for ${type}`);
  refuse("values", type === "S" || type === "N", `is for S and N, not for ${type}`);
  refuse("unique", scalar, `is for S, N and B, not for ${type}`);
  refuse("bytes", type !== "N", "is for other types; a number has 'digits'");
  refuse("bytes", type !== "BOOL" && type !== "NULL", `is always 1 of ${type}`);
  refuse("bytes", document.format === undefined, "is fixed by the format");
  refuse("refersTo", document.copyOf === undefined, "is not for copies, which repeat a value");
  refuse("keeps", type === "N", `is for numbers, not for ${type}`);
  refuse("keeps", document.copyOf === undefined, "is not for copies: what is copied is kept there");
  refuse(
    "staleness",
    document.copyOf !== undefined || document.keeps !== undefined,
    "is for copies and numbers that are kept; say 'copyOf' or 'keeps' too",
  );
}

function readKeeps(document: KeepsDocument | undefined): Keeps | undefined {
  if (document === undefined) return undefined;
  const { count } = document;
  if (count !== undefined) return { what: "count", of: count, attribute: undefined };
  for (const what of ["sum", "max", "min"] as const) {
    const [of = "", attribute = ""] = document[what]?.split(".") ?? [];
    if (of !== "") return { what, of, attribute };
  }
  return undefined;
}

function readSize(
  reading: Reading,
  { type, format, bytes, digits }: AttributeDocument,
  values: Attribute["values"],
  path: Path,
): Size | undefined {
  if (bytes !== undefined) return readBytes(reading, bytes, [...path, "bytes"]);
  const fixed = (size: number): Size => ({
    distribution: { kind: "fixed", bytes: size },
    from: "derived",
  });
  if (format !== undefined) return fixed(formats[format].bytes[type] ?? 0);
  if (digits !== undefined) return fixed(digitsBytes(digits));
  if (values !== undefined) {
    const shares = values.map(({ value, share }) => ({ bytes: valueBytes(value), share }));
    return { distribution: { kind: "shares", shares }, from: "derived" };
  }
  if (type === "BOOL" || type === "NULL") return fixed(1);
  if (type !== "N" && type !== "NS") return undefined;
  return {
    distribution: { kind: "fixed", bytes: digitsBytes(assumedDigits) },
    from: "assumed",
    why: `numbers of up to ${assumedDigits} digits`,
  };
}

function readBytes(
  reading: Reading,
  bytes: NonNullable<AttributeDocument["bytes"]>,
  path: Path,
): Size {
  if (typeof bytes === "object" && "shares" in bytes && !makeOne(Object.values(bytes.shares))) {
    reading.say([...path, "shares"], "must make 1 together");
  }
  if (typeof bytes === "object" && "min" in bytes && sizeBytes(bytes.min) > sizeBytes(bytes.max)) {
    reading.say(path, "has a min above its max");
  }
  return sizeOf(bytes);
}

function readValues(
  reading: Reading,
  { type, values }: AttributeDocument,
  path: Path,
): Attribute["values"] {
  if (values === undefined) return undefined;
  const at = [...path, "values"];
  const list = Array.isArray(values) as boolean;
  const pairs: readonly (readonly [string | number, number])[] = list
    ? (values as readonly (string | number)[]).map((value) => [
        value,
        1 / (values as readonly unknown[]).length,
      ])
    : entriesOf(values as Readonly<Record<string, number>>);
  if (!makeOne(pairs.map(([, share]) => share))) reading.say(at, "must have shares that make 1");
  const seen = new Set<string | number>();
  return pairs.map(([given, share], i) => {
    const value = type === "N" && !list ? Number(given) : given;
    const step = list ? i : String(given);
    if (typeof value !== (type === "N" ? "number" : "string") || Number.isNaN(value)) {
      const kind = type === "N" ? "a number" : "text (in quotes, if it looks like a number)";
      reading.say([...at, step], `must be ${kind}`, { isName: !list });
    }
    if (seen.has(value)) reading.say([...at, step], `is '${value}' a second time`);
    seen.add(value);
    return { value, share };
  });
}

function valueBytes(value: string | number): number {
  if (typeof value === "string") return new TextEncoder().encode(value).length;
  return digitsBytes(String(Math.abs(value)).replace(/\D|^0+|0+$/g, "").length);
}

export function readSkew(document: SkewDocument | undefined): Skew | undefined {
  if (document?.hottest !== undefined) {
    return { kind: "hottest", value: quantity(document.hottest) };
  }
  if (document?.zipf === undefined) return undefined;
  return { kind: "zipf", value: quantity(document.zipf) };
}
