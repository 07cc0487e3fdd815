import { beforeAll, describe, expect, test } from "vitest";
import { createTable, useServer, validation } from "../harness.ts";
import { N, putAll, S } from "../reading.ts";
import { column, run } from "./support.ts";

const server = useServer();
let table = "";
let numbers = "";

beforeAll(async () => {
  table = await createTable(server, { key: "pk:S sk:S" });
  numbers = await createTable(server, { key: "pk:S sk:N" });
  const items = ["o", "p", "q"].flatMap((pk) =>
    ["1", "2", "3"].map((sk) => ({ pk: S(pk), sk: S(sk), flag: S(`${pk}${sk}`) })),
  );
  await putAll(server, table, items);
  await putAll(
    server,
    numbers,
    [-5, 1, 10, 2.5].map((sk) => ({ pk: S("n"), sk: N(sk) })),
  );
});

const keys = async (where: string): Promise<string[]> => {
  const { Items } = await run(server, `SELECT pk, sk FROM "${table}" WHERE ${where}`);
  return (Items ?? []).map(({ pk, sk }) => `${pk?.S}/${sk?.S}`);
};

const units = async (where: string): Promise<number | undefined> => {
  const { ConsumedCapacity } = await run(
    server,
    `SELECT pk FROM "${table}" WHERE ${where}`,
    undefined,
    { ReturnConsumedCapacity: "TOTAL" },
  );
  return ConsumedCapacity?.CapacityUnits;
};

describe("one partition", () => {
  test.each([
    ["pk = 'o'", ["o/1", "o/2", "o/3"]],
    ["'o' = pk", ["o/1", "o/2", "o/3"]],
    ["pk = 'o' AND sk = '2'", ["o/2"]],
    ["pk = 'o' AND sk > '1'", ["o/2", "o/3"]],
    ["pk = 'o' AND sk >= '2'", ["o/2", "o/3"]],
    ["pk = 'o' AND sk < '2'", ["o/1"]],
    ["pk = 'o' AND '2' > sk", ["o/1"]],
    ["pk = 'o' AND sk <= '2'", ["o/1", "o/2"]],
    ["pk = 'o' AND sk BETWEEN '2' AND '3'", ["o/2", "o/3"]],
    ["pk = 'o' AND begins_with(sk, '3')", ["o/3"]],
    ["pk = 'o' AND sk IN ['3', '1']", ["o/1", "o/3"]],
    ["pk = 'o' AND (sk = '3' OR sk = '1')", ["o/1", "o/3"]],
    ["pk = 'o' AND (sk < '1' OR sk > '1' OR sk = '1')", ["o/1", "o/2", "o/3"]],
    ["pk = 'o' AND sk > '1' AND sk < '3'", ["o/2"]],
    ["pk = 'o' AND sk = '1' AND sk > '0'", ["o/1"]],
    ["pk = 'o' AND sk > '1' AND sk <> '2'", ["o/3"]],
    ["pk = 'o' AND sk > '2' AND sk < '2'", []],
    ["pk = 'o' AND NOT sk = '1'", ["o/2", "o/3"]],
    ["pk = 'o' AND sk <> '1'", ["o/2", "o/3"]],
    ["pk = 'o' AND attribute_exists(pk)", ["o/1", "o/2", "o/3"]],
    ["pk = 'o' AND flag = 'o2'", ["o/2"]],
    ["(pk = 'o' AND sk = '2') AND flag = 'o2'", ["o/2"]],
    ["pk = 'o' AND pk = 'o' AND sk = '1'", ["o/1"]],
    ["pk = 'none'", []],
  ])("%s", async (where, found) => {
    expect(await keys(where)).toEqual(found);
  });

  test("numbers are in the order of numbers", async () => {
    const statement = `SELECT sk FROM "${numbers}" WHERE pk = 'n' AND sk > -6 AND sk < 10`;
    expect(await column(server, statement, "sk")).toEqual(["-5", "1", "2.5"]);
  });

  test("costs what is read of it, not the table", async () => {
    expect(await units("pk = 'o' AND sk = '2'")).toBe(0.5);
    expect(await units("pk = 'none'")).toBe(0.5);
  });
});

