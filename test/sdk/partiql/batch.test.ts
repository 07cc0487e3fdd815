import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import { createTable, expectError, useServer, validation } from "../harness.ts";
import { N, putAll, S } from "../reading.ts";
import { batch, malformed, run, stored } from "./support.ts";

const server = useServer();
let table = "";
let sorted = "";
let multi = "";

beforeAll(async () => {
  table = await createTable(server, { key: "pk:S", global: { gsi: { hash: "mark:S" } } });
  sorted = await createTable(server, { key: "pk:S sk:S" });
  multi = await createTable(server, { key: "pk:S", global: { many: { hash: "h1:S h2:S" } } });
  await putAll(server, table, [
    { pk: S("a"), v: N(1), m: { M: { x: S("y") } } },
    { pk: S("b"), v: N(2), mark: S("m") },
  ]);
  await putAll(server, sorted, [{ pk: S("p"), sk: S("1"), flag: S("one") }]);
});

const needsKey =
  "Select statements within BatchExecuteStatement must specify the primary key in the where clause.";

describe("reads", () => {
  test("each statement has its answer, in order", async () => {
    const { Responses } = await batch(server, [
      `SELECT * FROM "${table}" WHERE pk = 'b'`,
      { Statement: `SELECT v, m.x FROM "${table}" WHERE pk = ?`, Parameters: [S("a")] },
      `SELECT * FROM "${table}" WHERE pk = 'none'`,
      `SELECT flag FROM "${sorted}" WHERE sk = '1' AND (pk = 'p')`,
      `SELECT flag FROM "${sorted}" WHERE pk IN ['p'] AND sk = '2'`,
    ]);
    expect(Responses).toEqual([
      { TableName: table, Item: { pk: S("b"), v: N(2), mark: S("m") } },
      { TableName: table, Item: { v: N(1), x: S("y") } },
      { TableName: table },
      { TableName: sorted, Item: { flag: S("one") } },
      { TableName: sorted },
    ]);
  });

  test.each([
    ["a condition besides the key", () => `SELECT * FROM "${table}" WHERE pk = 'a' AND v = 1`],
    ["another attribute", () => `SELECT * FROM "${table}" WHERE v = 1`],
    ["nothing", () => `SELECT * FROM "${table}"`],
    ["half a key", () => `SELECT * FROM "${sorted}" WHERE pk = 'p'`],
    ["an index", () => `SELECT * FROM "${table}"."gsi" WHERE mark = 'm'`],
    ["an index and the key", () => `SELECT * FROM "${table}"."gsi" WHERE pk = 'b' AND mark = 'm'`],
    ["two values", () => `SELECT * FROM "${table}" WHERE pk = 'a' AND pk = 'b'`],
    ["a function", () => `SELECT * FROM "${table}" WHERE pk = 'a' AND attribute_exists(v)`],
  ])("one item by its key: not with %s", async (_what, statement) => {
    const { Responses } = await batch(server, [
      statement(),
      `SELECT v FROM "${table}" WHERE pk = 'a'`,
    ]);
    expect(Responses).toEqual([
      { Error: { Code: "ValidationError", Message: needsKey } },
      { TableName: table, Item: { v: N(1) } },
    ]);
  });

  test("fail one by one", async () => {
    const { Responses } = await batch(server, [
      "SLECT * FROM t",
      `SELECT * FROM "never-created" WHERE pk = 'x'`,
      `SELECT * FROM "${table}" WHERE`,
      `SELECT * FROM "${multi}"."many" WHERE h1 = 'a'`,
      { Statement: `SELECT * FROM "${table}" WHERE pk = ?`, Parameters: [N("1e99999999999")] },
      `SELECT v FROM "${table}" WHERE pk = 'a'`,
    ]);
    expect(Responses?.map(({ Error: error }) => error)).toEqual([
      { Code: "ValidationError", Message: `${malformed}Expected data manipulation` },
      { Code: "ResourceNotFound", Message: "Requested resource not found" },
      { Code: "ValidationError", Message: `${malformed}Unexpected term` },
      {
        Code: "ValidationError",
        Message:
          "PartiQL statements cannot be executed on tables with multi-attribute HASH keys or multi-attribute RANGE keys.",
      },
      {
        Code: "ValidationError",
        Message: "The parameter cannot be converted to a numeric value: 1e99999999999",
      },
      undefined,
    ]);
  });
});

