import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import { createTable, expectError, useServer, validation } from "../harness.ts";
import { B, N, putAll, S } from "../reading.ts";
import { column, run, stored } from "./support.ts";

const server = useServer();
let table = "";

const item = {
  pk: S("item"),
  n: N(1),
  s: S("str"),
  b: B(1, 2, 3),
  ss: { SS: ["a", "b", "c"] },
  ns: { NS: ["1", "2"] },
  l: { L: [S("a"), S("b")] },
  m: { M: { sub: S("x"), els: { L: [N(5)] } } },
  nul: { NULL: true as const },
  flag: { BOOL: true },
};

beforeAll(async () => {
  table = await createTable(server, { key: "pk:S" });
  await putAll(server, table, [item, { pk: S("other"), marker: S("x") }]);
});

const matches = async (condition: string, ...parameters: AttributeValue[]): Promise<boolean> => {
  const statement = `SELECT pk FROM "${table}" WHERE pk = 'item' AND ${condition}`;
  const { Items } = await run(server, statement, parameters.length > 0 ? parameters : undefined);
  return Items?.length === 1;
};

describe("holds", () => {
  test.each([
    "n = 1",
    "1 = n",
    "n <> 2",
    "n != 2",
    "missing1 <> 2",
    "n < 2",
    "n <= 1",
    "n > -5",
    "n >= 1.0",
    "n BETWEEN - 2 AND +5",
    "n IN [- 1, 1]",
    "n IN (3, 1)",
    "s = 'str'",
    "s BETWEEN 'a' AND 'z'",
    "flag = true",
    "flag = TRUE",
    "nul = NULL",
    "ss = <<'c', 'a', 'b'>>",
    "ns = <<2, 1.0>>",
    "l = ['a', 'b']",
    "m = {'els': [5], 'sub': 'x'}",
    "m.sub = 'x'",
    "m.\"sub\" = 'x'",
    "m.els[0] = 5",
    "l[1] = 'b'",
    "NOT n = 2",
    "NOT missing1 = 2",
    "NOT NOT n = 1",
    "NOT n IN [2, 3]",
    "n NOT IN [2, 3]",
    "NOT n BETWEEN 5 AND 6",
    "n NOT BETWEEN 5 AND 6",
    "(n = 2 OR s = 'str')",
    "((n = 1))",
    "attribute_exists(ss)",
    'attribute_exists("ss")',
    "ATTRIBUTE_EXISTS (ss)",
    "attribute_exists(m.sub)",
    "attribute_exists(l[0])",
    "attribute_not_exists(nope)",
    "NOT attribute_exists(nope)",
    "attribute_type(ss, 'SS')",
    "begins_with(s, 'st')",
    "contains(s, 'tr')",
    "contains(ss, 'b')",
    "contains(l, 'a')",
    "size(s) = 3",
    "SIZE(ss) > 2",
    "size(b) = 3",
    "nul IS NULL",
    "s IS NOT NULL",
    "nope IS NOT NULL",
    "nope IS MISSING",
    "s IS NOT MISSING",
    "flag IS BOOL",
    "flag IS BOOLEAN",
    "s IS STRING",
    "attribute_exists(ss) = true",
    "true = attribute_exists(n)",
    "attribute_exists(nope) = false",
    "attribute_exists(n) <> 1",
    "contains(nope, 'z') = false",
    "(n BETWEEN 0 AND 5) = true",
    "(n = 5 OR s = 'x') = false",
    "attribute_exists(nope) IN [true, false]",
    "attribute_exists(n) = attribute_exists(s)",
    "attribute_exists(n) = flag",
  ])("%s", async (condition) => {
    expect(await matches(condition)).toBe(true);
  });
});

describe("does not hold", () => {
  test.each([
    "n = 2",
    "missing1 = 2",
    "s < 5",
    "n = '1'",
    "NOT n = 1",
    "n IN [2, 3]",
    "l = ['b', 'a']",
    "ss = <<'a', 'b'>>",
    "attribute_exists(nope)",
    "attribute_exists(m.nope)",
    "attribute_not_exists(ss)",
    "attribute_type(ss, 'S')",
    "size(s) = 4",
    "s IS NULL",
    "nope IS NULL",
    "nul IS NOT NULL",
    "s IS MISSING",
    "s IS BOOL",
    "attribute_exists(n) = 1",
    "NOT attribute_exists(n) = true",
    "(attribute_exists(n) = true) = false",
    "attribute_exists(n) = s",
  ])("%s", async (condition) => {
    expect(await matches(condition)).toBe(false);
  });
});

describe("a parameter of every type", () => {
  const same: [string, AttributeValue][] = [
    ["s", S("str")],
    ["n", N("1.0")],
    ["b", B(1, 2, 3)],
    ["flag", { BOOL: true }],
    ["nul", { NULL: true }],
    ["ss", { SS: ["c", "b", "a"] }],
    ["ns", { NS: ["2", "1"] }],
    ["l", { L: [S("a"), S("b")] }],
    ["m", { M: { els: { L: [N(5)] }, sub: S("x") } }],
  ];

  test.each(same)("%s = ? and <> ? are opposites", async (name, value) => {
    expect(await matches(`${name} = ?`, value)).toBe(true);
    expect(await matches(`${name} <> ?`, value)).toBe(false);
    expect(await matches(`${name} = ?`, S("another"))).toBe(false);
    expect(await matches(`${name} <> ?`, S("another"))).toBe(true);
  });

  test("several, in their order", async () => {
    expect(await matches("n IN [?, ?] AND s = ?", N(2), N(1), S("str"))).toBe(true);
    const { Items } = await run(server, `SELECT pk FROM "${table}" WHERE pk = ? AND b < ?`, [
      S("item"),
      B(1, 2, 4),
    ]);
    expect(Items).toHaveLength(1);
  });

  test("a question mark in a text is none", async () => {
    expect(await matches("s <> '?'")).toBe(true);
  });
});

