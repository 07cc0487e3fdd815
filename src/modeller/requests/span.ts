import type { AttributeValue } from "../../item/attribute-value.ts";
import { type TimeUnit, unitLength } from "../../model/formats.ts";
import { type Transform, truncationOf } from "../../model/key-text.ts";
import type { Attribute, Predicate } from "../../model/requirements.ts";
import { timeOf } from "../values/time-of.ts";
import { type Given, MissingValueError, operandValues } from "./given.ts";

const stepMs: Readonly<Record<TimeUnit, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  // Shorter than any month or year, so that none is stepped over.
  month: 28 * 86_400_000,
  year: 365 * 86_400_000,
};

/** The most requests that a span of time is split into. */
export const spanUnitsMax = 10_000;

/** A value for each unit of time from one moment to another, both included. */
export function spanValues(
  attribute: Attribute,
  predicate: Predicate,
  transforms: readonly Transform[],
  given: Given,
): readonly AttributeValue[] {
  const [from, to] = predicate.operands.flatMap((one) => operandValues(given, attribute, one));
  const cut = truncationOf(transforms);
  if (predicate.operator === "begins-with" && from !== undefined) return [from];
  const [start, end] = [timeOf(attribute, from), timeOf(attribute, to)];
  if (cut === undefined || start === undefined || end === undefined) {
    throw new MissingValueError(`'${attribute.name}' needs both ends of a span of time`);
  }
  // Each unit once: steps may be shorter than it, and the last moment may lie in the same one as the step before.
  const units = new Map<string, AttributeValue>();
  const add = (time: number): void => {
    const unit = new Date(time).toISOString().slice(0, unitLength[cut]);
    if (!units.has(unit)) units.set(unit, valueAt(attribute, time));
  };
  for (let time = start; time < end; time += stepMs[cut]) {
    add(time);
    if (units.size > spanUnitsMax) {
      throw new MissingValueError(
        `'${attribute.name}' spans more than ${spanUnitsMax} of a ${cut}`,
      );
    }
  }
  add(end);
  return [...units.values()];
}

function valueAt({ format }: Attribute, time: number): AttributeValue {
  if (format === "epoch-seconds") return { N: String(Math.floor(time / 1_000)) };
  if (format === "epoch-milliseconds") return { N: String(time) };
  const iso = new Date(time).toISOString();
  return { S: format === "iso-date" ? iso.slice(0, 10) : iso };
}
