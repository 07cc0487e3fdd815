import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareValues } from "../../item/compare.ts";
import type { Transform } from "../../model/key-text.ts";
import { transformed } from "./transform.ts";

const attribute = (more: { format?: "iso-time" | "epoch-seconds"; digits?: number }) => ({
  name: "a",
  format: more.format,
  digits: more.digits,
});
const text = (value: string) => ({ S: value });
const sign = (number: number | undefined) => Math.sign(number ?? Number.NaN);
const times = fc.date({
  min: new Date("1970-01-01T00:00:00.000Z"),
  max: new Date("2286-01-01T00:00:00.000Z"),
  noInvalidDate: true,
});
const descending: readonly Transform[] = [{ kind: "descending" }];

describe("the order of transformed values", () => {
  test("padded numbers sort as texts as they do as numbers, with and without fractions", () => {
    const number = fc
      .tuple(fc.integer({ min: 0, max: 99_999_999 }), fc.integer({ min: 0, max: 999 }))
      .map(([whole, thousandths]) => String(whole + thousandths / 1_000));
    fc.assert(
      fc.property(number, number, (a, b) => {
        const pad: readonly Transform[] = [{ kind: "pad", digits: 8 }];
        const made = (N: string) => text(transformed(attribute({}), pad, { N }));
        expect(sign(compareValues(made(a), made(b)))).toBe(sign(compareValues({ N: a }, { N: b })));
      }),
    );
  });

  test("numbers that are turned round sort the other way, and come back", () => {
    const number = fc.integer({ min: 0, max: 9_999_999 }).map(String);
    fc.assert(
      fc.property(number, number, (a, b) => {
        const seven = attribute({ digits: 7 });
        const made = (N: string) => transformed(seven, descending, { N });
        expect(sign(compareValues(text(made(a)), text(made(b))))).toBe(
          sign(compareValues({ N: b }, { N: a })),
        );
        expect(made(a)).toHaveLength(7);
        expect(Number(transformed(seven, descending, text(made(a))))).toBe(Number(a));
      }),
    );
  });

  test("times that are turned round sort the other way, as texts and as numbers", () => {
    fc.assert(
      fc.property(times, times, (a, b) => {
        const iso = (time: Date) =>
          text(
            transformed(attribute({ format: "iso-time" }), descending, text(time.toISOString())),
          );
        expect(sign(compareValues(iso(a), iso(b)))).toBe(Math.sign(b.getTime() - a.getTime()));
        const seconds = (time: Date) => Math.floor(time.getTime() / 1_000);
        const epoch = (time: Date) =>
          text(
            transformed(attribute({ format: "epoch-seconds" }), descending, {
              N: String(seconds(time)),
            }),
          );
        expect(sign(compareValues(epoch(a), epoch(b)))).toBe(Math.sign(seconds(b) - seconds(a)));
      }),
    );
  });

  test("a time that is cut off never changes places with another", () => {
    const unit = fc.constantFrom("minute", "hour", "day", "month", "year" as const);
    fc.assert(
      fc.property(times, times, unit, (a, b, by) => {
        const cut: readonly Transform[] = [{ kind: "truncate", unit: by as "day" }];
        const made = (time: Date) =>
          text(transformed(attribute({ format: "iso-time" }), cut, text(time.toISOString())));
        const order = sign(compareValues(made(a), made(b)));
        expect([0, Math.sign(a.getTime() - b.getTime())]).toContain(order);
        const sameUnit = a.toISOString().startsWith(made(b).S);
        expect(order === 0).toBe(sameUnit);
      }),
    );
  });
});
