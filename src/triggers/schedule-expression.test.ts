import { describe, expect, test } from "vitest";
import { TriggerOptionsError } from "./options-error.ts";
import { nextTime, parseSchedule } from "./schedule-expression.ts";

const at = (text: string): number => Date.parse(`${text}Z`);

/** The times after `after`, as text. */
function times(expression: string, after: string, count: number): (string | undefined)[] {
  const schedule = parseSchedule(expression);
  const found: (string | undefined)[] = [];
  let last = at(after);
  for (let i = 0; i < count; i += 1) {
    const next = nextTime(schedule, last, last);
    found.push(next === undefined ? undefined : new Date(next).toISOString().slice(0, 16));
    if (next === undefined) break;
    last = next;
  }
  return found;
}

describe("cron", () => {
  // 2026-01-01 is a Thursday.
  test.each<[string, string, (string | undefined)[]]>([
    ["0 10 * * ? *", "2026-01-01T09:59:59", ["2026-01-01T10:00", "2026-01-02T10:00"]],
    ["0 10 * * ? *", "2026-01-01T10:00:00", ["2026-01-02T10:00"]],
    ["* * * * ? *", "2026-01-01T23:59:30", ["2026-01-02T00:00", "2026-01-02T00:01"]],
    ["15 12 * * ? *", "2026-12-31T12:15:00", ["2027-01-01T12:15"]],
    ["0/15 * * * ? *", "2026-01-01T00:00:00", ["2026-01-01T00:15", "2026-01-01T00:30"]],
    [
      "1/10 0 * * ? *",
      "2026-01-01T00:40:00",
      ["2026-01-01T00:41", "2026-01-01T00:51", "2026-01-02T00:01"],
    ],
    ["0-10/5 3 * * ? *", "2026-01-01T03:05:00", ["2026-01-01T03:10", "2026-01-02T03:00"]],
    [
      "*/30 8-9 * * ? *",
      "2026-01-01T08:30:00",
      ["2026-01-01T09:00", "2026-01-01T09:30", "2026-01-02T08:00"],
    ],
    [
      "5,50 0,12 * * ? *",
      "2026-01-01T00:00:00",
      ["2026-01-01T00:05", "2026-01-01T00:50", "2026-01-01T12:05"],
    ],
    ["0 0 1 * ? *", "2026-01-01T00:00:00", ["2026-02-01T00:00", "2026-03-01T00:00"]],
    ["0 8 1,15 * ? *", "2026-01-02T00:00:00", ["2026-01-15T08:00", "2026-02-01T08:00"]],
    ["0 0 31 * ? *", "2026-01-31T00:00:00", ["2026-03-31T00:00", "2026-05-31T00:00"]],
    ["0 0 29 FEB ? *", "2026-01-01T00:00:00", ["2028-02-29T00:00", "2032-02-29T00:00"]],
    ["0 0 30 2 ? *", "2026-01-01T00:00:00", [undefined]],
    ["0 0 L * ? *", "2026-01-31T00:00:00", ["2026-02-28T00:00", "2026-03-31T00:00"]],
    ["0 0 L 2 ? *", "2027-03-01T00:00:00", ["2028-02-29T00:00"]],
    // 2026-01-03 is a Saturday, 2026-01-04 a Sunday, 2026-08-01 a Saturday, 2026-05-31 a Sunday.
    ["0 0 3W JAN ? *", "2026-01-01T00:00:00", ["2026-01-02T00:00"]],
    ["0 0 4W JAN ? *", "2026-01-01T00:00:00", ["2026-01-05T00:00"]],
    ["0 0 5W JAN ? *", "2026-01-01T00:00:00", ["2026-01-05T00:00"]],
    ["0 0 1W AUG ? *", "2026-07-01T00:00:00", ["2026-08-03T00:00"]],
    ["0 0 31W MAY ? *", "2026-05-01T00:00:00", ["2026-05-29T00:00"]],
    ["0 0 31W * ? *", "2026-01-31T00:00:00", ["2026-03-31T00:00"]],
    ["0 0 LW MAY ? *", "2026-05-01T00:00:00", ["2026-05-29T00:00"]],
    ["0 0 ? * MON-FRI *", "2026-01-02T00:00:00", ["2026-01-05T00:00", "2026-01-06T00:00"]],
    ["0 0 ? * 2-6 *", "2026-01-02T00:00:00", ["2026-01-05T00:00"]],
    ["0 0 ? * sun,3 *", "2026-01-01T00:00:00", ["2026-01-04T00:00", "2026-01-06T00:00"]],
    ["0 0 ? * L *", "2026-01-01T00:00:00", ["2026-01-03T00:00", "2026-01-10T00:00"]],
    ["0 0 ? * 6L *", "2026-01-01T00:00:00", ["2026-01-30T00:00", "2026-02-27T00:00"]],
    ["0 0 ? * FRIL *", "2026-01-01T00:00:00", ["2026-01-30T00:00"]],
    ["0 0 ? * 3#2 *", "2026-01-01T00:00:00", ["2026-01-13T00:00", "2026-02-10T00:00"]],
    ["0 0 ? * FRI#5 *", "2026-01-01T00:00:00", ["2026-01-30T00:00", "2026-05-29T00:00"]],
    [
      "0 0 ? * */2 *",
      "2026-01-01T00:00:00",
      ["2026-01-03T00:00", "2026-01-04T00:00", "2026-01-06T00:00"],
    ],
    ["0 18 ? JUN-AUG,DEC MON 2027", "2026-01-01T00:00:00", ["2027-06-07T18:00"]],
    ["0 0 1 1 ? 2026-2028/2", "2026-01-01T00:00:00", ["2028-01-01T00:00", undefined]],
    ["0 0 1 1 ? 2025", "2026-01-01T00:00:00", [undefined]],
    ["59 23 31 12 ? 2199", "2026-01-01T00:00:00", ["2199-12-31T23:59", undefined]],
  ])("cron(%s) after %s", (fields, after, expected) => {
    expect(times(`cron(${fields})`, after, expected.length)).toEqual(expected);
  });

  test.each([
    ["0 10 * * ?", "has six fields (minutes hours day-of-month month day-of-week year), not 5"],
    ["0 10 * * ? * *", "not 7"],
    ["0 10 * * * *", "says either day-of-month or day-of-week; put ? into the other"],
    ["0 10 ? * ? *", "says either day-of-month or day-of-week"],
    ["0 10 1 * MON *", "says either day-of-month or day-of-week"],
    [
      "60 10 * * ? *",
      "the minutes field of a cron expression is wrong: '60' is not between 0 and 59",
    ],
    ["0 24 * * ? *", "the hours field of a cron expression is wrong: '24' is not between 0 and 23"],
    ["0 0 0 * ? *", "the day-of-month field of a cron expression is wrong: '0'"],
    ["0 0 32W * ? *", "the day-of-month field of a cron expression is wrong: '32'"],
    ["0 0 W * ? *", "the day-of-month field of a cron expression is wrong: ''"],
    ["0 0 1 13 ? *", "the month field of a cron expression is wrong: '13'"],
    ["0 0 1 JANUARY ? *", "'JANUARY' is not between 1 and 12"],
    ["0 0 ? * 8 *", "the day-of-week field of a cron expression is wrong: '8'"],
    ["0 0 ? * 0 *", "the day-of-week field of a cron expression is wrong: '0'"],
    ["0 0 ? * MON#6 *", "'MON#6' has no number 1 to 5 after #"],
    ["0 0 ? * 3#1,6#3 *", "'3#1,6#3' has no number 1 to 5 after #"],
    [
      "0 0 1 1 ? 2200",
      "the year field of a cron expression is wrong: '2200' is not between 1970 and 2199",
    ],
    ["0 22-2 * * ? *", "the range '22-2' runs backwards"],
    ["0/0 0 * * ? *", "'0/0' has no step after '/'"],
    ["0/1/2 0 * * ? *", "'0/1/2' has more than one '/'"],
    ["1,,2 0 * * ? *", "'' is not between 0 and 59"],
    ["? 0 1 * ? *", "'?' is not between 0 and 59"],
  ])("cron(%s) is refused", (fields, message) => {
    expect(() => parseSchedule(`cron(${fields})`)).toThrow(TriggerOptionsError);
    expect(() => parseSchedule(`cron(${fields})`)).toThrow(message);
  });
});

