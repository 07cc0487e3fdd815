import type { AttributeValue } from "../../../item/attribute-value.ts";
import type { FormatName } from "../../../model/document-requirements.ts";
import type { Attribute, Entity, Predicate } from "../../../model/requirements.ts";
import { constantValue } from "../../values/holds.ts";
import type { EntityValues } from "../../values/render-key.ts";
import { plainValue } from "../identity.ts";
import { awkwardValues } from "../perturb.ts";

/** Values that a witness may give to an attribute. They come from the model and from entities, never from a key. */

/** More values of other entities are not considered, unless more are wanted. */
const knownMax = 12;
/** Number of values to enumerate, if the model allows that many. */
export const fewest = 8;
/** Moments around a known one, in milliseconds. */
const day = 86_400_000;
const steps = [day, -day, 3_600_000, 60_000, 1_000, 400 * day, -400 * day];

/** `undefined` stands for an entity without the attribute. */
export type Candidate = AttributeValue | undefined;

/**
 * Candidate values of an attribute, without repetitions; those of existing entities come first. A pinned attribute takes
 * no others: it decides when an item expires, or in which table it is stored. All others have as many that fit as are wanted,
 * unless the model allows fewer.
 */
export function domainOf(
  entity: Entity,
  attribute: Attribute,
  where: readonly Predicate[],
  known: readonly EntityValues[],
  isPinned: boolean,
  wanted = fewest,
  isFit: (value: Candidate) => boolean = () => true,
): readonly Candidate[] {
  const found = new Map<string, Candidate>();
  let fitting = 0;
  const add = (value: Candidate, isStated = false): void => {
    const text = JSON.stringify(value) ?? "";
    const isKnown = isAllowed(attribute, value) || (isStated && isFraction(attribute, value));
    if (found.has(text) || !isKnown) return;
    found.set(text, value);
    if (isFit(value)) fitting += 1;
  };
  for (const values of known) {
    if (found.size >= knownMax && fitting >= wanted) break;
    const value = values.get(attribute.name);
    if (value !== undefined) add(value);
  }
  for (const { attribute: name, operator, operands } of isPinned ? [] : where) {
    if (name !== attribute.name) continue;
    for (const operand of operands) {
      if (operand.kind !== "constant") continue;
      const value = constantValue(attribute, operand.value);
      if (value === undefined) continue;
      add(value, operator === "equals" || operator === "one-of");
      for (const one of aroundConstant(attribute, value, [...found.values()])) add(one);
    }
  }
  for (const one of isPinned ? [] : ofType(attribute, [...found.values()])) add(one);
  const bases = isPinned || attribute.values !== undefined ? [] : [...found.values()];
  for (let step = 1; fitting < wanted && step <= 2 * wanted && bases.length > 0; step += 1) {
    for (const one of bases) {
      const value = one && varied(attribute, one, step);
      if (value !== undefined) add(value);
    }
  }
  const canMiss = attribute.isOptional && !entity.id.includes(attribute.name);
  return [...found.values(), ...(canMiss ? [undefined] : [])].filter(isFit);
}

/** A constant as the attribute's value, values next to it, and values that it is a part of. */
function aroundConstant(
  attribute: Attribute,
  value: AttributeValue,
  known: readonly Candidate[],
): readonly Candidate[] {
  const { type, format } = attribute;
  if (type === "SS" && "S" in value) return [{ SS: [value.S] }, { SS: [`${value.S}0`] }];
  if (type === "NS" && "N" in value) {
    return [{ NS: [value.N] }, { NS: [String(Number(value.N) + 1)] }];
  }
  if (type === "BS" && "B" in value) return [{ BS: [value.B] }];
  if (type === "L") return [{ L: [value] }, { L: [] }];
  if (format !== undefined) {
    const next = [1, 2].map((step) => varied(attribute, value, step));
    return [value, ...next, ...holding(attribute, value, known)];
  }
  if ("N" in value) {
    return [value, ...[1, -1].map((step) => ({ N: String(Number(value.N) + step) }))];
  }
  return "S" in value ? [value, { S: `${value.S}0` }, { S: value.S.slice(0, -1) }] : [value];
}

