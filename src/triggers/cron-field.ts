import { TriggerOptionsError } from "./options-error.ts";

/** One of the six fields of a cron expression: its name, the numbers it takes and names for them. */
export interface FieldKind {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** In the order of the numbers, from `min` on. */
  readonly names?: readonly string[];
}

export const minutes: FieldKind = { name: "minutes", min: 0, max: 59 };
export const hours: FieldKind = { name: "hours", min: 0, max: 23 };
export const daysOfMonth: FieldKind = { name: "day-of-month", min: 1, max: 31 };
export const months: FieldKind = {
  name: "month",
  min: 1,
  max: 12,
  names: "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split(" "),
};
/** Sunday is 1. */
export const daysOfWeek: FieldKind = {
  name: "day-of-week",
  min: 1,
  max: 7,
  names: "SUN MON TUE WED THU FRI SAT".split(" "),
};
export const years: FieldKind = { name: "year", min: 1_970, max: 2_199 };

/** A list of values, ranges and steps: `5`, `1-5`, `MON-FRI`, `0/15`, `*`, `1,15,20-25`. */
export function parseField(text: string, kind: FieldKind): ReadonlySet<number> {
  const values = new Set<number>();
  for (const part of text.split(",")) {
    for (const value of parsePart(part, kind)) values.add(value);
  }
  return values;
}

function parsePart(part: string, kind: FieldKind): readonly number[] {
  const [range = "", stepText, ...more] = part.split("/");
  if (more.length > 0) throw wrongField(kind, `'${part}' has more than one '/'`);
  const step = stepText === undefined ? undefined : parseStep(stepText, part, kind);
  const [from, to] = parseRange(range, step !== undefined, kind);
  if (from > to) throw wrongField(kind, `the range '${range}' runs backwards`);
  const values: number[] = [];
  for (let value = from; value <= to; value += step ?? 1) values.push(value);
  return values;
}

function parseStep(text: string, part: string, kind: FieldKind): number {
  if (!/^[1-9][0-9]*$/.test(text)) throw wrongField(kind, `'${part}' has no step after '/'`);
  return Number(text);
}

function parseRange(
  text: string,
  hasStep: boolean,
  kind: FieldKind,
): readonly [from: number, to: number] {
  if (text === "*") return [kind.min, kind.max];
  const dash = text.indexOf("-");
  if (dash !== -1) {
    return [parseValue(text.slice(0, dash), kind), parseValue(text.slice(dash + 1), kind)];
  }
  const value = parseValue(text, kind);
  // A step goes on from its start to the end of the field.
  return [value, hasStep ? kind.max : value];
}

export function parseValue(text: string, kind: FieldKind): number {
  const named = kind.names?.indexOf(text.toUpperCase()) ?? -1;
  if (named !== -1) return kind.min + named;
  const value = /^[0-9]{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= kind.min && value <= kind.max)) {
    throw wrongField(kind, `'${text}' is not between ${kind.min} and ${kind.max}`);
  }
  return value;
}

export function wrongField(kind: FieldKind, what: string): TriggerOptionsError {
  return new TriggerOptionsError(`the ${kind.name} field of a cron expression is wrong: ${what}`);
}
