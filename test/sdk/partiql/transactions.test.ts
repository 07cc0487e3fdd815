import { beforeAll, describe, expect, test } from "vitest";
import { createTable, expectError, useServer, validation } from "../harness.ts";
import { N, putAll, S } from "../reading.ts";
import { malformed, reasons, stored, transact } from "./support.ts";

const server = useServer();
let table = "";
let sorted = "";

beforeAll(async () => {
  table = await createTable(server, { key: "pk:S", global: { gsi: { hash: "mark:S" } } });
  sorted = await createTable(server, { key: "pk:S sk:S" });
  await putAll(server, table, [
    { pk: S("a"), v: N(1), m: { M: { x: S("y") } } },
    { pk: S("b"), v: N(2) },
  ]);
  await putAll(server, sorted, [
    { pk: S("p"), sk: S("1"), flag: S("one") },
    { pk: S("p"), sk: S("2"), flag: S("two") },
  ]);
});

const at = (statement: number, message: string): string =>
  `Validation failed in TransactStatements[${statement}]: ${message}`;
const v = async (pk: string) => (await stored(server, table, { pk: S(pk) }))?.v;

describe("writes", () => {
  test("all of them", async () => {
    await putAll(server, table, [{ pk: S("t1"), v: N(1) }, { pk: S("t2") }]);
    const { Responses } = await transact(server, [
      `INSERT INTO "${table}" VALUE {'pk': 't3', 'v': 3}`,
      { Statement: `UPDATE "${table}" SET v = v + ? WHERE pk = 't1'`, Parameters: [N(10)] },
      `DELETE FROM "${table}" WHERE pk = 't2'`,
      `FROM "${sorted}" WHERE pk = 'p' AND sk = '1' SET n = 1`,
      `DELETE FROM "${table}" WHERE pk = 'nobody' AND v = 1`,
    ]);
    expect(Responses).toEqual([]);
    expect([await v("t1"), await v("t3")]).toEqual([N(11), N(3)]);
    expect(await stored(server, table, { pk: S("t2") })).toBeUndefined();
    expect((await stored(server, sorted, { pk: S("p"), sk: S("1") }))?.n).toEqual(N(1));
  });

  test("or none", async () => {
    const found = await reasons(
      transact(server, [
        `INSERT INTO "${table}" VALUE {'pk': 'never'}`,
        `INSERT INTO "${table}" VALUE {'pk': 'a'}`,
        `UPDATE "${table}" SET v = 9 WHERE pk = 'b' AND v = 1`,
        `UPDATE "${table}" SET v = 9 WHERE pk = 'absent'`,
      ]),
      "None",
      "DuplicateItem",
      "ConditionalCheckFailed",
      "ConditionalCheckFailed",
    );
    expect(found.map(({ Message }) => Message)).toEqual([
      undefined,
      "Duplicate primary key exists in table",
      "The conditional request failed",
      "The conditional request failed",
    ]);
    expect(await stored(server, table, { pk: S("never") })).toBeUndefined();
    expect(await v("b")).toEqual(N(2));
  });

  test("the item that failed is shown if it is asked for", async () => {
    const [reason] = await reasons(
      transact(server, [
        {
          Statement: `DELETE FROM "${table}" WHERE pk = 'b' AND v = 1`,
          ReturnValuesOnConditionCheckFailure: "ALL_OLD",
        },
      ]),
      "ConditionalCheckFailed",
    );
    expect(reason?.Item).toEqual({ pk: S("b"), v: N(2) });
  });

  test("EXISTS checks a condition", async () => {
    const update = `UPDATE "${table}" SET seen = 1 WHERE pk = 'b'`;
    const exists = (condition: string): string =>
      `EXISTS(SELECT * FROM "${sorted}" WHERE (pk = 'p' AND sk = '2') AND ${condition})`;
    await transact(server, [exists("nope IS MISSING"), update]);
    expect((await stored(server, table, { pk: S("b") }))?.seen).toEqual(N(1));
    const found = await reasons(
      transact(server, [exists("flag = 'three'"), update]),
      "ConditionalCheckFailed",
      "None",
    );
    expect(found[0]?.Message).toBe("The conditional request failed");
    await reasons(
      transact(server, [exists("pk = 'other' AND flag = 'two'"), update]),
      "ConditionalCheckFailed",
      "None",
    );
  });

  test.each([
    `EXISTS(SELECT * FROM "T" WHERE pk = 'p' AND sk = '1')`,
    `EXISTS(SELECT * FROM "T" WHERE pk = 'p' AND flag = 'one')`,
    `EXISTS(SELECT * FROM "T" WHERE pk IN ['p'] AND sk = '1' AND flag = 'one')`,
  ])("EXISTS needs a key and a condition: %s", async (statement) => {
    await validation(
      transact(server, [
        statement.replace('"T"', `"${sorted}"`),
        `UPDATE "${table}" SET seen = 2 WHERE pk = 'b'`,
      ]),
      at(0, "EXISTS() must contain a single item read with additional condition"),
    );
  });

  test("RETURNING is not for transactions", async () => {
    await validation(
      transact(server, [`UPDATE "${table}" SET v = 5 WHERE pk = 'b' RETURNING ALL NEW *`]),
      at(0, "RETURNING clause is not supported in ExecuteTransaction."),
    );
    expect(await v("b")).toEqual(N(2));
  });

  test("keys that do not fit cancel it, each for itself", async () => {
    const update = `UPDATE "${sorted}" SET a = 1 WHERE `;
    const found = await reasons(
      transact(server, [
        `${update} pk = 'p'`,
        `${update} pk IN ['p'] AND sk = '1'`,
        `${update} pk = 'p' AND sk = '1' AND pk = 'q'`,
        `${update} pk = 'p' AND sk = 1`,
        `${update} pk = 'p' AND sk = '2'`,
      ]),
      ...["ValidationError", "ValidationError", "ValidationError", "ValidationError", "None"],
    );
    const mismatch = "The provided key element does not match the schema";
    expect([found[0]?.Message, found[3]?.Message]).toEqual([mismatch, mismatch]);
    const missing = await reasons(
      transact(server, [
        `INSERT INTO "${sorted}" VALUE {'pk': 'x'}`,
        `DELETE FROM "${sorted}" WHERE sk = '1'`,
      ]),
      "ValidationError",
      "ValidationError",
    );
    expect(missing.map(({ Message }) => Message)).toEqual([
      "One or more parameter values were invalid: Missing the key sk in the item",
      mismatch,
    ]);
  });
});

