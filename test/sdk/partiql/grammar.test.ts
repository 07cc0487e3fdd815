import { beforeAll, describe, expect, test } from "vitest";
import { createTable, expectError, useServer, validation } from "../harness.ts";
import { N, putAll, S } from "../reading.ts";
import { column, leftover, malformed, run, stored } from "./support.ts";

const server = useServer();
let texts = "";
let numbers = "";
let sorted = "";

beforeAll(async () => {
  texts = await createTable(server, { key: "pk:S" });
  numbers = await createTable(server, { key: "pk:N" });
  sorted = await createTable(server, { key: "pk:S sk:N" });
  await putAll(server, texts, [{ pk: S("a"), n: N(1) }, { pk: S("b") }, { pk: S("it's") }]);
  await putAll(server, numbers, [{ pk: N(7310000) }, { pk: N("7.3") }, { pk: N("-7.3") }]);
  await putAll(
    server,
    sorted,
    [1, 2, 3].map((n) => ({ pk: S("o"), sk: N(n) })),
  );
});

describe("what is read", () => {
  test.each(["7.31e6", "7.31E6", "7.31e+6", "731e4", "73100000e-1", "7310000.0"])(
    "the number %s",
    async (literal) => {
      const found = await column(server, `SELECT * FROM "${numbers}" WHERE pk = ${literal}`, "pk");
      expect(found).toEqual(["7310000"]);
    },
  );

  test.each([
    [".73e1", "7.3"],
    ["-.73e1", "-7.3"],
    ["- - 7.3", "7.3"],
    ["+7.3", "7.3"],
    ["-/* c */7.3", "-7.3"],
  ])("the number %s", async (literal, number) => {
    const found = await column(server, `SELECT * FROM "${numbers}" WHERE pk = ${literal}`, "pk");
    expect(found).toEqual([number]);
  });

  test.each([
    ["a line comment at the end", (t: string) => `SELECT * FROM "${t}" WHERE pk = 'a' -- a note`],
    ["a line comment between", (t: string) => `SELECT * FROM "${t}" -- note\nWHERE pk = 'a'`],
    ["a line comment before", (t: string) => `-- a note\nSELECT * FROM "${t}" WHERE pk = 'a'`],
    ["a block comment", (t: string) => `SELECT/**/* FROM "${t}" /* no */ WHERE pk/**/='a' --`],
    ["a semicolon", (t: string) => `SELECT * FROM "${t}" WHERE pk = 'a'; -- done`],
    ["a name without quotes", (t: string) => `SELECT * FROM ${t} WHERE pk = 'a'`],
    ["small letters", (t: string) => `select * from "${t}" where pk = 'a'`],
    ["a quoted attribute", (t: string) => `SELECT * FROM "${t}" WHERE "pk" = 'a'`],
    ["many lines", (t: string) => `SELECT\r\n*\n\tFROM "${t}"\nWHERE\npk='a'`],
  ])("%s", async (_what, statement) => {
    expect(await column(server, statement(texts), "pk")).toEqual(["a"]);
  });

  test("a quote in a text is doubled", async () => {
    const statement = `SELECT * FROM "${texts}" WHERE pk = 'it''s'`;
    expect(await column(server, statement, "pk")).toEqual(["it's"]);
  });

  test("the table by its ARN", async () => {
    const arn = `arn:aws:dynamodb:us-east-1:000000000000:table/${texts}`;
    const { json } = await server.raw("DescribeTable", { TableName: texts });
    const own = json.Table.TableArn as string;
    expect(own.endsWith(`table/${texts}`)).toBe(true);
    expect(await column(server, `SELECT * FROM "${own}" WHERE pk = 'a'`, "pk")).toEqual(["a"]);
    if (arn !== own) {
      await expectError(run(server, `SELECT * FROM "${arn}"`), "ResourceNotFoundException");
    }
  });

  test("without a WHERE, everything", async () => {
    const found = await column(server, `SELECT pk FROM "${texts}"`, "pk");
    expect(found.toSorted()).toEqual(["a", "b", "it's"]);
  });
});

