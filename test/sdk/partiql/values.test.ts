import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import { createTable, useServer, validation } from "../harness.ts";
import { N, putAll, S } from "../reading.ts";
import { batch, run, stored, transact } from "./support.ts";

const server = useServer();
let table = "";

beforeAll(async () => {
  table = await createTable(server, { key: "pk:S sk:S" });
  await putAll(server, table, [
    { pk: S("p"), sk: S("1"), l: { L: [S("a"), S("b")] }, m: { M: { k: { L: [S("c")] } } } },
  ]);
});

const overflow =
  "Number overflow. Attempting to store a number with magnitude larger than supported range";
const underflow =
  "Number underflow. Attempting to store a number with magnitude smaller than supported range";
const unconvertible = "The parameter cannot be converted to a numeric value";
const tooDeep =
  "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit";

function deep(levels: number, leaf: AttributeValue = S("leaf")): AttributeValue {
  let value = leaf;
  for (let i = 0; i < levels; i += 1) value = { M: { n: value } };
  return value;
}

/** Every place that a value can have in a statement. */
const places: [string, (value: string) => string][] = [
  ["a comparison", (value) => `SELECT * FROM "${table}" WHERE pk = 'p' AND n = ${value}`],
  ["a key", (value) => `SELECT * FROM "${table}" WHERE pk = ${value}`],
  ["an INSERT", (value) => `INSERT INTO "${table}" VALUE {'pk': 'w', 'sk': '1', 'n': ${value}}`],
  ["a SET", (value) => `UPDATE "${table}" SET n = ${value} WHERE pk = 'p' AND sk = '1'`],
];

describe.each(places)("in %s", (_place, statement) => {
  test.each([
    ["1e126", `${overflow} under root`],
    ["-1e126", `${overflow} under root`],
    ["1e-131", `${underflow} under root`],
    [
      "123456789012345678901234567890123456789",
      "Attempting to store more than 38 significant digits in a Number under root",
    ],
  ])("the literal %s", async (literal, message) => {
    await validation(run(server, statement(literal)), message);
  });

  test.each([
    ["1e99999999999", `${unconvertible}: 1e99999999999`],
    ["-1e99999999999", `${unconvertible}: -1e99999999999`],
    ["1e2147483648", `${unconvertible}: 1e2147483648`],
    ["1e-2147483648", `${unconvertible}: 1e-2147483648`],
    ["1e2147483647", underflow],
    ["1e126", overflow],
    ["abc", `${unconvertible}: abc`],
    ["", unconvertible],
  ])("the parameter %j", async (number, message) => {
    await validation(run(server, statement("?"), [{ N: number }]), message);
  });
});

describe("literals", () => {
  test.each([
    ["{'x': 1e126}", `${overflow} under root.x`],
    ["[1, 1e126]", `${overflow} under root[1]`],
    ["{'x': [0, {'y': 1e-131}]}", `${underflow} under root.x[1].y`],
    [
      `${"{'a':".repeat(32)}1${"}".repeat(32)}`,
      `Nesting Levels have exceeded supported limits under root${".a".repeat(32)}`,
    ],
    [
      `{'a':${"[".repeat(31)}1${"]".repeat(31)}}`,
      `Nesting Levels have exceeded supported limits under root.a${"[0]".repeat(31)}`,
    ],
  ])("%s", async (value, message) => {
    const statement = `INSERT INTO "${table}" VALUE {'pk': 'w', 'sk': '1', 'v': ${value}}`;
    await validation(run(server, statement), message);
    await validation(
      transact(server, [statement]),
      `Validation failed in TransactStatements[0]: ${message}`,
    );
    expect(await stored(server, table, { pk: S("w"), sk: S("1") })).toBeUndefined();
  });

  test("31 levels of them are fine", async () => {
    const value = `${"{'a':".repeat(31)}1${"}".repeat(31)}`;
    await run(server, `INSERT INTO "${table}" VALUE {'pk': 'nested', 'sk': '1', 'd': ${value}}`);
    expect(await stored(server, table, { pk: S("nested"), sk: S("1") })).toBeDefined();
  });

  test("hold no parameters", async () => {
    const update = `UPDATE "${table}" SET x = [?] WHERE pk = 'p' AND sk = '1'`;
    await validation(
      run(server, update, [S("v")]),
      `Unsupported data type: Parameter under key root[0] at 1:${update.indexOf("?") + 1}:1`,
    );
    const insert = `INSERT INTO "${table}" VALUE {'pk': 'w', 'sk': '1', 'm': {'k': ?}}`;
    await validation(
      run(server, insert, [S("v")]),
      `Unsupported data type: Parameter under key root.k at 1:${insert.indexOf("?") + 1}:1`,
    );
  });
});