describe("writes", () => {
  test("each stands for itself", async () => {
    await putAll(server, table, [{ pk: S("w1"), v: N(1) }, { pk: S("w2") }, { pk: S("w3") }]);
    const { Responses } = await batch(server, [
      `INSERT INTO "${table}" VALUE {'pk': 'new', 'v': 1}`,
      `UPDATE "${table}" SET v = v + 1 WHERE pk = 'w1' AND v = 1`,
      `UPDATE "${table}" SET v = 9 WHERE pk = 'w2' AND v = 1`,
      `INSERT INTO "${table}" VALUE {'pk': 'w3'}`,
      `UPDATE "${table}" SET v = 1 WHERE pk = 'absent'`,
      `DELETE FROM "${table}" WHERE pk = 'nobody'`,
      `DELETE FROM "${table}" WHERE v = 1`,
    ]);
    expect(Responses).toEqual([
      { TableName: table },
      { TableName: table },
      {
        TableName: table,
        Error: { Code: "ConditionalCheckFailed", Message: "The conditional request failed" },
      },
      {
        TableName: table,
        Error: { Code: "DuplicateItem", Message: "Duplicate primary key exists in table" },
      },
      {
        TableName: table,
        Error: { Code: "ConditionalCheckFailed", Message: "The conditional request failed" },
      },
      { TableName: table },
      {
        Error: {
          Code: "ValidationError",
          Message: "Where clause does not contain a mandatory equality on all key attributes",
        },
      },
    ]);
    expect((await stored(server, table, { pk: S("w1") }))?.v).toEqual(N(2));
    expect((await stored(server, table, { pk: S("w2") }))?.v).toBeUndefined();
    expect(await stored(server, table, { pk: S("new") })).toBeDefined();
  });

  test("RETURNING shows what it says", async () => {
    await putAll(
      server,
      table,
      ["r1", "r2", "r3", "r4"].map((pk) => ({ pk: S(pk), v: N(1) })),
    );
    const { Responses } = await batch(server, [
      `DELETE FROM "${table}" WHERE pk = 'r1' RETURNING ALL OLD *`,
      `UPDATE "${table}" SET v = 2 WHERE pk = 'r2' RETURNING MODIFIED NEW *`,
      `UPDATE "${table}" REMOVE v WHERE pk = 'r3' RETURNING MODIFIED NEW *`,
      `DELETE FROM "${table}" WHERE pk = 'r4' RETURNING MODIFIED OLD *`,
      `FROM "${table}" WHERE pk = 'a' SET v = 1 RETURNING ALL NEW *`,
    ]);
    expect(Responses).toEqual([
      { TableName: table, Item: { pk: S("r1"), v: N(1) } },
      { TableName: table, Item: { v: N(2) } },
      { TableName: table },
      {
        Error: {
          Code: "ValidationError",
          Message:
            "Invalid returning clause: RETURNING MODIFIED OLD *. Only RETURNING ALL OLD * is allowed in DELETE statements.",
        },
      },
      { TableName: table, Item: { pk: S("a"), v: N(1), m: { M: { x: S("y") } } } },
    ]);
  });

  test.each(["ALL_OLD", "NONE"] as const)(
    "the item that failed is not shown, though %s is asked for",
    async (ReturnValuesOnConditionCheckFailure) => {
      const { Responses } = await batch(server, [
        {
          Statement: `UPDATE "${table}" SET v = 5 WHERE pk = 'b' AND v = 99`,
          ReturnValuesOnConditionCheckFailure,
        },
      ]);
      expect(Responses).toEqual([
        {
          TableName: table,
          Error: { Code: "ConditionalCheckFailed", Message: "The conditional request failed" },
        },
      ]);
    },
  );

  test("what would nest too deep is refused", async () => {
    await putAll(server, table, [{ pk: S("deep"), m: { M: {} } }]);
    let value: AttributeValue = S("x");
    for (let i = 0; i < 31; i += 1) value = { M: { a: value } };
    const member = {
      Statement: `UPDATE "${table}" SET m.deep = ? WHERE pk = 'deep'`,
      Parameters: [value],
    };
    const Message = "Nesting Levels have exceeded supported limits";
    const { Responses } = await batch(server, [member]);
    expect(Responses).toEqual([{ TableName: table, Error: { Code: "ValidationError", Message } }]);
    await validation(run(server, member.Statement, member.Parameters), Message);
  });
});