describe("several partitions", () => {
  test.each([
    ["pk IN ['q', 'o']", ["o/1", "o/2", "o/3", "q/1", "q/2", "q/3"]],
    ["pk = 'q' OR pk = 'o'", ["o/1", "o/2", "o/3", "q/1", "q/2", "q/3"]],
    ["pk IN ['q', 'o'] AND sk = '2'", ["o/2", "q/2"]],
    ["pk IN ['q', 'o'] AND sk IN ['3', '1']", ["o/1", "o/3", "q/1", "q/3"]],
    ["pk = 'o' AND sk = '3' OR pk = 'p' AND sk < '2'", ["o/3", "p/1"]],
    ["pk IN ['o', 'p'] AND flag IN ['p1', 'o3']", ["o/3", "p/1"]],
    ["pk IN ['none', 'p'] AND sk > '2'", ["p/3"]],
  ])("%s", async (where, found) => {
    expect(await keys(where)).toEqual(found);
  });

  test("each of them is read, and nothing else", async () => {
    expect(await units("pk IN ['q', 'o']")).toBe(1);
    expect(await units("pk IN ['q', 'o', 'none'] AND sk = '2'")).toBe(1.5);
  });

  test.each([
    "pk IN ['o', 'o']",
    "pk = 'o' OR pk = 'o'",
    "pk = 'o' AND (sk > '0' OR sk < '5')",
    "pk = 'o' AND (sk = '1' OR flag = 'two')",
    "(pk = 'o' AND flag = 'one') OR (pk = 'o' AND flag = 'two')",
    "pk = 'o' AND flag = '1' OR pk = 'o' AND sk = '2'",
    "pk = 'o' AND flag <> '1' OR pk = 'o' AND sk = '2'",
    "pk = 'o' AND begins_with(sk, '1') OR pk = 'o' AND sk BETWEEN '12' AND '2'",
  ])("overlap: %s", async (where) => {
    await validation(
      keys(where),
      "Overlapping conditions with range keys are not supported in where clause",
    );
  });

  test.each([
    ["NOT sk = '1'", ["2", "3"]],
    ["sk <> '1'", ["2", "3"]],
    ["NOT begins_with(sk, 'x')", ["1", "2", "3"]],
    ["NOT sk IN ['1', '3']", ["2"]],
    ["NOT sk > '5'", ["1", "2", "3"]],
    ["NOT (sk = '1')", ["2", "3"]],
  ])("a negated condition on the sort key may: %s", async (condition, found) => {
    const where = `pk = 'o' AND ${condition} OR pk = 'o' AND sk = '2'`;
    expect((await keys(where)).toSorted()).toEqual(found.map((sk) => `o/${sk}`));
  });

  const values = (count: number): string =>
    Array.from({ length: count }, (_, i) => `'v${i}'`).join(",");
  const tooMany = "Too many decomposed read operations for a given query.";

  test("fifty reads are enough", async () => {
    await validation(keys(`pk IN [${values(51)}]`), tooMany);
    await validation(keys(`pk = 'o' AND sk IN [${values(51)}]`), tooMany);
    await validation(keys(`pk IN [${values(26)}] AND sk IN ['1', '2']`), tooMany);
    expect(await keys(`pk IN [${values(50)}] AND flag IN [${values(100)}]`)).toEqual([]);
    expect(await keys(`pk IN [${values(51)}] OR flag = 'o1'`)).toEqual(["o/1"]);
  });

  test("ten of them make a page", async () => {
    const wanted = ["o", "p", "q", ...Array.from({ length: 20 }, (_, i) => `x${i}`)];
    const statement = `SELECT pk, sk FROM "${table}" WHERE pk IN [${wanted.map((pk) => `'${pk}'`).join(",")}]`;
    const found: string[] = [];
    let pages = 0;
    let NextToken: string | undefined;
    do {
      const page = await run(server, statement, undefined, { NextToken });
      found.push(...(page.Items ?? []).map(({ pk, sk }) => `${pk?.S}/${sk?.S}`));
      NextToken = page.NextToken;
      pages += 1;
    } while (NextToken !== undefined);
    expect(found).toHaveLength(9);
    expect(new Set(found).size).toBe(9);
    expect(pages).toBe(3);
  });
});