describe("parameters", () => {
  const pair = (): string => `SELECT * FROM "${table}" WHERE pk = 'p' AND x = ? AND y = ?`;
  const single = (): string => `SELECT * FROM "${table}" WHERE pk = 'p' AND x = ?`;

  test.each<[string, () => string, AttributeValue[], string]>([
    ["deep, then bad", pair, [deep(40), { N: "abc" }], tooDeep],
    ["bad, then deep", pair, [{ N: "abc" }, deep(100)], `${unconvertible}: abc`],
    ["a map with both", single, [{ M: { d: deep(40), bad: { N: "abc" } } }], tooDeep],
    [
      "a map with both, turned round",
      single,
      [{ M: { bad: { N: "abc" }, d: deep(40) } }],
      `${unconvertible}: abc`,
    ],
    ["bad at the bottom", single, [deep(40, { N: "abc" })], tooDeep],
    ["a list", single, [{ L: [N(1), { N: "1e99999999999" }] }], `${unconvertible}: 1e99999999999`],
    ["a set", single, [{ NS: ["1", "1e99999999999"] }], `${unconvertible}: 1e99999999999`],
    [
      "a set that repeats",
      single,
      [{ SS: ["a", "a"] }],
      "One or more parameter values were invalid: Input collection [a, a] contains duplicates.",
    ],
    [
      "an empty set",
      single,
      [{ SS: [] }],
      "One or more parameter values were invalid: An string set  may not be empty",
    ],
    [
      "a null that is none",
      single,
      [{ NULL: false as unknown as true }],
      "One or more parameter values were invalid: Null attribute value types must have the value of true",
    ],
  ])("%s", async (_what, statement, values, message) => {
    await validation(run(server, statement(), values), message);
    const { Responses } = await batch(server, [{ Statement: statement(), Parameters: values }]);
    expect(Responses).toEqual([{ Error: { Code: "ValidationError", Message: message } }]);
  });

  test("are judged before the statement is read", async () => {
    await validation(
      run(server, `UPDATE "${table}" SET WHERE`, [{ SS: ["a", "a"] }]),
      "One or more parameter values were invalid: Input collection [a, a] contains duplicates.",
    );
  });
});

describe("paths", () => {
  const select = (path: string) =>
    run(server, `SELECT ${path} FROM "${table}" WHERE pk = 'p' AND sk = '1'`);

  test("name what they show by their end", async () => {
    expect((await select("l[0], m.k[0], sk")).Items).toEqual([
      { "l[0]": S("a"), "k[0]": S("c"), sk: S("1") },
    ]);
    expect((await select("l[-0]")).Items).toEqual([{ "l[0]": S("a") }]);
    expect((await select("nope, m.none, l[2147483647]")).Items).toEqual([{}]);
  });

  test("have no elements before the first or beyond what can be", async () => {
    const allowed = "List index is not within the allowable range; index:";
    await validation(select("l[-1]"), `${allowed} [-1] at 1:11:1`);
    await validation(select("l[2147483648]"), `${allowed} [2147483648] at 1:10:10`);
    await validation(
      run(server, `UPDATE "${table}" REMOVE l[2147483648] WHERE pk = 'p' AND sk = '1'`),
      new RegExp(`^${allowed.replace(/[[\]]/g, "\\$&")} \\[2147483648\\]`),
    );
  });

  test("show no name twice, and no more than a statement can hold", async () => {
    await validation(select("sk, sk"), "Duplicate identifiers in select clause: sk");
    await validation(
      select(`"${"x".repeat(8_192)}"`),
      /Member must have length less than or equal to 8192/,
    );
  });

  test("go no deeper than an item can, wherever they stand", async () => {
    const path = (levels: number) => `a${".a".repeat(levels - 1)}`;
    expect((await select(path(32))).Items).toEqual([{}]);
    const message = "The document path has too many nesting levels; nesting levels: 33";
    await validation(select(path(33)), message);
    await validation(run(server, `SELECT * FROM "${table}" WHERE ${path(33)} = 1`), message);
  });
});

test("an item can be as large as any", async () => {
  const insert = `INSERT INTO "${table}" VALUE {'pk': 'large', 'sk': '1', 'v': ?}`;
  // 'pk' + 5, 'sk' + 1 and 'v'.
  const room = 400 * 1_024 - 11;
  await validation(
    run(server, insert, [S("x".repeat(room + 1))]),
    "Item size has exceeded the maximum allowed size",
  );
  await run(server, insert, [S("x".repeat(room))]);
  const update = `UPDATE "${table}" SET v = ? WHERE pk = 'large' AND sk = '1'`;
  await run(server, update, [S("y".repeat(room))]);
  await validation(
    run(server, update, [S("y".repeat(room + 1))]),
    "Item size to update has exceeded the maximum allowed size",
  );
});
