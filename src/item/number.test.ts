import { expect, test } from "vitest";
import { addNumbers, compareNumbers, normaliseNumber, subtractNumbers } from "./number.ts";

const nines = "9".repeat(38);

const normalForms: readonly (readonly [sent: string, normal: string])[] = [
  ["0", "0"],
  ["-0", "0"],
  ["+0", "0"],
  ["000", "0"],
  ["0.000", "0"],
  ["-0.0e5", "0"],
  ["7", "7"],
  ["-7", "-7"],
  ["+7", "7"],
  ["007", "7"],
  ["-007", "-7"],
  ["123456789012345", "123456789012345"],
  ["1234567890123456", "1234567890123456"],
  ["5.", "5"],
  [".5", "0.5"],
  ["+.5", "0.5"],
  ["-.50", "-0.5"],
  ["0042.1200", "42.12"],
  ["1E3", "1000"],
  ["1e+3", "1000"],
  ["1E-5", "0.00001"],
  ["12.34e1", "123.4"],
  ["12.34e2", "1234"],
  ["12.34e-3", "0.01234"],
  ["1e0000000000000000000000000000002", "100"],
  ["0000012345678901234567890123456789012345678", "12345678901234567890123456789012345678"],
  ["-00001.23456789012345678901234567890123456780000", "-1.2345678901234567890123456789012345678"],
  [`9.${"9".repeat(37)}E+125`, nines + "0".repeat(88)],
  [`-9.${"9".repeat(37)}0000e125`, `-${nines}${"0".repeat(88)}`],
  ["0001.000e-130", `0.${"0".repeat(129)}1`],
  ["-1e-130", `-0.${"0".repeat(129)}1`],
  ["1.1e-130", `0.${"0".repeat(129)}11`],
  ["0e125", "0"],
  ["0e-130", "0"],
  ["0.0e126", "0"],
];

test.each(normalForms)("%s becomes %s", (sent, normal) => {
  expect(normaliseNumber(sent)).toBe(normal);
  expect(normaliseNumber(normal)).toBe(normal);
});

const refused: Readonly<Record<string, readonly string[]>> = {
  "not-a-number": [
    ...["", "abc", " 1", "1 ", "0x10", "1e", "1e+", "NaN", "Infinity", "-Infinity", "1.2.3", "."],
    ...["-", "+", "--1", "++5", "+e2", "e5", "1_000", "1,5", "1+2", "1e5.5", "1e5e5", "-.", "１"],
    ...["1e9223372036854775808", "1e-9223372036854775809", `1e${"9".repeat(500)}`],
  ],
  "too-many-digits": [
    ...["123456789012345678901234567890123456789", "-1.23456789012345678901234567890123456789"],
    `1${"0".repeat(38)}1`,
  ],
  overflow: [
    ...["1e126", "-1e126", "10e125", "1e2147483647", "1e2147483648", "1e99999999999", "0e126"],
    ...["-1e99999999999", "1e9223372036854775807", `1${"0".repeat(126)}`],
  ],
  underflow: [
    ...["1e-131", "-1e-131", "0.1e-130", "1e-2147483648", "1e-99999999999", "0e-131", "0.0e-130"],
    "1e-9223372036854775808",
  ],
};

test.each(
  Object.entries(refused).flatMap(([problem, texts]) => texts.map((text) => [text, problem])),
)("%s is refused: %s", (text, problem) => {
  expect(normaliseNumber(text as string)).toEqual({ problem });
});

test("numbers compare by value", () => {
  const ascending = [
    ...["-1e125", "-12345678901234567891", "-12345678901234567890", "-100", "-99.5", "-1.5", "-1"],
    ...["-0.5", "-1e-130", "0", "1e-130", "1.1e-130", "0.00000000000000000001", "0.1", "0.11"],
    ...["0.12345678901234567", "0.12345678901234568", "0.2", "1", "1.5", "2", "9", "10", "99.5"],
    ...["12345678901234567890", "12345678901234567890.5", "12345678901234567891", "9e20", "1e125"],
  ].map((text) => normaliseNumber(text) as string);
  for (const [i, a] of ascending.entries()) {
    for (const [j, b] of ascending.entries()) {
      expect(Math.sign(compareNumbers(a, b)), `${a} ? ${b}`).toBe(Math.sign(i - j));
    }
  }
});

const sums: readonly (readonly [a: string, b: string, sum: string, difference: string])[] = [
  ["1", "2", "3", "-1"],
  ["5", "5", "10", "0"],
  ["-5", "5", "0", "-10"],
  ["0.1", "0.2", "0.3", "-0.1"],
  ["1.5", "0.5", "2", "1"],
  ["999999999999999", "999999999999999", "1999999999999998", "0"],
  ["9007199254740993", "1", "9007199254740994", "9007199254740992"],
  ["12345678901234567890", "0.5", "12345678901234567890.5", "12345678901234567889.5"],
  ["0.00001", "-0.00001", "0", "0.00002"],
  [`1${"0".repeat(125)}`, "0", `1${"0".repeat(125)}`, `1${"0".repeat(125)}`],
  [nines, "1", `1${"0".repeat(38)}`, `${"9".repeat(37)}8`],
];

test.each(sums)("%s ± %s", (a, b, sum, difference) => {
  expect(addNumbers(a, b)).toBe(sum);
  expect(subtractNumbers(a, b)).toBe(difference);
});

test("a result out of range or of more than 38 digits is refused", () => {
  const most = normaliseNumber(`${nines}e88`) as string;
  const least = normaliseNumber("1e-130") as string;
  expect(addNumbers(most, normaliseNumber("1e88") as string)).toEqual({ problem: "overflow" });
  expect(subtractNumbers(`-${most}`, most)).toEqual({ problem: "overflow" });
  expect(addNumbers(`1${"0".repeat(38)}`, "1")).toEqual({ problem: "overflow" });
  expect(addNumbers(most, least)).toEqual({ problem: "overflow" });
  expect(subtractNumbers(normaliseNumber("1.1e-130") as string, least)).toEqual({
    problem: "underflow",
  });
});