describe("the batch", () => {
  test("does not mix reads and writes", async () => {
    await validation(
      batch(server, [
        `SELECT * FROM "${table}" WHERE pk = 'a'`,
        `DELETE FROM "${table}" WHERE pk = 'b'`,
      ]),
      "Read and write requests together in the same batch is not supported.",
    );
    expect(await stored(server, table, { pk: S("b") })).toBeDefined();
  });

  test("names no item twice", async () => {
    const repeated = "Provided list of item keys contains duplicates";
    await validation(
      batch(server, [
        `SELECT * FROM "${table}" WHERE pk = 'a'`,
        `SELECT v FROM "${table}" WHERE 'a' = pk`,
      ]),
      repeated,
    );
    await validation(
      batch(server, [
        `INSERT INTO "${table}" VALUE {'pk': 'twice'}`,
        `DELETE FROM "${table}" WHERE pk = 'twice'`,
      ]),
      repeated,
    );
    expect(await stored(server, table, { pk: S("twice") })).toBeUndefined();
  });

  test("has 1 to 25 statements", async () => {
    await expectError(batch(server, []), "ValidationException");
    const many = Array.from(
      { length: 26 },
      (_, i) => `INSERT INTO "${table}" VALUE {'pk': 'many-${i}'}`,
    );
    await expectError(batch(server, many), "ValidationException");
    const { Responses } = await batch(server, many.slice(0, 25));
    expect(Responses).toEqual(many.slice(0, 25).map(() => ({ TableName: table })));
  });
});

describe("capacity", () => {
  test("of reads, each as consistent as it says", async () => {
    const { ConsumedCapacity } = await batch(
      server,
      [
        { Statement: `SELECT * FROM "${table}" WHERE pk = 'a'`, ConsistentRead: true },
        `SELECT * FROM "${table}" WHERE pk = 'none'`,
        `SELECT * FROM "${table}" WHERE v = 1`,
        `SELECT * FROM "${sorted}" WHERE pk = 'p' AND sk = '1'`,
      ],
      "INDEXES",
    );
    expect(ConsumedCapacity).toEqual([
      { TableName: table, CapacityUnits: 1.5, Table: { CapacityUnits: 1.5 } },
      { TableName: sorted, CapacityUnits: 0.5, Table: { CapacityUnits: 0.5 } },
    ]);
  });

  test("of writes: what failed counts in the sum alone, and only beside what did not", async () => {
    await putAll(server, table, [{ pk: S("c1"), v: N(1) }]);
    const { ConsumedCapacity } = await batch(
      server,
      [
        `INSERT INTO "${table}" VALUE {'pk': 'c2', 'mark': 'm'}`,
        `UPDATE "${table}" SET v = 2 WHERE pk = 'c1' AND v = 5`,
        `INSERT INTO "${sorted}" VALUE {'pk': 'p', 'sk': '1'}`,
      ],
      "INDEXES",
    );
    expect(ConsumedCapacity).toEqual([
      {
        TableName: table,
        CapacityUnits: 3,
        Table: { CapacityUnits: 1 },
        GlobalSecondaryIndexes: { gsi: { CapacityUnits: 1 } },
      },
    ]);
    const nothing = await batch(server, [`INSERT INTO "${table}" VALUE {'pk': 'c1'}`], "TOTAL");
    expect(nothing.ConsumedCapacity).toBeUndefined();
  });
});
