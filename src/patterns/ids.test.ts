import { describe, expect, test } from "vitest";
import { bytesAsNumber, fromDigits, inDigits } from "./digits.ts";
import { ksuid, ksuidBounds, ksuidMaker, ksuidTime } from "./ksuid.ts";
import { ulid, ulidBounds, ulidMaker, ulidTime } from "./ulid.ts";

const now = Date.parse("2026-11-16T09:30:15.123Z");
const time = () => now;
const ones = (length: number) => new Uint8Array(length).fill(0xff);
const zeros = (length: number) => new Uint8Array(length);

describe("ULIDs", () => {
  test("are as the specification has them", () => {
    expect(ulid({ time: () => 1_469_918_176_385, bytes: zeros })).toBe(
      "01ARYZ6S410000000000000000",
    );
    expect(ulid({ time: () => 2 ** 48 - 1, bytes: ones })).toBe("7ZZZZZZZZZZZZZZZZZZZZZZZZZ");
    expect(ulid()).toMatch(/^0[0-9A-HJKMNP-TV-Z]{25}$/);
    expect(ulid()).not.toBe(ulid());
    expect(() => ulid({ time: () => 2 ** 48 })).toThrow("no time of a ULID");
    expect(() => ulid({ time: () => -1 })).toThrow("no time of a ULID");
  });

  test("tell their time, and only they do", () => {
    expect(ulidTime(ulid({ time }))).toBe(now);
    for (const text of [
      "",
      "01ARYZ6S41",
      "01ARYZ6S41000000000000000I",
      "8".repeat(26),
      "01aryz6s410000000000000000",
    ]) {
      expect(ulidTime(text), text).toBeUndefined();
    }
  });

  test("of one maker rise in the same millisecond, and when the clock is set back", () => {
    let clock = now;
    const make = ulidMaker({ time: () => clock, bytes: zeros });
    const made = [make(), make()];
    clock -= 5_000;
    made.push(make());
    clock += 10_000;
    made.push(make());
    expect(made).toEqual(made.toSorted());
    expect(new Set(made).size).toBe(4);
    expect(made.map(ulidTime)).toEqual([now, now, now, now + 5_000]);
    const loose = ulidMaker({ time, bytes: zeros, monotonic: false });
    expect(loose()).toBe(loose());
    const full = ulidMaker({ time, bytes: ones });
    full();
    expect(full).toThrow("no ids are left");
  });

  test("of a span of time lie between its bounds, and no others", () => {
    const { from, to } = ulidBounds(now, now + 10);
    for (const bytes of [zeros, ones]) {
      const id = (at: number) => ulid({ time: () => at, bytes });
      expect(id(now) >= from && id(now + 10) <= to).toBe(true);
      expect(id(now - 1) < from && id(now + 11) > to).toBe(true);
    }
  });
});

describe("KSUIDs", () => {
  test("are as their makers have them", () => {
    // The examples of the format: an id and its time, the least and the greatest.
    expect(ksuidTime("0ujtsYcgvSTl8PAuAdqWYSMnLOv")).toBe(1_507_608_047_000);
    expect(ksuid({ time: () => 1_400_000_000_000, bytes: zeros })).toBe("0".repeat(27));
    expect(ksuid({ time: () => (1_400_000_000 + 2 ** 32 - 1) * 1_000, bytes: ones })).toBe(
      "aWgEPTl1tmebfsQzFP4bxwgy80V",
    );
    expect(ksuid()).toMatch(/^[0-9A-Za-z]{27}$/);
    expect(ksuid()).not.toBe(ksuid());
    expect(() => ksuid({ time: () => 0 })).toThrow("no time of a KSUID");
  });

  test("tell their second, and only they do", () => {
    expect(ksuidTime(ksuid({ time }))).toBe(now - 123);
    for (const text of ["", "z".repeat(27), "0".repeat(26), "-".repeat(27)]) {
      expect(ksuidTime(text), text).toBeUndefined();
    }
  });

  test("of one maker rise in the same second", () => {
    let clock = now;
    const make = ksuidMaker({ time: () => clock, bytes: zeros });
    const made = [make(), make()];
    clock -= 60_000;
    made.push(make());
    clock += 120_000;
    made.push(make());
    expect(made).toEqual(made.toSorted());
    expect(new Set(made).size).toBe(4);
    const loose = ksuidMaker({ time, bytes: zeros, monotonic: false });
    expect(loose()).toBe(loose());
    const full = ksuidMaker({ time, bytes: ones });
    full();
    expect(full).toThrow("no ids are left");
  });

  test("of a span of time lie between its bounds", () => {
    const { from, to } = ksuidBounds(now, now + 1_000);
    const id = (at: number, bytes: typeof ones) => ksuid({ time: () => at, bytes });
    expect(id(now, zeros) >= from && id(now + 1_000, ones) <= to).toBe(true);
    expect(id(now - 1_000, ones) < from && id(now + 2_000, zeros) > to).toBe(true);
  });
});

test("numbers in other bases come back", () => {
  expect(inDigits(255n, "0123456789abcdef", 4)).toBe("00ff");
  expect(fromDigits("00ff", "0123456789abcdef", 4)).toBe(255n);
  expect(bytesAsNumber(Uint8Array.of(1, 0))).toBe(256n);
});
