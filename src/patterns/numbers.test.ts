import { describe, expect, test } from "vitest";
import { compareNumbers, isNumberLike, numberText, sumNumbers, ValueError } from "./numbers.ts";

describe("numbers", () => {
  test.each([
    [0, "0"],
    [-0, "0"],
    [1e21, "1000000000000000000000"],
    [1.5e-7, "0.00000015"],
    [-12.5, "-12.5"],
    [12345678901234567890n, "12345678901234567890"],
    [{ value: "+0012.3400" }, "12.34"],
    [{ value: ".5" }, "0.5"],
    [{ value: "1E3" }, "1000"],
  ])("are printed as the service does: %s", (value, text) => {
    expect(numberText(value)).toBe(text);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, { value: "" }, { value: "." }, { value: "1x" }])(
    "are told from what is none: %s",
    (value) => {
      expect(() => numberText(value)).toThrow(ValueError);
    },
  );

  test("have 38 digits and 126 places at most", () => {
    expect(numberText(10n ** 125n)).toHaveLength(126);
    expect(() => numberText(10n ** 126n)).toThrow("more than");
    expect(() => numberText({ value: "9".repeat(39) })).toThrow("more than");
    expect(numberText({ value: "1e-130" })).toHaveLength(132);
    expect(() => numberText({ value: "1e-131" })).toThrow("more than");
  });

  test("are compared with all their digits", () => {
    const near = { value: "12345678901234567890.1" };
    expect(compareNumbers(near, 12345678901234567890n)).toBeGreaterThan(0);
    expect(compareNumbers(12345678901234567890n, near)).toBeLessThan(0);
    expect(compareNumbers({ value: "-0.50" }, -0.5)).toBe(0);
    expect(compareNumbers(2, 10n)).toBeLessThan(0);
  });

  test("are added without losing tenths", () => {
    expect(sumNumbers([0.1, 0.2])).toBe("0.3");
    expect(sumNumbers([-1, 0.25, 12345678901234567890n])).toBe("12345678901234567889.25");
    expect(sumNumbers([])).toBe("0");
  });

  test("are told from other values", () => {
    expect([1, 1n, { value: "1" }].every(isNumberLike)).toBe(true);
    expect(["1", null, undefined, { value: 1 }, [], new Uint8Array(1)].some(isNumberLike)).toBe(
      false,
    );
  });
});
