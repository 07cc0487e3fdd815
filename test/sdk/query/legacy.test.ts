import type { AttributeValue, Condition, QueryCommandInput } from "@aws-sdk/client-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import { createTable, expectError, useServer, validation } from "../harness.ts";
import { column, N, putAll, query, S } from "../reading.ts";

const server = useServer();

let TableName: string;
let hashOnly: string;

beforeAll(async () => {
  hashOnly = await createTable(server, { key: "pk:S" });
  TableName = await createTable(server, {
    key: "pk:S sk:S",
    global: { byKind: { hash: "kind:S", range: "rank:N" } },
    local: { byRank: { range: "rank:N" } },
  });
  await putAll(
    server,
    TableName,
    ["a1", "a2", "b1", "b2", "c1"].map((sk, rank) => ({
      pk: S("p"),
      sk: S(sk),
      rank: N(-rank),
      kind: S(sk[0] as string),
      note: S(`note ${rank}`),
    })),
  );
});

const is = (ComparisonOperator: string, ...AttributeValueList: AttributeValue[]): Condition => ({
  ComparisonOperator: ComparisonOperator as "EQ",
  ...(AttributeValueList.length > 0 && { AttributeValueList }),
});
const pk = is("EQ", S("p"));

const ask = (more: Partial<QueryCommandInput>) =>
  query(server, { TableName, KeyConditions: { pk }, ...more });

describe("KeyConditions", () => {
  test.each<[string, Condition, string[]]>([
    ["EQ", is("EQ", S("b1")), ["b1"]],
    ["LT", is("LT", S("b1")), ["a1", "a2"]],
    ["LE", is("LE", S("b1")), ["a1", "a2", "b1"]],
    ["GT", is("GT", S("b1")), ["b2", "c1"]],
    ["GE", is("GE", S("b1")), ["b1", "b2", "c1"]],
    ["BETWEEN", is("BETWEEN", S("a2"), S("b2")), ["a2", "b1", "b2"]],
    ["BEGINS_WITH", is("BEGINS_WITH", S("b")), ["b1", "b2"]],
  ])("%s", async (_, sk, expected) => {
    const forward = await ask({ KeyConditions: { sk, pk } });
    expect(column(forward.Items, "sk")).toEqual(expected);
    const back = await ask({ KeyConditions: { pk, sk }, ScanIndexForward: false });
    expect(column(back.Items, "sk")).toEqual(expected.toReversed());
  });

  test("on indexes", async () => {
    const local = await ask({ IndexName: "byRank", KeyConditions: { pk, rank: is("LT", N(-2)) } });
    expect(column(local.Items, "rank")).toEqual(["-4", "-3"]);
    const global = await ask({ IndexName: "byKind", KeyConditions: { kind: is("EQ", S("b")) } });
    expect(column(global.Items, "sk")).toEqual(["b2", "b1"]);
  });

  test("beside expressions that are not about keys", async () => {
    const found = await ask({
      FilterExpression: "#r > :r",
      ProjectionExpression: "sk",
      ExpressionAttributeNames: { "#r": "rank" },
      ExpressionAttributeValues: { ":r": N(-2) },
    });
    expect(found.Items).toEqual([{ sk: S("a1") }, { sk: S("a2") }]);
  });

  const unindexable = "Attempted conditional constraint is not an indexable operation";
  const operators: [string, Condition][] = [
    ["NULL", is("NULL")],
    ["NOT_NULL", is("NOT_NULL")],
    ["NE", is("NE", S("p"))],
    ["IN", is("IN", S("p"))],
    ["CONTAINS", is("CONTAINS", S("p"))],
    ["NOT_CONTAINS", is("NOT_CONTAINS", S("p"))],
  ];
  test.each(operators)("%s is nothing for a key", async (_, condition) => {
    await validation(ask({ KeyConditions: { pk: condition } }), unindexable);
    await validation(ask({ KeyConditions: { pk, sk: condition } }), unindexable);
    // Each in its turn: the table, the keys that are missing, then the operator.
    await expectError(
      ask({ TableName: "no-such-table", KeyConditions: { pk: condition } }),
      "ResourceNotFoundException",
    );
    await validation(
      ask({ KeyConditions: { sk: condition } }),
      "Query condition missed key schema element: pk",
    );
    await validation(
      ask({ KeyConditions: { pk, z: condition } }),
      "Query condition missed key schema element: sk",
    );
  });

  test.each(["LE", "LT", "GE", "GT", "BEGINS_WITH"])("%s is nothing for a hash key", async (op) => {
    await validation(
      ask({ KeyConditions: { pk: is(op, S("p")) } }),
      "Query key condition not supported",
    );
  });

  const parameter = "One or more parameter values were invalid: ";
  const count = (op: string) =>
    `${parameter}Invalid number of argument(s) for the ${op} ComparisonOperator`;
  test.each<[Record<string, Condition>, string]>([
    [{ pk: is("EQ") }, count("EQ")],
    [{ pk: is("EQ", S("a"), S("b")) }, count("EQ")],
    [{ pk: is("BETWEEN", S("a")) }, count("BETWEEN")],
    [{ pk: is("NULL", S("a")) }, count("NULL")],
    [{ pk: is("IN") }, count("IN")],
    [
      { pk: is("BETWEEN", S("b"), S("a")) },
      "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound",
    ],
    [
      { pk: is("BETWEEN", S("b"), N(1)) },
      `${parameter}AttributeValues inside AttributeValueList must be of same type`,
    ],
    [
      { pk: is("LT", { BOOL: true }) },
      `${parameter}ComparisonOperator LT is not valid for BOOL AttributeValue type`,
    ],
    [
      { pk: is("BEGINS_WITH", N(1)) },
      `${parameter}ComparisonOperator BEGINS_WITH is not valid for N AttributeValue type`,
    ],
  ])("refused whatever the table: %j", async (KeyConditions, message) => {
    await validation(ask({ TableName: "no-such-table", KeyConditions }), message);
  });

  test("none at all is refused", async () => {
    await expectError(ask({ KeyConditions: {} }), "ValidationException");
  });

  test("a second condition on a table without sort key", async () => {
    await validation(
      ask({ TableName: hashOnly, KeyConditions: { pk, sk: is("EQ", S("a")) } }),
      "Query key condition not supported",
    );
  });

  test("a value of another type than the key's", async () => {
    await validation(
      ask({ KeyConditions: { pk: is("EQ", N(1)) } }),
      `${parameter}Condition parameter type does not match schema type`,
    );
  });
});

