import { QueryCommand, ScanCommand } from "@aws-sdk/client-dynamodb";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import { createTable, useServer } from "../harness.ts";

/** QueryFilter, ScanFilter and AttributesToGet. */

const server = useServer();
let TableName = "";

const items = [
  { pk: "p", sk: "1", n: 1, s: "one", tags: new Set(["x"]) },
  { pk: "p", sk: "2", n: 2, s: "two", list: [1, "a"] },
  { pk: "p", sk: "3", n: "3", s: "three", nil: null },
  { pk: "p", sk: "4" },
];

beforeAll(async () => {
  TableName = await createTable(server, { key: "pk:S sk:S" });
  for (const Item of items) {
    await server.documents.send(new PutCommand({ TableName, Item }));
  }
});

type Condition = { ComparisonOperator: "EQ"; AttributeValueList?: [] };
type Filter = Record<string, Condition>;

const is = (ComparisonOperator: string, ...AttributeValueList: object[]): Condition => ({
  ComparisonOperator: ComparisonOperator as "EQ",
  ...(AttributeValueList.length > 0 && { AttributeValueList: AttributeValueList as [] }),
});
const S = (S: string) => ({ S });
const N = (n: number) => ({ N: String(n) });
const keyIs = { pk: is("EQ", S("p")) };

describe.each(["Query", "Scan"])("a filter of %s", (operation) => {
  async function found(filter: Filter, more: object = {}): Promise<string> {
    const answer = await (operation === "Query"
      ? server.client.send(
          new QueryCommand({ TableName, KeyConditions: keyIs, QueryFilter: filter, ...more }),
        )
      : server.client.send(new ScanCommand({ TableName, ScanFilter: filter, ...more })));
    expect(answer.ScannedCount).toBe(4);
    expect(answer.Count).toBe(answer.Items?.length);
    return (answer.Items ?? []).map(({ sk }) => sk?.S).join("");
  }

  test.each<[string, Filter, string]>([
    ["nothing", {}, "1234"],
    ["EQ", { n: is("EQ", N(1)) }, "1"],
    ["LT", { n: is("LT", N(2)) }, "1"],
    ["LE", { n: is("LE", N(2)) }, "12"],
    ["GT", { s: is("GT", S("three")) }, "2"],
    ["GE", { s: is("GE", S("three")) }, "23"],
    ["BETWEEN", { n: is("BETWEEN", N(1), N(9)) }, "12"],
    ["IN", { s: is("IN", S("one"), S("three")) }, "13"],
    ["BEGINS_WITH", { s: is("BEGINS_WITH", S("t")) }, "23"],
    ["CONTAINS of a string", { s: is("CONTAINS", S("w")) }, "2"],
    ["CONTAINS of a set", { tags: is("CONTAINS", S("x")) }, "1"],
    ["CONTAINS of a list", { list: is("CONTAINS", N(1)) }, "2"],
    ["NULL", { nil: is("NULL") }, "124"],
    ["NOT_NULL", { nil: is("NOT_NULL") }, "3"],
    ["two, both of which must hold", { n: is("LE", N(2)), s: is("EQ", S("two")) }, "2"],
  ])("%s", async (_title, filter, sorts) => {
    expect(await found(filter)).toBe(sorts);
  });

  test("two, one of which must hold", async () => {
    const filter = { n: is("EQ", N(1)), s: is("EQ", S("three")) };
    expect(await found(filter, { ConditionalOperator: "OR" })).toBe("13");
    expect(await found(filter, { ConditionalOperator: "AND" })).toBe("");
  });

  test("AttributesToGet", async () => {
    const request = { TableName, AttributesToGet: ["n", "sk", "list"] };
    const answer = await (operation === "Query"
      ? server.client.send(new QueryCommand({ ...request, KeyConditions: keyIs }))
      : server.client.send(new ScanCommand(request)));
    expect(answer.Items?.[1]).toEqual({
      sk: S("2"),
      n: N(2),
      list: { L: [N(1), S("a")] },
    });
    expect(answer.Items?.[3]).toEqual({ sk: S("4") });
  });

  test.each<[Filter, object, string]>([
    [
      { a: is("EQ") },
      {},
      "One or more parameter values were invalid: Invalid number of argument(s) for the EQ ComparisonOperator",
    ],
    [
      { a: is("IN", S("x"), N(1)) },
      {},
      "One or more parameter values were invalid: AttributeValues inside AttributeValueList must be of same type",
    ],
    [
      { a: is("GT", { L: [] }) },
      {},
      "One or more parameter values were invalid: ComparisonOperator GT is not valid for L AttributeValue type",
    ],
    [
      { a: is("NULL") },
      { ConditionalOperator: "OR" },
      "ConditionalOperator can only be used when Filter or Expected has two or more elements",
    ],
    [
      {},
      { ConditionalOperator: "OR" },
      "ConditionalOperator cannot be used without Filter or Expected",
    ],
    [
      {},
      { AttributesToGet: ["a", "b", "a"] },
      "One or more parameter values were invalid: Duplicate value in attribute name: a",
    ],
  ])("%o with %o is refused, with no count in front", async (filter, more, message) => {
    const { json } = await server.raw(operation, {
      TableName: "no-such-table",
      ...(operation === "Query" && { KeyConditions: keyIs }),
      ...(Object.keys(filter).length > 0 && { [`${operation}Filter`]: filter }),
      ...more,
    });
    expect(json).toEqual({
      __type: "com.amazon.coral.validate#ValidationException",
      message,
    });
  });
});

test("AttributesToGet of GetItem names whole attributes, dots and all", async () => {
  const Key = { pk: S("p"), sk: S("2") };
  const request = { TableName, Key, AttributesToGet: ["s", "list[0]", "gone"] };
  expect((await server.raw("GetItem", request)).json).toEqual({ Item: { s: S("two") } });
});