describe("everything", () => {
  test.each([
    ["pk > 'p'", ["q/1", "q/2", "q/3"]],
    ["sk = '1'", ["o/1", "p/1", "q/1"]],
    ["pk = 'o' AND sk = '2' OR flag = 'p1'", ["o/2", "p/1"]],
    ["pk = 'o' OR sk = '1'", ["o/1", "o/2", "o/3", "p/1", "q/1"]],
    ["pk = 'o' AND pk = 'p'", []],
    ["NOT pk = 'o' AND sk = '3'", ["p/3", "q/3"]],
    ["pk > 1", []],
  ])("%s", async (where, found) => {
    expect((await keys(where)).toSorted()).toEqual(found);
  });
});

describe("types", () => {
  const schema = (name: string): string =>
    `Key attribute's data type should match its data type in table's schema: Key ${name}`;

  test.each([
    ["pk = 1", schema("pk")],
    ["pk = 1 OR pk = 'o'", schema("pk")],
    ["pk = 'o' AND sk IN ['1', 2]", schema("sk")],
    ["pk = 'o' AND sk > 2", schema("sk")],
    ["pk = true", "Key value must be of type S, N, or B. Key name: pk, Key type: BOOL"],
    [
      "pk = ''",
      "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk",
    ],
  ])("%s", async (where, message) => {
    await validation(keys(where), message);
  });
});

describe("ORDER BY", () => {
  test.each([
    ["pk = 'o' ORDER BY sk DESC", ["o/3", "o/2", "o/1"]],
    ["pk = 'o' ORDER BY sk", ["o/1", "o/2", "o/3"]],
    ["pk = 'o' AND sk > '1' ORDER BY sk DESC", ["o/3", "o/2"]],
    ["pk = 'o' AND sk IN ['1', '3', '2'] ORDER BY sk DESC", ["o/3", "o/2", "o/1"]],
    // Without its own term the sort key comes back descending.
    ["pk = 'o' ORDER BY pk ASC", ["o/3", "o/2", "o/1"]],
    ["pk IN ['o', 'p'] ORDER BY pk DESC, sk ASC", ["p/1", "p/2", "p/3", "o/1", "o/2", "o/3"]],
    ["pk IN ['p', 'o'] ORDER BY pk, sk DESC", ["o/3", "o/2", "o/1", "p/3", "p/2", "p/1"]],
  ])("%s", async (where, found) => {
    expect(await keys(where)).toEqual(found);
  });

  test("goes on where the page before ended", async () => {
    const statement = `SELECT pk, sk FROM "${table}" WHERE pk IN ['o', 'p'] ORDER BY pk DESC`;
    const found: string[][] = [];
    let NextToken: string | undefined;
    do {
      const page = await run(server, statement, undefined, { Limit: 2, NextToken });
      found.push((page.Items ?? []).map(({ pk, sk }) => `${pk?.S}/${sk?.S}`));
      NextToken = page.NextToken;
    } while (NextToken !== undefined);
    expect(found.slice(0, 3)).toEqual([
      ["p/3", "p/2"],
      ["p/1", "o/3"],
      ["o/2", "o/1"],
    ]);
  });

  test.each([
    ["ORDER BY sk", "Must have WHERE clause in the statement when using ORDER BY clause."],
    [
      "WHERE pk = 'o' ORDER BY Total DESC",
      "Attribute Total in ORDER BY clause must be part of the primary key",
    ],
    [
      "WHERE pk > 'a' ORDER BY sk",
      "Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.",
    ],
    [
      "WHERE pk IN ['o', 'p'] ORDER BY sk DESC",
      "Must have hash key in ORDER BY clause when more than one hash key condition specified in WHERE clause.",
    ],
  ])("%s is refused", async (rest, message) => {
    await validation(run(server, `SELECT sk FROM "${table}" ${rest}`), message);
  });
});
