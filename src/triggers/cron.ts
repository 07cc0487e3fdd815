import {
  daysOfMonth,
  daysOfWeek,
  hours,
  minutes,
  months,
  parseField,
  parseValue,
  wrongField,
  years,
} from "./cron-field.ts";
import { TriggerOptionsError } from "./options-error.ts";

/** Which days of a month are meant; the numbers of a month's days, in UTC. */
type Days =
  | { readonly kind: "dates"; readonly dates: ReadonlySet<number> }
  | { readonly kind: "last-date" }
  | { readonly kind: "last-weekday" }
  /** The day from Monday to Friday that is nearest, in the same month. */
  | { readonly kind: "nearest-weekday"; readonly date: number }
  | { readonly kind: "days-of-week"; readonly days: ReadonlySet<number> }
  | { readonly kind: "last-of-month"; readonly day: number }
  | { readonly kind: "nth-of-month"; readonly day: number; readonly nth: number };

/** A cron expression of EventBridge, in UTC. */
export interface Cron {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly days: Days;
  readonly months: ReadonlySet<number>;
  readonly years: ReadonlySet<number>;
}

/** What stands between the parentheses of `cron(…)`: six fields parted by blanks. */
export function parseCron(text: string): Cron {
  const fields = text.trim().split(/\s+/);
  if (fields.length !== 6) {
    throw new TriggerOptionsError(
      `a cron expression has six fields (minutes hours day-of-month month day-of-week year), not ${fields.length}: '${text}'`,
    );
  }
  const [minute = "", hour = "", date = "", month = "", day = "", year = ""] = fields;
  return {
    minutes: inOrder(parseField(minute, minutes)),
    hours: inOrder(parseField(hour, hours)),
    days: parseDays(date, day),
    months: parseField(month, months),
    years: parseField(year, years),
  };
}

const inOrder = (values: ReadonlySet<number>): readonly number[] =>
  [...values].toSorted((a, b) => a - b);

function parseDays(date: string, day: string): Days {
  if ((date === "?") === (day === "?")) {
    throw new TriggerOptionsError(
      "a cron expression says either day-of-month or day-of-week; put ? into the other",
    );
  }
  return date === "?" ? parseDayOfWeek(day) : parseDayOfMonth(date);
}

function parseDayOfMonth(text: string): Days {
  const upper = text.toUpperCase();
  if (upper === "L") return { kind: "last-date" };
  if (upper === "LW" || upper === "WL") return { kind: "last-weekday" };
  if (upper.endsWith("W")) {
    return { kind: "nearest-weekday", date: parseValue(upper.slice(0, -1), daysOfMonth) };
  }
  return { kind: "dates", dates: parseField(text, daysOfMonth) };
}

function parseDayOfWeek(text: string): Days {
  const upper = text.toUpperCase();
  // The last day of the week.
  if (upper === "L") return { kind: "days-of-week", days: new Set([daysOfWeek.max]) };
  if (upper.includes("#")) {
    const [day = "", nth = ""] = upper.split("#");
    if (!/^[1-5]$/.test(nth))
      throw wrongField(daysOfWeek, `'${text}' has no number 1 to 5 after #`);
    return { kind: "nth-of-month", day: parseValue(day, daysOfWeek), nth: Number(nth) };
  }
  if (upper.endsWith("L")) {
    return { kind: "last-of-month", day: parseValue(upper.slice(0, -1), daysOfWeek) };
  }
  return { kind: "days-of-week", days: parseField(text, daysOfWeek) };
}

const dayMs = 86_400_000;
const minuteMs = 60_000;

/** The first time after `after`, in milliseconds since the epoch; undefined if none is left. */
export function nextCronTime(cron: Cron, after: number): number | undefined {
  const earliest = Math.floor(after / minuteMs + 1) * minuteMs;
  const begin = new Date(earliest);
  for (let year = begin.getUTCFullYear(); year <= years.max; year += 1) {
    if (!cron.years.has(year)) continue;
    const firstMonth = year === begin.getUTCFullYear() ? begin.getUTCMonth() : 0;
    for (let month = firstMonth; month < 12; month += 1) {
      if (!cron.months.has(month + 1)) continue;
      for (const date of datesOf(cron.days, year, month)) {
        const midnight = Date.UTC(year, month, date);
        const found = midnight + dayMs > earliest && timeOfDay(cron, earliest - midnight);
        if (typeof found === "number") return midnight + found;
      }
    }
  }
  return undefined;
}

/** The first time of a day that is not before `least`, in milliseconds since midnight. */
function timeOfDay({ hours: ofDay, minutes: ofHour }: Cron, least: number): number | undefined {
  for (const hour of ofDay) {
    for (const minute of ofHour) {
      const time = (hour * 60 + minute) * minuteMs;
      if (time >= least) return time;
    }
  }
  return undefined;
}

/** In order. */
function datesOf(days: Days, year: number, month: number): readonly number[] {
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const all = Array.from({ length: last }, (_, index) => index + 1);
  const weekday = (date: number): number => new Date(Date.UTC(year, month, date)).getUTCDay() + 1;
  switch (days.kind) {
    case "dates":
      return all.filter((date) => days.dates.has(date));
    case "last-date":
      return [last];
    case "last-weekday":
      return [nearestWeekday(last, last, weekday)];
    case "nearest-weekday":
      return days.date > last ? [] : [nearestWeekday(days.date, last, weekday)];
    case "days-of-week":
      return all.filter((date) => days.days.has(weekday(date)));
    case "last-of-month":
      return all.filter((date) => weekday(date) === days.day).slice(-1);
    case "nth-of-month":
      return all.filter((date) => weekday(date) === days.day).slice(days.nth - 1, days.nth);
  }
}

const sunday = 1;
const saturday = 7;

function nearestWeekday(date: number, last: number, weekday: (date: number) => number): number {
  if (weekday(date) === saturday) return date === 1 ? 3 : date - 1;
  if (weekday(date) === sunday) return date === last ? date - 2 : date + 1;
  return date;
}
