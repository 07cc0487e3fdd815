import { cutLength, type TimeUnit } from "./key-parts.ts";
import { ksuidTime } from "./ksuid.ts";
import { isNumberLike, numberText, ValueError } from "./numbers.ts";
import { type Period, periodName, periodStart } from "./period.ts";
import { ulidTime } from "./ulid.ts";

/** Values that say a time, the units between two of them, and the tables of periods that they lie in. */

export type TimeFormat =
  | "iso-date"
  | "iso-time"
  | "epoch-seconds"
  | "epoch-milliseconds"
  | "ulid"
  | "ksuid";

/** The moment that a value means, in milliseconds. */
export function momentOf(value: unknown, format: TimeFormat): number {
  const time = momentIn(value, format);
  if (time === undefined || !Number.isFinite(time)) {
    throw new ValueError(`${String(value)} says no time`);
  }
  return time;
}

function momentIn(value: unknown, format: TimeFormat): number | undefined {
  if (typeof value === "string") {
    if (format === "iso-date" || format === "iso-time") return Date.parse(value);
    if (format === "ulid") return ulidTime(value);
    return format === "ksuid" ? ksuidTime(value) : undefined;
  }
  if (!isNumberLike(value)) return undefined;
  const number = Number(numberText(value));
  if (format === "epoch-seconds") return number * 1_000;
  return format === "epoch-milliseconds" ? number : undefined;
}

/** The longest step that leaves out no unit: months and years are not all as long. */
const stepMilliseconds: Readonly<Record<TimeUnit, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  month: 28 * 86_400_000,
  year: 365 * 86_400_000,
};

const unitsMax = 10_000;

/** A value for each unit of time from one moment to another, both included, each unit once. */
export function spanBetween<T extends string | number | bigint>(
  from: T,
  to: T,
  unit: TimeUnit,
  format: TimeFormat,
): readonly T[] {
  const end = momentOf(to, format);
  const units = new Map<string, T>();
  const add = (time: number): void => {
    const name = new Date(time).toISOString().slice(0, cutLength[unit]);
    if (!units.has(name)) units.set(name, valueAt(time, format) as T);
  };
  for (let time = momentOf(from, format); time < end; time += stepMilliseconds[unit]) {
    add(time);
    if (units.size > unitsMax) throw new ValueError(`more than ${unitsMax} of a ${unit}`);
  }
  add(end);
  return [...units.values()];
}

function valueAt(time: number, format: TimeFormat): string | number {
  if (format === "epoch-seconds") return Math.floor(time / 1_000);
  if (format === "epoch-milliseconds") return time;
  const iso = new Date(time).toISOString();
  return format === "iso-date" ? iso.slice(0, 10) : iso;
}

/** Of the periods that there are, those from one moment to another in the order of reading. */
export function periodsWithin(
  periods: readonly string[],
  every: Period,
  {
    from,
    to,
    forward,
  }: { readonly from?: number; readonly to?: number; readonly forward: boolean },
): readonly string[] {
  const first = from === undefined ? undefined : periodName(every, from);
  const last = to === undefined ? undefined : periodName(every, to);
  const chosen = periods.filter(
    (period) => (first === undefined || period >= first) && (last === undefined || period <= last),
  );
  return [...chosen].sort((a, b) => (forward === a < b ? -1 : 1));
}

/** The period of a moment, if it is one of those that there are. */
export function periodOf(
  periods: readonly string[],
  every: Period,
  time: number,
): readonly string[] {
  return periods.filter((period) => period === periodName(every, time));
}

/** The newest periods, the current one first. */
export function lastPeriods(every: Period, count: number, now: number): readonly string[] {
  const names: string[] = [];
  for (let at = now; names.length < count; at = periodStart(every, at) - 1) {
    names.push(periodName(every, at));
  }
  return names;
}
