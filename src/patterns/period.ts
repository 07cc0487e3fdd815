/** Tables for periods of time, such as one a month: their names, and which of them a span of time lies in. */

export type Period = "day" | "week" | "month" | "quarter" | "year";

const dayMilliseconds = 86_400_000;

/** What the period of a moment is called: `2026-11-16`, `2026-W47`, `2026-11`, `2026-Q4`, `2026`. */
export function periodName(every: Period, time: number): string {
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

/** ISO weeks begin on Monday, and belong to the year that their Thursday is in. */
function weekName(date: Date): string {
  const sinceMonday = (date.getUTCDay() + 6) % 7;
  const thursday = new Date(date.getTime() + (3 - sinceMonday) * dayMilliseconds);
  const year = thursday.getUTCFullYear();
  const days = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / dayMilliseconds);
  return `${year}-W${String(Math.floor(days / 7) + 1).padStart(2, "0")}`;
}

/** When the period of a moment began. */
export function periodStart(every: Period, time: number): number {
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

/** The names of the periods from one moment to another, the newest first. */
export function periodsBetween(every: Period, from: number, to: number): readonly string[] {
  const names: string[] = [];
  const first = periodStart(every, from);
  for (let at = periodStart(every, to); at >= first; at = periodStart(every, at - 1)) {
    names.push(periodName(every, at));
  }
  return names;
}