describe("reads", () => {
  test("one answer for each", async () => {
    const { Responses } = await transact(server, [
      `SELECT v, m.x FROM "${table}" WHERE pk = 'a'`,
      `SELECT * FROM "${table}" WHERE pk = 'none'`,
      `SELECT flag FROM "${sorted}" WHERE sk IN ['2'] AND pk = 'p' AND pk = 'p'`,
    ]);
    expect(Responses).toEqual([{ Item: { v: N(1), x: S("y") } }, {}, { Item: { flag: S("two") } }]);
  });

  const needsKey = at(
    0,
    "Select statements within ExecuteTransaction must specify the primary key in the where clause.",
  );

  test.each([
    ["pk = 'p' AND sk = '1' AND flag = 'one'", needsKey],
    ["pk = 'p' AND sk = '1' AND pk = 'q'", needsKey],
    ["pk IN ['q'] AND pk = 'p' AND sk = '1'", needsKey],
    ["pk = 'p'", needsKey],
    ["pk = 'p' AND attribute_exists(sk)", needsKey],
    [
      "pk IN ['p', 'p'] AND sk = '1'",
      at(0, "Overlapping conditions with range keys are not supported in where clause"),
    ],
  ])("by the key and nothing else: not %s", async (where, message) => {
    await validation(transact(server, [`SELECT * FROM "${sorted}" WHERE ${where}`]), message);
  });

  test("of no index", async () => {
    await validation(
      transact(server, [`SELECT * FROM "${table}"."gsi" WHERE mark = 'x'`]),
      at(0, "Reads on indices are not supported within transactions."),
    );
  });

  test("a key of another type cancels it", async () => {
    const select = `SELECT * FROM "${sorted}" WHERE pk = 'p' AND sk = '1'`;
    const found = await reasons(
      transact(server, [select, select, `SELECT * FROM "${sorted}" WHERE pk = 'p' AND sk = 1`]),
      "None",
      "None",
      "ValidationError",
    );
    expect(found[2]?.Message).toBe("The provided key element does not match the schema");
  });
});