describe("what is malformed", () => {
  test.each([
    ["WHERE pk = 1 foo", leftover],
    ["WHERE pk = 1 e5", leftover],
    ["WHERE pk = 1)", leftover],
    ["ORDER BY pk WHERE pk = 1", leftover],
    ["WHERE pk = 1e2147483648", malformed],
    ["WHERE pk = 1e99999999999", malformed],
    ["WHERE pk = 1.5e-2147483647", malformed],
    ["WHERE pk = 1 # note", malformed],
    ["WHERE pk = 1 /* note", malformed],
    ["WHERE pk = 'open", malformed],
    ["WHERE", `${malformed}Unexpected term`],
    ["WHERE;", `${malformed}Unexpected term`],
    ["WHERE   ", `${malformed}Unexpected term`],
    ["WHERE NOT", `${malformed}Unexpected term`],
    ["WHERE (", `${malformed}Unexpected term`],
    ["WHERE pk = 1 AND", `${malformed}Missing right-hand side expression of infix operator`],
    ["WHERE pk = 1 OR", `${malformed}Missing right-hand side expression of infix operator`],
    ["WHERE ORDER BY pk", `${malformed}Unexpected keyword`],
    ["WHERE size = 1", `${malformed}Unexpected keyword`],
    ["WHERE pk = 1 AND x IS FOO", `${malformed}Expected type name`],
    ["WHERE IS NULL", `${malformed}Unexpected operator`],
    ["WHERE pk = LIKE", `${malformed}Unexpected operator`],
    ["WHERE m.inner = 1", `${malformed}Invalid path dot component`],
  ])("SELECT … %s", async (rest, message) => {
    await validation(run(server, `SELECT * FROM "${numbers}" ${rest}`), message);
  });

  test.each([
    ["SLECT * FROM t WHERE pk = 1", `${malformed}Expected data manipulation`],
    ["UPDATE a-b SET x = 1 WHERE pk = 1", `${malformed}Expected data manipulation`],
    ["SELECT * FROM", `${malformed}Unexpected term`],
    ["DELETE FROM", `${malformed}Expected identifier for simple path`],
    ["DELETE FROM   ", `${malformed}Expected identifier for simple path`],
    ["DELETE FROM;", `${malformed}Expected identifier for simple path`],
    ["DELETE FROM WHERE pk = 'a'", `${malformed}Expected identifier for simple path`],
    ['UPDATE "t" SET a = 1 WHERE', `${malformed}Unexpected term`],
    ['DELETE FROM "t" WHERE', `${malformed}Unexpected term`],
    ['SELECT * FROM "t', malformed],
    ['SELECT * FROM "never-created" WHERE', `${malformed}Unexpected term`],
  ])("%s", async (statement, message) => {
    await validation(run(server, statement), message);
  });

  test.each([
    (t: string) => `INSERT INTO "${t}" VALUE {'pk': 970001} foo`,
    (t: string) => `INSERT INTO "${t}" t VALUE {'pk': 970001}`,
    (t: string) => `UPDATE "${t}" SET a = 9 WHERE pk = 7310000 foo`,
    (t: string) => `DELETE FROM "${t}" WHERE pk = 7310000 foo`,
    (t: string) => `DELETE FROM "${t}" WHERE pk = 7310000 ORDER BY pk`,
    (t: string) => `FROM "${t}" SET c = 1 WHERE pk = 7310000`,
    (t: string) => `FROM "${t}" SET c = 1 WHERE pk = 7310000 SET d = 2`,
  ])("something is left over, and nothing is written (%#)", async (statement) => {
    await validation(run(server, statement(numbers)), leftover);
    expect(await stored(server, numbers, { pk: N(7310000) })).toEqual({ pk: N(7310000) });
    expect(await stored(server, numbers, { pk: N(970001) })).toBeUndefined();
  });

  test.each(["INT4", "INT8", "DOUBLE PRECISION", "CHARACTER VARYING"])(
    "x IS %s is no statement",
    async (type) => {
      await validation(run(server, `x IS ${type}`), "Unsupported operation: IsType");
    },
  );
});

describe("what stands in FROM", () => {
  test.each([
    (t: string) => `SELECT * FROM "${t}" t WHERE pk = 'a'`,
    (t: string) => `SELECT * FROM "${t}" AS t WHERE pk = 'a'`,
    (t: string) => `UPDATE "${t}" t SET a = 3 WHERE pk = 'a'`,
    (t: string) => `DELETE FROM "${t}" t WHERE pk = 'a'`,
    (t: string) => `SELECT n AS m FROM "${t}" WHERE pk = 'a'`,
  ])("an alias is not supported (%#)", async (statement) => {
    await validation(run(server, statement(texts)), "Aliasing is not supported");
    expect(await stored(server, texts, { pk: S("a") })).toEqual({ pk: S("a"), n: N(1) });
  });

  test("at most two components, none of them empty", async () => {
    await validation(
      run(server, `SELECT * FROM "${texts}"."i"."x"`),
      "A path may contain at most 2 components in the FROM clause",
    );
    const empty = "Path component cannot be an empty string";
    await validation(run(server, `SELECT * FROM "${texts}"."" WHERE pk = 'a'`), empty);
    await validation(run(server, `SELECT * FROM "" WHERE pk = 'a'`), empty);
  });

  test("a table that is not there", async () => {
    for (const statement of [
      `SELECT * FROM "never-created" WHERE pk = 'x'`,
      `FROM "never-created" WHERE pk = 'x' SET c = 1`,
      `INSERT INTO "never-created" VALUE {'pk': 'x'}`,
    ]) {
      await expectError(
        run(server, statement),
        "ResourceNotFoundException",
        "Requested resource not found",
      );
    }
  });
});

describe("what is selected", () => {
  test.each([
    ["attribute_exists(n)", 16],
    ["COUNT(*)", 5],
  ])("%s is no column", async (expression, length) => {
    await validation(
      run(server, `SELECT ${expression} FROM "${texts}" WHERE pk = 'a'`),
      `Unexpected path component at 1:8:${length}`,
    );
  });

  test("no function but those that there are", async () => {
    const statement = `SELECT * FROM "${texts}" WHERE pk = 'a' AND EXISTS(n)`;
    await validation(
      run(server, statement),
      `Unrecognized function: exists at 1:${statement.indexOf("EXISTS") + 1}:6`,
    );
  });

  test("ORDER BY in both directions", async () => {
    const select = `SELECT * FROM "${sorted}" WHERE pk = 'o' ORDER BY sk`;
    expect(await column(server, select, "sk")).toEqual(["1", "2", "3"]);
    expect(await column(server, `${select} ASC`, "sk")).toEqual(["1", "2", "3"]);
    expect(await column(server, `${select} DESC`, "sk")).toEqual(["3", "2", "1"]);
  });
});
