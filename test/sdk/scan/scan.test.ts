import { DeleteItemCommand, type ScanCommandInput, type Select } from "@aws-sdk/client-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import { createTable, expectError, useServer, validation } from "../harness.ts";
import { B, column, type Item, itemsOf, N, putAll, S, scan, scanPages } from "../reading.ts";

const server = useServer();
const older = useServer({ dialect: "2026-05" });

let TableName: string;
const count = 30;

beforeAll(async () => {
  TableName = await createTable(server, {
    key: "pk:S sk:N",
    global: {
      byColour: { hash: "colour:S" },
      keys: { hash: "colour:S", range: "pk:S", projection: { ProjectionType: "KEYS_ONLY" } },
      some: {
        hash: "sk:N",
        projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["shape", "note"] },
      },
    },
    local: {
      byShape: { range: "shape:S", projection: { ProjectionType: "KEYS_ONLY" } },
    },
  });
  const items = Array.from({ length: count }, (_, n): Item => {
    const item: Item = { pk: S(`p${n % 6}`), sk: N(n), payload: B(n, 0, 255) };
    if (n % 2 === 0) item.colour = S(n % 4 === 0 ? "red" : "blue");
    if (n % 3 === 0) item.shape = S("round");
    return item;
  });
  await putAll(server, TableName, items);
});

const sorted = (texts: (string | undefined)[]) => texts.map(Number).toSorted((a, b) => a - b);
const every = (step: number) =>
  Array.from({ length: count }, (_, n) => n).filter((n) => n % step === 0);

describe("pages", () => {
  test.each([1, 7, 10, 29, 30, 31])("of %i items give every item once", async (Limit) => {
    const whole = await scan(server, { TableName });
    expect(whole).toMatchObject({ Count: count, ScannedCount: count });
    expect(whole.LastEvaluatedKey).toBeUndefined();
    const all = await scanPages(server, { TableName, Limit });
    for (const page of all.slice(0, -1)) expect(page.Count).toBe(Limit);
    expect(itemsOf(all)).toEqual(whole.Items);
  });

  test.each([
    ["byColour", 2, ["colour", "pk", "sk"]],
    ["keys", 2, ["colour", "pk", "sk"]],
    ["some", 1, ["pk", "sk"]],
    ["byShape", 3, ["pk", "shape", "sk"]],
  ])("of index %s", async (IndexName, step, names) => {
    for (const Limit of [1, 4, 5]) {
      const all = await scanPages(server, { TableName, IndexName, Limit });
      expect(sorted(column(itemsOf(all), "sk"))).toEqual(every(step));
      expect(Object.keys(all[0]?.LastEvaluatedKey ?? {}).toSorted()).toEqual(names);
    }
  });

  test("the key of a page names its last item", async () => {
    const { Items, LastEvaluatedKey } = await scan(server, { TableName, Limit: 5 });
    const { pk, sk } = Items?.at(-1) ?? {};
    expect(LastEvaluatedKey).toEqual({ pk, sk });
  });

  test("a key that no item has any more is good to go on from", async () => {
    const table = await createTable(server, { key: "pk:S" });
    await putAll(
      server,
      table,
      ["a", "b", "c", "d"].map((pk) => ({ pk: S(pk) })),
    );
    const whole = column((await scan(server, { TableName: table })).Items, "pk");
    const { LastEvaluatedKey } = await scan(server, { TableName: table, Limit: 2 });
    await server.client.send(new DeleteItemCommand({ TableName: table, Key: LastEvaluatedKey }));
    const rest = await scan(server, { TableName: table, ExclusiveStartKey: LastEvaluatedKey });
    expect(column(rest.Items, "pk")).toEqual(whole.slice(2));
  });

  test("an empty table has one empty page", async () => {
    const table = await createTable(server, { key: "pk:S", global: { other: { hash: "x:S" } } });
    for (const IndexName of [undefined, "other"]) {
      const page = await scan(server, { TableName: table, IndexName });
      expect(page).toMatchObject({ Items: [], Count: 0, ScannedCount: 0 });
      expect(page.LastEvaluatedKey).toBeUndefined();
    }
  });
});