describe("the transaction", () => {
  test("is of reads or of writes", async () => {
    await validation(
      transact(server, [
        `SELECT * FROM "${table}" WHERE pk = 'a'`,
        `UPDATE "${table}" SET v = 2 WHERE pk = 'b'`,
      ]),
      "ExecuteTransaction API does not support both read and write operations in the same request.",
    );
  });

  test("names no item twice", async () => {
    const repeated = "Transaction request cannot include multiple operations on one item";
    await validation(
      transact(server, [
        `SELECT * FROM "${sorted}" WHERE pk = 'p' AND sk = '1'`,
        `SELECT flag FROM "${sorted}" WHERE sk = '1' AND pk = 'p'`,
      ]),
      repeated,
    );
    await validation(
      transact(server, [
        `EXISTS(SELECT * FROM "${table}" WHERE pk = 'b' AND v = 2)`,
        `UPDATE "${table}" SET v = 3 WHERE pk = 'b'`,
      ]),
      repeated,
    );
  });

  test("says which statement is wrong", async () => {
    const fine = `UPDATE "${table}" SET v = 2 WHERE pk = 'b'`;
    await validation(
      transact(server, [fine, `SELECT * FROM "${table}" WHERE`]),
      at(1, `${malformed}Unexpected term`),
    );
    await validation(
      transact(server, [fine, `UPDATE "${table}" SET n = n + [1] WHERE pk = 'a'`]),
      at(
        1,
        "Incorrect operand type for operator or function; operator or function: +, operand type: L",
      ),
    );
    await validation(
      transact(server, [`INSERT INTO "${table}" VALUE {'pk': 'x', 'l': [<<'a', 'a'>>]}`]),
      at(
        0,
        "One or more parameter values were invalid: Input collection [a, a] contains duplicates.",
      ),
    );
    await validation(
      transact(server, [
        fine,
        {
          Statement: `UPDATE "${table}" SET x = ? WHERE pk = 'a'`,
          Parameters: [N("1e99999999999")],
        },
      ]),
      "The parameter cannot be converted to a numeric value: 1e99999999999",
    );
  });

  test("is cancelled for a table that is not there, unless a statement is wrong", async () => {
    const missing = `UPDATE "never-created" SET a = 1 WHERE pk = 'x'`;
    const found = await reasons(
      transact(server, [
        `${missing} RETURNING ALL NEW *`,
        `UPDATE "${table}" SET v = 2 WHERE pk = 'b'`,
      ]),
      "ResourceNotFound",
      "None",
    );
    expect(found[0]?.Message).toBe("Requested resource not found");
    await reasons(
      transact(server, [
        `SELECT * FROM "${table}" WHERE pk = 'a'`,
        `SELECT * FROM "never-created"."idx" WHERE pk = 'x'`,
      ]),
      "None",
      "ResourceNotFound",
    );
    await validation(
      transact(server, [missing, `UPDATE "${table}" SET v = 2 WHERE pk = 'b' RETURNING ALL NEW *`]),
      at(1, "RETURNING clause is not supported in ExecuteTransaction."),
    );
  });

  test("has 1 to 100 statements", async () => {
    await expectError(transact(server, []), "ValidationException");
    const many = Array.from(
      { length: 101 },
      (_, i) => `INSERT INTO "${table}" VALUE {'pk': 'many-${i}'}`,
    );
    await expectError(transact(server, many), "ValidationException");
    await transact(server, many.slice(0, 100));
    expect(await stored(server, table, { pk: S("many-99") })).toBeDefined();
  });
});

describe("a token", () => {
  test("makes a transaction happen once", async () => {
    await putAll(server, table, [{ pk: S("counter"), v: N(0) }]);
    const statements = [`UPDATE "${table}" SET v = v + 1 WHERE pk = 'counter'`];
    const options = { ClientRequestToken: "once", ReturnConsumedCapacity: "INDEXES" } as const;
    const first = await transact(server, statements, options);
    const again = await transact(server, statements, options);
    expect(await v("counter")).toEqual(N(1));
    expect(first.ConsumedCapacity).toEqual([
      {
        TableName: table,
        CapacityUnits: 2,
        WriteCapacityUnits: 2,
        Table: { CapacityUnits: 2, WriteCapacityUnits: 2 },
      },
    ]);
    expect(again.Responses).toEqual([]);
    expect(again.ConsumedCapacity).toEqual([
      {
        TableName: table,
        CapacityUnits: 2,
        ReadCapacityUnits: 2,
        Table: { CapacityUnits: 2, ReadCapacityUnits: 2 },
      },
    ]);
    await expectError(
      transact(server, [`UPDATE "${table}" SET v = v + 2 WHERE pk = 'counter'`], options),
      "IdempotentParameterMismatchException",
    );
  });

  test("is one thing here and another in TransactWriteItems", async () => {
    const ClientRequestToken = "shared";
    await transact(server, [`INSERT INTO "${table}" VALUE {'pk': 'one'}`], { ClientRequestToken });
    const { status } = await server.raw("TransactWriteItems", {
      ClientRequestToken,
      TransactItems: [{ Put: { TableName: table, Item: { pk: { S: "two" } } } }],
    });
    expect(status).toBe(200);
    expect(await stored(server, table, { pk: S("two") })).toBeDefined();
  });
});

test("capacity: the table's part is doubled, an index's is not", async () => {
  const { ConsumedCapacity } = await transact(
    server,
    [
      `INSERT INTO "${table}" VALUE {'pk': 'units', 'mark': 'm'}`,
      `DELETE FROM "${sorted}" WHERE pk = 'p' AND sk = 'none'`,
    ],
    { ReturnConsumedCapacity: "INDEXES" },
  );
  expect(ConsumedCapacity?.map(({ CapacityUnits }) => CapacityUnits)).toEqual([3, 2]);
  expect(ConsumedCapacity?.[0]?.GlobalSecondaryIndexes?.gsi?.CapacityUnits).toBe(1);
  const reads = await transact(server, [`SELECT * FROM "${table}" WHERE pk = 'none'`], {
    ReturnConsumedCapacity: "TOTAL",
  });
  expect(reads.ConsumedCapacity).toEqual([
    { TableName: table, CapacityUnits: 2, ReadCapacityUnits: 2 },
  ]);
});