describe("refused", () => {
  const operandType = (operator: string, type: string): string =>
    `Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${type}`;
  const unordered: [string, AttributeValue][] = [
    ["BOOL", { BOOL: true }],
    ["NULL", { NULL: true }],
    ["L", { L: [S("a")] }],
    ["M", { M: { a: S("b") } }],
    ["SS", { SS: ["a"] }],
    ["NS", { NS: ["1"] }],
    ["BS", { BS: [Uint8Array.of(1)] }],
  ];

  test.each(unordered)("an order of %s", async (type, value) => {
    for (const operator of ["<", "<=", ">", ">="]) {
      await validation(matches(`s ${operator} ?`, value), operandType(operator, type));
    }
    await validation(matches("s BETWEEN ? AND ?", value, value), operandType("BETWEEN", type));
  });

  test("the types of operands come before the table", async () => {
    await validation(
      run(server, 'SELECT pk FROM "never-created" WHERE pk = ? AND val < ?', [
        S("x"),
        { BOOL: true },
      ]),
      operandType("<", "BOOL"),
    );
  });

  test.each([
    ["attribute_type(l, 1)", operandType("attribute_type", "N")],
    ["attribute_type(l, true)", operandType("attribute_type", "BOOL")],
    ["attribute_exists(n) > false", operandType(">", "BOOL")],
    [
      "attribute_type(n, 'X')",
      "Invalid attribute type name found; type: X, valid types: {N,BS,L,B,NULL,M,S,SS,NS,BOOL}",
    ],
    [
      "attribute_exists('ss')",
      "Operator or function requires a document path; operator or function: attribute_exists",
    ],
    [
      "attribute_exists()",
      "Incorrect number of operands for operator or function; operator or function: attribute_exists, number of operands: 0",
    ],
    [
      "attribute_exists(ss, ns)",
      "Incorrect number of operands for operator or function; operator or function: attribute_exists, number of operands: 2",
    ],
    [
      `n IN [${Array.from({ length: 101 }, (_, i) => i).join(",")}]`,
      "The IN operator is provided with too many operands; number of operands: 101",
    ],
    ["ss = <<'a', 'a'>>", /Input collection \[a, a\] contains duplicates\.$/],
    ["ss = <<>>", "Empty bags are not supported"],
  ])("%s", async (condition, message) => {
    await validation(matches(condition), message);
  });

  test.each(["n > -?", "n > -n", "n + 1 = 2", "s LIKE 'x%'", "m.* = 1", "CASE WHEN n THEN 1 END"])(
    "%s",
    async (condition) => {
      await expectError(matches(condition, N(1)), "ValidationException");
    },
  );

  test("too few parameters", async () => {
    await validation(
      matches("n = ? AND s = ?", N(1)),
      "Number of parameters in request and statement don't match.",
    );
  });
});

describe("without a key condition", () => {
  test("a SELECT filters what it scans", async () => {
    const statement = `SELECT pk FROM "${table}" WHERE attribute_exists(marker)`;
    expect(await column(server, statement, "pk")).toEqual(["other"]);
  });

  test("parentheses change what AND and OR mean", async () => {
    const keys = async (where: string) =>
      (await column(server, `SELECT pk FROM "${table}" WHERE ${where}`, "pk")).toSorted();
    expect(await keys("marker = 'x' OR n = 1 AND s = 'no'")).toEqual(["other"]);
    expect(await keys("(marker = 'x' OR n = 1) AND s = 'str'")).toEqual(["item"]);
    expect(await keys("NOT (marker = 'x' OR n = 1)")).toEqual([]);
  });
});

describe("as the condition of a write", () => {
  test("it lets the write through or stops it", async () => {
    await putAll(server, table, [{ pk: S("w"), a: N(5) }]);
    await run(server, `UPDATE "${table}" SET y = 1 WHERE pk = 'w' AND attribute_not_exists(y)`);
    await expectError(
      run(server, `UPDATE "${table}" SET y = 2 WHERE pk = 'w' AND attribute_not_exists(y)`),
      "ConditionalCheckFailedException",
      "The conditional request failed",
    );
    expect(await stored(server, table, { pk: S("w") })).toEqual({ pk: S("w"), a: N(5), y: N(1) });
    await expectError(
      run(server, `DELETE FROM "${table}" WHERE pk = 'w' AND attribute_exists(nope)`),
      "ConditionalCheckFailedException",
    );
    await run(server, `DELETE FROM "${table}" WHERE pk = 'w' AND attribute_not_exists(nope)`);
    expect(await stored(server, table, { pk: S("w") })).toBeUndefined();
  });
});