describe("filters", () => {
  test.each<[string, Item | undefined, number[]]>([
    ["attribute_exists(colour)", undefined, every(2)],
    ["colour = :v", { ":v": S("red") }, every(4)],
    ["colour = :v AND attribute_exists(shape)", { ":v": S("red") }, every(12)],
    ["sk < :v", { ":v": N(3) }, [0, 1, 2]],
    ["sk BETWEEN :v AND :w", { ":v": N(10), ":w": N(12) }, [10, 11, 12]],
    ["pk = :v", { ":v": S("p1") }, [1, 7, 13, 19, 25]],
    ["payload = :v", { ":v": B(4, 0, 255) }, [4]],
    ["begins_with(payload, :v)", { ":v": B(4, 0) }, [4]],
    ["payload < :v", { ":v": B(2) }, [0, 1]],
    ["nothing = :v", { ":v": S("x") }, []],
    ["nothing <> :v", { ":v": S("x") }, every(1)],
  ])("%s", async (FilterExpression, ExpressionAttributeValues, expected) => {
    const page = await scan(server, { TableName, FilterExpression, ExpressionAttributeValues });
    expect(sorted(column(page.Items, "sk"))).toEqual(expected);
    expect(page).toMatchObject({ Count: expected.length, ScannedCount: count });
  });

  test("Limit counts what is read, not what is found", async () => {
    const input: ScanCommandInput = {
      TableName,
      FilterExpression: "sk = :v",
      ExpressionAttributeValues: { ":v": N(17) },
      Limit: 8,
    };
    const all = await scanPages(server, input);
    expect(all.slice(0, 3).map(({ ScannedCount }) => ScannedCount)).toEqual([8, 8, 8]);
    expect(column(itemsOf(all), "sk")).toEqual(["17"]);
  });

  test("an attribute that the index does not hold is missing in it", async () => {
    for (const IndexName of ["keys", "byShape"]) {
      const page = await scan(server, {
        TableName,
        IndexName,
        FilterExpression: "attribute_exists(payload)",
      });
      expect(page.Count).toBe(0);
      expect(page.ScannedCount).toBeGreaterThan(0);
    }
  });

  test("keys of table and index may be filtered by", async () => {
    const page = await scan(server, {
      TableName,
      IndexName: "byColour",
      FilterExpression: "colour = :c AND sk > :n",
      ExpressionAttributeValues: { ":c": S("blue"), ":n": N(20) },
    });
    expect(sorted(column(page.Items, "sk"))).toEqual([22, 26]);
  });

  test("paths into keys are refused", async () => {
    const scalar =
      "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: ";
    await validation(
      scan(server, { TableName, FilterExpression: "attribute_exists(pk.a)" }),
      `${scalar}Key: pk`,
    );
    await validation(
      scan(server, { TableName, FilterExpression: "attribute_exists(colour[0])" }),
      `${scalar}IndexKey: colour`,
    );
  });
});

describe("what is given of an item", () => {
  const first = { FilterExpression: "sk = :v", ExpressionAttributeValues: { ":v": N(0) } };

  test.each<[string | undefined, Item]>([
    [
      undefined,
      { pk: S("p0"), sk: N(0), colour: S("red"), shape: S("round"), payload: B(0, 0, 255) },
    ],
    [
      "byColour",
      { pk: S("p0"), sk: N(0), colour: S("red"), shape: S("round"), payload: B(0, 0, 255) },
    ],
    ["keys", { pk: S("p0"), sk: N(0), colour: S("red") }],
    ["some", { pk: S("p0"), sk: N(0), shape: S("round") }],
    ["byShape", { pk: S("p0"), sk: N(0), shape: S("round") }],
  ])("by index %s", async (IndexName, expected) => {
    expect((await scan(server, { TableName, IndexName, ...first })).Items).toEqual([expected]);
  });

  test("by a projection, also of a local index that does not hold the attribute", async () => {
    const projection = { ProjectionExpression: "payload, pk" };
    const expected = [{ pk: S("p0"), payload: B(0, 0, 255) }];
    expect((await scan(server, { TableName, ...projection, ...first })).Items).toEqual(expected);
    const local = await scan(server, { TableName, IndexName: "byShape", ...projection, ...first });
    expect(local.Items).toEqual(expected);
  });

  test("by AttributesToGet", async () => {
    const page = await scan(server, { TableName, AttributesToGet: ["colour"] });
    expect(page.Items?.filter(({ colour }) => colour !== undefined).length).toBe(15);
    expect(page.Items?.filter((item) => Object.keys(item).length === 0).length).toBe(15);
  });

  test("COUNT gives no items", async () => {
    const page = await scan(server, { TableName, Select: "COUNT", ...first });
    expect(page).toMatchObject({ Count: 1, ScannedCount: count });
    expect(page.Items).toBeUndefined();
  });

  test("ALL_ATTRIBUTES of a local index reads the table", async () => {
    const page = await scan(server, { TableName, IndexName: "byShape", Select: "ALL_ATTRIBUTES" });
    expect(page.Items?.every(({ payload }) => payload?.B?.length === 3)).toBe(true);
    expect(page.Count).toBe(10);
  });
});