/** Identifiers that begin with a text, and others that end with it. */
function holding(
  attribute: Attribute,
  part: AttributeValue,
  known: readonly Candidate[],
): readonly AttributeValue[] {
  const base = known.find((one) => one !== undefined) ?? exampleOf(attribute);
  if (!("S" in part && "S" in base) || part.S.length >= base.S.length) return [];
  const { length } = part.S;
  return [{ S: part.S + base.S.slice(length) }, { S: base.S.slice(0, -length) + part.S }];
}

function ofType(attribute: Attribute, known: readonly Candidate[]): readonly AttributeValue[] {
  const { type, format, values } = attribute;
  if (type === "BOOL") return [{ BOOL: true }, { BOOL: false }];
  const [first] = known.flatMap((one) => (one === undefined ? [] : [one]));
  if (values !== undefined || format === undefined) {
    const awkward = awkwardValues(attribute, false);
    return awkward.length > 0 || first !== undefined ? awkward : [plainValue(attribute)];
  }
  const base = first ?? exampleOf(attribute);
  const ends = type === "S" ? (edges.get(format) ?? []) : [];
  return [
    base,
    ...steps.flatMap((step) => moved(attribute, base, step)),
    ...ends.map((S) => ({ S })),
  ];
}

/** The least and the greatest identifier of a format. */
const edges: ReadonlyMap<FormatName, readonly string[]> = new Map([
  ["uuid", ["00000000-0000-4000-8000-000000000000", "ffffffff-ffff-4fff-bfff-ffffffffffff"]],
  ["ulid", ["00000000000000000000000000", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ"]],
  ["ksuid", ["000000000000000000000000000", "aWgEPTl1tmebfsQzFP4bxwgy80V"]],
]);

/** A value of a format, where no entity has one: what expires does so later. */
function exampleOf({ type, format }: Attribute): AttributeValue {
  const time = "2036-01-10T10:00:00.000Z";
  if (format === "iso-date") return { S: time.slice(0, 10) };
  if (format === "iso-time") return { S: time };
  if (format === "epoch-seconds") return { N: String(Date.parse(time) / 1_000) };
  if (format === "epoch-milliseconds") return { N: String(Date.parse(time)) };
  if (type === "B") return { B: Buffer.alloc(format === "ksuid" ? 20 : 16, 7).toString("base64") };
  if (format === "uuid") return { S: "019b5a00-0000-7000-8000-000000000000" };
  return { S: format === "ulid" ? "01KEKM0N00000000000000000A" : "37zXxgzs0000000000000000000" };
}

/** Another value near to one: the first of them is greater, the second one is less, and so on. */
function varied(attribute: Attribute, value: AttributeValue, step: number): Candidate {
  const { format } = attribute;
  const distance = step % 2 === 0 ? -step / 2 : (step + 1) / 2;
  const [moment] = moved(attribute, value, -distance * (format === "iso-date" ? day : 1_000));
  if (moment !== undefined) return moment;
  if ("N" in value) {
    const number = Number(value.N);
    const next = number + distance;
    // Numbers with zeros before them are never negative.
    const isNumber = Number.isSafeInteger(Math.trunc(next)) && (next >= 0 || number < 0);
    return isNumber ? { N: String(next) } : undefined;
  }
  const digits = String(step);
  if ("S" in value) {
    return { S: format === undefined ? `${value.S}${digits}` : withTail(value.S, digits) };
  }
  if ("B" in value) return { B: withBytes(value.B, step, format === undefined) };
  if ("SS" in value) return { SS: [...value.SS, digits] };
  if ("NS" in value) return { NS: [...value.NS, String(1_000 + step)] };
  if ("BS" in value) return { BS: [...value.BS, withBytes("", step, true)] };
  return "L" in value ? { L: [...value.L, { S: digits }] } : undefined;
}

/** Numbers with a fraction, for those that have few digits. */
export function fractionsOf(attribute: Attribute): readonly AttributeValue[] {
  const { type, format, values } = attribute;
  if (type !== "N" || format !== undefined || values !== undefined) return [];
  return Array.from({ length: 99 }, (_, i) => ({ N: String((i + 1) / 10) })).filter(
    (one) => one.N.includes(".") && isAllowed(attribute, one),
  );
}

/** The same bytes with two more behind them, or with another end. */
function withBytes(base64: string, step: number, isLonger: boolean): string {
  const bytes = Buffer.from(base64, "base64");
  const tail = Buffer.from([Math.floor(step / 256) % 256, step % 256]);
  const start = isLonger ? bytes : bytes.subarray(0, -2);
  return Buffer.concat([start, tail]).toString("base64");
}

/** The same text with digits at its end: all identifiers may have digits anywhere. */
function withTail(text: string, digits: string): string {
  return text.slice(0, text.length - 4) + digits.padStart(4, "0").slice(-4);
}

/** A moment that lies earlier or later. */
function moved(
  { format }: Attribute,
  value: AttributeValue,
  step: number,
): readonly AttributeValue[] {
  if (format === "epoch-seconds" && "N" in value) {
    return [{ N: String(Number(value.N) - Math.round(step / 1_000)) }];
  }
  if (format === "epoch-milliseconds" && "N" in value) {
    return [{ N: String(Number(value.N) - step) }];
  }
  if ((format !== "iso-date" && format !== "iso-time") || !("S" in value)) return [];
  const time = Date.parse(value.S) - step;
  if (!Number.isFinite(time)) return [];
  return [{ S: new Date(time).toISOString().slice(0, value.S.length) }];
}

/** What the texts of a format look like. */
const shapes: Readonly<Record<FormatName, RegExp>> = {
  "iso-date": /^\d{4}-\d\d-\d\d$/,
  "iso-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  "epoch-seconds": /^\d{10}$/,
  "epoch-milliseconds": /^\d{13}$/,
  ulid: /^[0-9A-HJKMNP-TV-Z]{26}$/i,
  ksuid: /^[0-9A-Za-z]{27}$/,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
};

/** A pattern may ask for a number with more digits than are stated, if they are those of a fraction. */
function isFraction({ type, format, digits, values }: Attribute, value: Candidate): boolean {
  if (value === undefined || !("N" in value) || type !== "N") return false;
  if (format !== undefined || values !== undefined) return false;
  const [whole = "", fraction] = value.N.replace("-", "").split(".");
  return fraction !== undefined && whole.length <= (digits ?? 38);
}

/** Whether the model allows the value. */
function isAllowed({ type, format, digits, values }: Attribute, value: Candidate): boolean {
  if (value === undefined) return true;
  if (!Object.hasOwn(value, type)) return false;
  if (values !== undefined) {
    const text = "N" in value ? value.N : "S" in value ? value.S : undefined;
    return values.some((one) => String(one.value) === text);
  }
  if ("S" in value && value.S === "") return false;
  if ("S" in value && format !== undefined) return shapes[format].test(value.S);
  if (!("N" in value) || format !== undefined) return true;
  return value.N.replace(/[-.]/g, "").length <= Math.min(digits ?? 38, 38);
}

/** More combinations of values are not considered. */
const placesMax = 4_000;

/**
 * Places in lists of values: first the i-th of each list, so that all of them differ; then each combination of those that are
 * parts of an id.
 */
export function* placesIn(
  lists: readonly { readonly values: readonly Candidate[]; readonly isPart: boolean }[],
): Generator<readonly number[]> {
  const longest = Math.max(1, ...lists.map(({ values }) => values.length));
  for (let i = 0; i < longest; i += 1) yield lists.map(() => i);
  const all = lists.reduce((n, { values, isPart }) => (isPart ? n * values.length : n), 1);
  for (let i = 0; i < Math.min(all, placesMax); i += 1) {
    let rest = i;
    yield lists.map(({ values, isPart }) => {
      if (!isPart) return i;
      const place = rest % values.length;
      rest = Math.floor(rest / values.length);
      return place;
    });
  }
}