describe("QueryFilter", () => {
  test.each<[QueryCommandInput["QueryFilter"], string | undefined, string[]]>([
    [{ rank: is("GT", N(-2)) }, undefined, ["a1", "a2"]],
    [{ note: is("CONTAINS", S("3")) }, undefined, ["b2"]],
    [{ note: is("NOT_CONTAINS", S("3")), kind: is("EQ", S("b")) }, undefined, ["b1"]],
    [{ note: is("CONTAINS", S("3")), kind: is("EQ", S("a")) }, "OR", ["a1", "a2", "b2"]],
    [{ kind: is("IN", S("a"), S("c")), rank: is("LE", N(-1)) }, "AND", ["a2", "c1"]],
    [{ nothing: is("NULL") }, undefined, ["a1", "a2", "b1", "b2", "c1"]],
    [{ nothing: is("NOT_NULL") }, undefined, []],
    [{}, undefined, ["a1", "a2", "b1", "b2", "c1"]],
  ])("%j %s", async (QueryFilter, operator, expected) => {
    const found = await ask({
      QueryFilter,
      ...(operator !== undefined && { ConditionalOperator: operator as "OR" }),
    });
    expect(column(found.Items, "sk")).toEqual(expected);
    expect(found.ScannedCount).toBe(5);
  });

  test("names no key of what is queried", async () => {
    const primary = (name: string) =>
      `QueryFilter can only contain non-primary key attributes: Primary key attribute: ${name}`;
    await validation(ask({ QueryFilter: { pk } }), primary("pk"));
    await validation(ask({ QueryFilter: { sk: is("NOT_NULL") } }), primary("sk"));
    await validation(
      ask({ IndexName: "byRank", QueryFilter: { rank: is("NOT_NULL") } }),
      primary("rank"),
    );
  });

  test("ConditionalOperator wants two conditions to join", async () => {
    await validation(
      ask({ ConditionalOperator: "OR" }),
      "ConditionalOperator cannot be used without Filter or Expected",
    );
    await validation(
      ask({ ConditionalOperator: "OR", QueryFilter: { rank: is("NULL") } }),
      "ConditionalOperator can only be used when Filter or Expected has two or more elements",
    );
  });
});

describe("AttributesToGet", () => {
  test("gives those attributes", async () => {
    const { Items } = await ask({ AttributesToGet: ["rank", "nothing"], Limit: 1 });
    expect(Items).toEqual([{ rank: N(0) }]);
  });

  test("names each once", async () => {
    await validation(
      ask({ AttributesToGet: ["a", "b", "a"] }),
      "One or more parameter values were invalid: Duplicate value in attribute name: a",
    );
  });
});

test.each<[Partial<QueryCommandInput>, string, string]>([
  [{ KeyConditionExpression: "pk = :p" }, "{KeyConditions}", "{KeyConditionExpression}"],
  [
    { KeyConditionExpression: "pk = :p", QueryFilter: {}, AttributesToGet: ["a"] },
    "{AttributesToGet, QueryFilter, KeyConditions}",
    "{KeyConditionExpression}",
  ],
  [
    { FilterExpression: "a = :p", ConditionalOperator: "AND" },
    "{ConditionalOperator}",
    "{FilterExpression}",
  ],
  [
    { ProjectionExpression: "a", FilterExpression: "", AttributesToGet: ["a"] },
    "{AttributesToGet}",
    "{ProjectionExpression, FilterExpression}",
  ],
])("old and new parameters together: %j", async (more, old, now) => {
  await validation(
    ask({ TableName: "no-such-table", ...more }),
    `Can not use both expression and non-expression parameters in the same request: Non-expression parameters: ${old} Expression parameters: ${now}`,
  );
});

test("placeholders without expressions", async () => {
  await validation(
    ask({ ExpressionAttributeNames: { "#a": "a" } }),
    "ExpressionAttributeNames can only be specified when using expressions",
  );
  await validation(
    ask({ ExpressionAttributeValues: { ":a": S("a") } }),
    "ExpressionAttributeValues can only be specified when using expressions",
  );
});