test("ScanFilter, with AND and with OR", async () => {
  const ScanFilter = {
    colour: { ComparisonOperator: "EQ", AttributeValueList: [S("red")] },
    shape: { ComparisonOperator: "NOT_NULL" },
  } as const satisfies ScanCommandInput["ScanFilter"];
  const and = await scan(server, { TableName, ScanFilter });
  expect(sorted(column(and.Items, "sk"))).toEqual(every(12));
  const or = await scan(server, { TableName, ScanFilter, ConditionalOperator: "OR" });
  expect(or.Count).toBe(new Set([...every(4), ...every(3)]).size);
});

describe("refused", () => {
  const parameter = "One or more parameter values were invalid: ";
  test.each<[string, Partial<ScanCommandInput>, string]>([
    [
      "an unknown index",
      { IndexName: "nothing" },
      "The table does not have the specified index: nothing",
    ],
    [
      "the unknown index before a bad start key and a bad path",
      { IndexName: "nothing", ExclusiveStartKey: {}, FilterExpression: "attribute_exists(pk.a)" },
      "The table does not have the specified index: nothing",
    ],
    [
      "consistent reads of a global index",
      { IndexName: "keys", ConsistentRead: true },
      "Consistent reads are not supported on global secondary indexes",
    ],
    [
      "ALL_ATTRIBUTES of a global index that holds fewer",
      { IndexName: "keys", Select: "ALL_ATTRIBUTES" },
      `${parameter}Select type ALL_ATTRIBUTES is not supported for global secondary index keys because its projection type is not ALL`,
    ],
    [
      "what the global index does not hold",
      { IndexName: "some", ProjectionExpression: "payload" },
      `${parameter}Global secondary index some does not project [payload]`,
    ],
    [
      "SPECIFIC_ATTRIBUTES without attributes",
      { Select: "SPECIFIC_ATTRIBUTES" },
      "1 validation error detected: Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES",
    ],
    [
      "an empty filter",
      { FilterExpression: "" },
      "Invalid FilterExpression: The expression can not be empty;",
    ],
    [
      "an empty projection",
      { ProjectionExpression: "" },
      "Invalid ProjectionExpression: The expression can not be empty;",
    ],
    [
      "names without expressions",
      { ExpressionAttributeNames: { "#a": "a" } },
      "ExpressionAttributeNames can only be specified when using expressions",
    ],
    [
      "two ways to filter",
      { FilterExpression: "a = :a", ScanFilter: {} },
      "Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {ScanFilter} Expression parameters: {FilterExpression}",
    ],
    [
      "an unknown Select",
      { Select: "SOME" as Select },
      "1 validation error detected: Value 'SOME' at 'select' failed to satisfy constraint: Member must satisfy enum value set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]",
    ],
  ])("%s", async (_, more, message) => {
    await validation(scan(server, { TableName, ...more }), message);
  });

  test("older dialect: SPECIFIC_ATTRIBUTES without attributes", async () => {
    const table = await createTable(older, { key: "pk:S" });
    await validation(
      scan(older, { TableName: table, Select: "SPECIFIC_ATTRIBUTES" }),
      "Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES",
    );
  });

  test("older dialect: the start key of an index against Select", async () => {
    const table = await createTable(older, {
      key: "a:S b:S",
      global: {
        index: { hash: "c:S", range: "d:S", projection: { ProjectionType: "KEYS_ONLY" } },
      },
    });
    const ask = (ExclusiveStartKey: Item) =>
      scan(older, {
        TableName: table,
        IndexName: "index",
        Select: "ALL_ATTRIBUTES",
        ExclusiveStartKey,
      });
    await validation(ask({ c: S("1") }), "The provided starting key is invalid");
    await validation(
      ask({ x: N(1), y: N(1), c: S("1"), d: N(1) }),
      "The provided key element does not match the schema",
    );
    await validation(
      ask({ x: N(1), y: N(1), c: S("1"), d: S("1") }),
      `${parameter}Select type ALL_ATTRIBUTES is not supported for global secondary index index because its projection type is not ALL`,
    );
  });

  test("a table that does not exist, after what is wrong with the request itself", async () => {
    await expectError(
      scan(server, { TableName: "no-such-table", ExclusiveStartKey: {}, IndexName: "nothing" }),
      "ResourceNotFoundException",
      "Requested resource not found",
    );
    await validation(
      scan(server, { TableName: "no-such-table", FilterExpression: "" }),
      "Invalid FilterExpression: The expression can not be empty;",
    );
  });
});
