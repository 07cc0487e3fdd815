import type { AttributeValue } from "../../item/attribute-value.ts";
import type { Table } from "../../model/design.ts";
import type { Attribute } from "../../model/requirements.ts";
import { ksuidTime, ulidTime } from "./identifiers.ts";

/** The moment that a value of a format with time in it means, in milliseconds; nothing if it means none. */
export function timeOf(
  { format }: Pick<Attribute, "format">,
  value: AttributeValue | undefined,
): number | undefined {
  if (value === undefined || format === undefined) return undefined;
  const time = momentOf(format, value);
  return time !== undefined && Number.isFinite(time) ? time : undefined;
}

function momentOf(
  format: NonNullable<Attribute["format"]>,
  value: AttributeValue,
): number | undefined {
  switch (format) {
    case "iso-date":
    case "iso-time":
      return "S" in value ? Date.parse(value.S) : undefined;
    case "epoch-seconds":
      return "N" in value ? Number(value.N) * 1_000 : undefined;
    case "epoch-milliseconds":
      return "N" in value ? Number(value.N) : undefined;
    case "ulid":
      return ulidTime(value);
    case "ksuid":
      return ksuidTime(value);
    case "uuid":
      return undefined;
  }
}

export type Every = NonNullable<Table["periods"]>["every"];

/** What the table of the period that a moment lies in is called: the name of the table is put before it. */
export function periodName(every: Every, time: number): string {
  const date = new Date(time);
  const iso = date.toISOString();
  switch (every) {
    case "day":
      return iso.slice(0, 10);
    case "month":
      return iso.slice(0, 7);
    case "year":
      return iso.slice(0, 4);
    case "quarter":
      return `${iso.slice(0, 4)}-Q${Math.floor(date.getUTCMonth() / 3) + 1}`;
    case "week":
      return weekName(date);
  }
}

const dayMs = 86_400_000;

/** ISO weeks begin on Monday, and belong to the year that their Thursday is in. */
function weekName(date: Date): string {
  const thursday = new Date(date.getTime() + (3 - ((date.getUTCDay() + 6) % 7)) * dayMs);
  const year = thursday.getUTCFullYear();
  const week = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / (7 * dayMs)) + 1;
  return `${year}-W${String(week).padStart(2, "0")}`;
}

/** When the period that a moment lies in began. */
export function periodStart(every: Every, time: number): number {
  const date = new Date(time);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  switch (every) {
    case "day":
      return Date.UTC(year, month, day);
    case "week":
      return Date.UTC(year, month, day - ((date.getUTCDay() + 6) % 7));
    case "month":
      return Date.UTC(year, month);
    case "quarter":
      return Date.UTC(year, month - (month % 3));
    case "year":
      return Date.UTC(year, 0);
  }
}

/** The names of the period that now is in, and of the one before. */
export function currentPeriods(every: Every, now: number): readonly [string, string] {
  const before = periodStart(every, now) - 1;
  return [periodName(every, now), periodName(every, before)];
}
