import type { Quantity } from "../../model/quantities.ts";
import type { Attribute, Pattern } from "../../model/requirements.ts";
import { totalRates } from "../check/rates.ts";
import type { Heat } from "../heat/heat.ts";
import { headline } from "../heat/words.ts";
import { numberText } from "../lint/words.ts";

export const notStated = "not stated";

/** A number that keeps its digits if it is small. */
export function amountOf(value: number): string {
  return value !== 0 && Math.abs(value) < 1
    ? value.toLocaleString("en-US", { maximumSignificantDigits: 2 })
    : numberText(value);
}

/** A number of the document with what it rests on, or that there is none. */
export function stated(quantity: Quantity | undefined, unit = ""): string {
  if (quantity === undefined) return notStated;
  const { value, assumed } = quantity;
  return `${amountOf(value)}${unit}${assumed ? " (assumed)" : ""}`;
}

export function percentOf(share: number): string {
  return `${(share * 100).toLocaleString("en-US", { maximumSignificantDigits: 3 })} %`;
}

const spans: readonly (readonly [number, string])[] = [
  [86_400_000, "day"],
  [3_600_000, "hour"],
  [60_000, "minute"],
  [1_000, "second"],
];

export function durationText(ms: number): string {
  for (const [length, word] of spans) {
    if (ms >= length && ms % length === 0) {
      const count = ms / length;
      return `${numberText(count)} ${word}${count === 1 ? "" : "s"}`;
    }
  }
  return ms >= 1_000 ? `${numberText(ms / 1_000)} seconds` : `${numberText(ms)} ms`;
}

export const typeWords: Readonly<Record<Attribute["type"], string>> = {
  S: "string",
  N: "number",
  B: "binary",
  BOOL: "boolean",
  NULL: "null",
  L: "list",
  M: "map",
  SS: "set of strings",
  NS: "set of numbers",
  BS: "set of binaries",
};

export const kindWords: Readonly<Record<Pattern["actions"][number]["kind"], string>> = {
  read: "reads",
  create: "creates",
  update: "changes",
  delete: "deletes",
  check: "checks",
};

/** `#1, #4`: patterns as the tables number them. */
export function patternList(ids: Iterable<string>): string {
  return [...new Set(ids)].map((id) => `#${id}`).join(", ");
}

/** What the peak does to keys, in one sentence. */
export function heatVerdict(heat: Heat): string {
  const text = headline(heat).slice(heat.name.length + 2);
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Requests per second of several patterns, with how many of them said nothing. */
export function ratesText(patterns: readonly Pattern[]): string {
  const { average, peak } = totalRates(patterns);
  const open = patterns.filter(({ rps }) => rps.average === undefined && rps.peak === undefined);
  if (patterns.length > 0 && open.length === patterns.length) return notStated;
  const rest =
    open.length === 0
      ? ""
      : `, without ${patternList(open.map(({ id }) => id))}, whose rates are not stated`;
  return `${amountOf(average)} on average, ${amountOf(peak)} at peak${rest}`;
}