describe("rate", () => {
  test.each([
    ["rate(1 minute)", 60_000],
    ["rate(5 minutes)", 300_000],
    ["rate(1 hour)", 3_600_000],
    ["rate(12 hours)", 43_200_000],
    ["rate(7 days)", 604_800_000],
    ["rate(10 seconds)", 10_000],
    ["rate( 2  minutes )", 120_000],
  ])("%s", (text, everyMs) => {
    expect(parseSchedule(text)).toEqual({ kind: "rate", everyMs });
  });

  test.each([
    "rate(0 minutes)",
    "rate(minute)",
    "rate(1.5 hours)",
    "rate(5 weeks)",
    "rate(-1 day)",
    "rate(5)",
  ])("%s is refused", (text) => {
    expect(() => parseSchedule(text)).toThrow("a rate is a whole number above 0 and minutes");
  });

  test("keeps its rhythm", () => {
    const schedule = parseSchedule("rate(5 minutes)");
    const since = at("2026-01-01T00:00:07");
    const next = (after: string) =>
      new Date(nextTime(schedule, since, at(after)) ?? 0).toISOString().slice(11, 19);
    expect(next("2026-01-01T00:00:07")).toBe("00:05:07");
    expect(next("2026-01-01T00:05:06.999")).toBe("00:05:07");
    expect(next("2026-01-01T00:05:07")).toBe("00:10:07");
    expect(next("2026-01-01T01:01:00")).toBe("01:05:07");
  });
});

test.each(["5 minutes", "at(2026-01-01T00:00:00)", "", "cron 0 0 * * ? *"])(
  "'%s' is no schedule",
  (text) => {
    expect(() => parseSchedule(text)).toThrow(
      "a schedule is rate(5 minutes) or cron(0 12 * * ? *)",
    );
  },
);
