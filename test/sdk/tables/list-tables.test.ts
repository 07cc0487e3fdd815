import { ListTablesCommand, paginateListTables } from "@aws-sdk/client-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import { useServer } from "../harness.ts";
import { create, drop } from "./support.ts";

const server = useServer();

/** Names in the order of their bytes: capitals, then small letters. */
const sorted = ["Alpha", "Zeta", "a-1", "a.1", "a100", "a20", "a_1", "alpha", "beta", "zeta"].sort(
  (one, two) => (one < two ? -1 : 1),
);

beforeAll(async () => {
  for (const TableName of [...sorted].reverse()) await create(server, { TableName });
});

const list = (input: { Limit?: number; ExclusiveStartTableName?: string } = {}) =>
  server.client.send(new ListTablesCommand(input));

describe("ListTables", () => {
  test("tells all names in order", async () => {
    const answer = await server.raw("ListTables", {});
    expect(answer.json).toEqual({ TableNames: sorted });
  });

  test.each([1, 3, 9])("tells %i at a time and where to go on", async (Limit) => {
    const answer = await list({ Limit });
    expect(answer.TableNames).toEqual(sorted.slice(0, Limit));
    expect(answer.LastEvaluatedTableName).toBe(sorted[Limit - 1]);
  });

  test.each([10, 11, 100])("a limit of %i leaves nothing to go on with", async (Limit) => {
    const answer = await list({ Limit });
    expect(answer.TableNames).toEqual(sorted);
    expect(answer.LastEvaluatedTableName).toBeUndefined();
  });

  test("goes on after a name", async () => {
    const answer = await list({ ExclusiveStartTableName: sorted[3] ?? "", Limit: 2 });
    expect(answer.TableNames).toEqual(sorted.slice(4, 6));
  });

  test("goes on after a name that no table has", async () => {
    const answer = await list({ ExclusiveStartTableName: "alphabet" });
    expect(answer.TableNames).toEqual(["beta", "zeta"]);
  });

  test("has nothing after the last name", async () => {
    const answer = await server.raw("ListTables", { ExclusiveStartTableName: "zeta" });
    expect(answer.json).toEqual({ TableNames: [] });
  });

  test.each([1, 2, 4, 10])("pages of %i make the whole", async (pageSize) => {
    const found: string[] = [];
    for await (const page of paginateListTables({ client: server.client, pageSize }, {})) {
      found.push(...(page.TableNames ?? []));
    }
    expect(found).toEqual(sorted);
  });

  test("gives 100 names unless asked for fewer", async () => {
    const more = Array.from({ length: 91 }, (_, i) => `many${String(i).padStart(3, "0")}`);
    await Promise.all(more.map((TableName) => create(server, { TableName })));
    const expected = [...sorted, ...more].sort((one, two) => (one < two ? -1 : 1));
    const answer = await list();
    expect(answer.TableNames).toEqual(expected.slice(0, 100));
    expect(answer.LastEvaluatedTableName).toBe(expected[99]);
    const ExclusiveStartTableName = answer.LastEvaluatedTableName ?? "";
    expect((await list({ ExclusiveStartTableName })).TableNames).toEqual(expected.slice(100));
    await Promise.all(more.map((TableName) => drop(server, TableName)));
  });

  const failed = (shown: string, member: string, must: string) =>
    `Value '${shown}' at '${member}' failed to satisfy constraint: Member must ${must}`;
  const long = "a".repeat(256);

  test.each<[string, object, string]>([
    ["a limit of 0", { Limit: 0 }, failed("0", "limit", "have value greater than or equal to 1")],
    [
      "a limit of 101",
      { Limit: 101 },
      failed("101", "limit", "have value less than or equal to 100"),
    ],
    [
      "a start of 256 characters",
      { ExclusiveStartTableName: long },
      failed(long, "exclusiveStartTableName", "have length less than or equal to 255"),
    ],
    [
      "a start with other characters",
      { ExclusiveStartTableName: "abc;" },
      failed(
        "abc;",
        "exclusiveStartTableName",
        "satisfy regular expression pattern: [a-zA-Z0-9_.-]+",
      ),
    ],
    [
      "a start of two characters",
      { ExclusiveStartTableName: "ab" },
      failed("ab", "exclusiveStartTableName", "have length greater than or equal to 3"),
    ],
  ])("refuses %s", async (_, body, message) => {
    const answer = await server.raw("ListTables", body);
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual({
      __type: "com.amazon.coral.validate#ValidationException",
      message: `1 validation error detected: ${message}`,
    });
  });

  test("takes null for nothing", async () => {
    const answer = await server.raw("ListTables", { Limit: null, ExclusiveStartTableName: null });
    expect(answer.json.TableNames).toEqual(sorted);
  });
});
