import { beforeAll, describe, expect, test } from "vitest";
import { createTable, useServer, validation } from "../harness.ts";
import { counted, get, put, remove, roundTrip, stored } from "./support.ts";

const server = useServer();
let TableName: string;
let numeric: string;

beforeAll(async () => {
  TableName = await createTable(server, { key: "pk:S" });
  numeric = await createTable(server, { key: "pk:N" });
});

const zeros = (count: number) => "0".repeat(count);
const nines = "9".repeat(38);

const normal: readonly (readonly [sent: string, stored: string])[] = [
  ["0", "0"],
  ["-0", "0"],
  ["+0", "0"],
  ["+0.0", "0"],
  ["0.000", "0"],
  ["0e125", "0"],
  ["1", "1"],
  ["-1", "-1"],
  ["+5", "5"],
  ["+1.5", "1.5"],
  ["00042", "42"],
  ["0042.1200", "42.12"],
  ["-00.50", "-0.5"],
  [".5", "0.5"],
  ["+.5", "0.5"],
  ["5.", "5"],
  ["1.e5", "100000"],
  ["1e2", "100"],
  ["1e+2", "100"],
  ["+1e2", "100"],
  ["1.5E+3", "1500"],
  ["1.23E10", "12300000000"],
  ["+1e-2", "0.01"],
  ["-0015.789e6", "-15789000"],
  ["1E125", `1${zeros(125)}`],
  ["1e-130", `0.${zeros(129)}1`],
  ["-1e-130", `-0.${zeros(129)}1`],
  [nines, nines],
  [`-${nines}`, `-${nines}`],
  [`0000${nines}`, nines],
  [`0.${nines}`, `0.${nines}`],
  [`${nines}0000`, `${nines}0000`],
  [`9.${"9".repeat(37)}e125`, `${nines}${zeros(88)}`],
  [`-9.${"9".repeat(37)}e125`, `-${nines}${zeros(88)}`],
  [`1.${"2".repeat(37)}0000`, `1.${"2".repeat(37)}`],
];

test.each(normal)("%s is stored as %s", async (sent, expected) => {
  expect(await roundTrip(server, TableName, { N: sent })).toEqual({ N: expected });
});

test("members of number sets, and numbers in lists and maps, have the same normal form", async () => {
  const value = { M: { l: { L: [{ N: "1e1" }] }, s: { NS: ["+1.0", "-0"] } } };
  expect(await roundTrip(server, TableName, value)).toEqual({
    M: { l: { L: [{ N: "10" }] }, s: { NS: ["0", "1"] } },
  });
});

const notNumeric = "The parameter cannot be converted to a numeric value: ";
const tooManyDigits = "Attempting to store more than 38 significant digits in a Number";
const overflow =
  "Number overflow. Attempting to store a number with magnitude larger than supported range";
const underflow =
  "Number underflow. Attempting to store a number with magnitude smaller than supported range";

const misspelt = ["", " ", " 1", "1 ", "1 5", "abc", "0x10", "0x5", "NaN", "Infinity", "-Infinity"]
  .concat(["1e", "1e+", "e2", "+e2", "+", "-", ".", "1.2.3", "+1.2.3", "1.2e3.4", "1+2", "+1+2"])
  .concat(["++5", "+-5", "-+5", "1_000", "1,5", "1e1e1"]);

const refused: readonly (readonly [sent: string, message: string])[] = [
  ...misspelt.map((text): [string, string] => [text, notNumeric + text]),
  [`1${nines}`, tooManyDigits],
  [`-1${nines}`, tooManyDigits],
  [`1.${nines}`, tooManyDigits],
  [`1${zeros(38)}1`, tooManyDigits],
  ["1e126", overflow],
  ["-1e126", overflow],
  ["10e125", overflow],
  ["0e126", overflow],
  ["1e2147483647", overflow],
  ["1e2147483648", overflow],
  ["1e99999999999", overflow],
  ["-1e99999999999", overflow],
  ["1e-131", underflow],
  ["-1e-131", underflow],
  ["0e-131", underflow],
  ["1e-2147483648", underflow],
  ["1e-99999999999", underflow],
];

describe("refused", () => {
  test.each(refused)("%j in an item", async (N, message) => {
    const Item = { pk: { S: "a" }, n: { N } };
    await validation(put(server, { TableName, Item }), counted + message);
  });

  test.each(refused)("%j as a key", async (N, message) => {
    const Key = { pk: { N } };
    await validation(get(server, { TableName: numeric, Key }), message);
    await validation(remove(server, { TableName: numeric, Key }), counted + message);
  });

  test.each<[string, object]>([
    ["a set", { NS: ["1", "x"] }],
    ["a list", { L: [{ N: "1" }, { N: "x" }] }],
    ["a map", { M: { a: { N: "x" } } }],
  ])("in %s", async (_, n) => {
    const Item = { pk: { S: "a" }, n };
    await validation(put(server, { TableName, Item }), `${counted}${notNumeric}x`);
  });

  test("as a member of a set that is empty", async () => {
    const Item = { pk: { S: "a" }, n: { NS: [""] } };
    await validation(put(server, { TableName, Item }), counted + notNumeric);
  });

  test("in a condition's value", async () => {
    await validation(
      put(server, {
        TableName,
        Item: { pk: { S: "a" } },
        ConditionExpression: "n = :n",
        ExpressionAttributeValues: { ":n": { N: "1e126" } },
      }),
      counted + overflow,
    );
  });

  test("with an exponent beyond 64 bits", async () => {
    const Item = { pk: { S: "a" }, n: { N: "1e9223372036854775808" } };
    await validation(
      put(server, { TableName, Item }),
      /^1 validation error detected: The parameter cannot be converted to a numeric value/,
    );
  });
});

describe("number keys", () => {
  test.each([
    ["-0", "0"],
    ["1e2", "100.00"],
    ["-12.50", "-125e-1"],
    [`1${zeros(37)}`, "1e37"],
    ["1e-130", `0.${zeros(129)}10`],
  ])("%s and %s are the same key", async (written, read) => {
    await put(server, { TableName: numeric, Item: { pk: { N: written }, v: { S: written } } });
    expect((await stored(server, numeric, { pk: { N: read } }))?.v).toEqual({ S: written });
  });

  test("numbers that differ in the 38th digit are different keys", async () => {
    const one = `1${zeros(36)}1`;
    const two = `1${zeros(36)}2`;
    await put(server, { TableName: numeric, Item: { pk: { N: one }, v: { S: "one" } } });
    expect(await stored(server, numeric, { pk: { N: two } })).toBeUndefined();
    expect(await stored(server, numeric, { pk: { N: one } })).toBeDefined();
  });
});
