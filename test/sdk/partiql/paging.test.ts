import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import { createTable, useServer, validation } from "../harness.ts";
import { N, putAll, S } from "../reading.ts";
import { run } from "./support.ts";

const server = useServer();
let table = "";

beforeAll(async () => {
  table = await createTable(server, { key: "pk:S sk:N", global: { byKind: { hash: "kind:S" } } });
  const items = Array.from({ length: 20 }, (_, i) => ({
    pk: S("p"),
    sk: N(i),
    kind: S(i % 2 === 0 ? "even" : "odd"),
  }));
  await putAll(server, table, items);
});

async function pages(statement: string, Limit: number, parameters?: AttributeValue[]) {
  const sizes: number[] = [];
  const found: (string | undefined)[] = [];
  let NextToken: string | undefined;
  do {
    const page = await run(server, statement, parameters, { Limit, NextToken });
    sizes.push(page.Items?.length ?? 0);
    found.push(...(page.Items ?? []).map(({ sk }) => sk?.N));
    NextToken = page.NextToken;
  } while (NextToken !== undefined);
  return { sizes, found };
}

const numbered = Array.from({ length: 20 }, (_, i) => String(i));

test("a limit counts what is evaluated, not what is found", async () => {
  const where = `SELECT * FROM "${table}" WHERE pk = 'p'`;
  expect(await pages(where, 7)).toEqual({ sizes: [7, 7, 6], found: numbered });
  const odd = await pages(`${where} AND kind = 'odd'`, 6);
  expect(odd.sizes).toEqual([3, 3, 3, 1]);
  expect(odd.found).toEqual(numbered.filter((n) => Number(n) % 2 === 1));
});

test("a scan has pages, and so has an index", async () => {
  const scan = await pages(`SELECT sk FROM "${table}"`, 6);
  expect(scan.found.toSorted()).toEqual(numbered.toSorted());
  const index = await pages(`SELECT sk FROM "${table}"."byKind" WHERE kind = ?`, 4, [S("odd")]);
  expect(index.found.toSorted()).toEqual(numbered.filter((n) => Number(n) % 2 === 1).toSorted());
});

test("the last key is told", async () => {
  const page = await run(server, `SELECT sk FROM "${table}" WHERE pk = 'p'`, undefined, {
    Limit: 3,
  });
  expect(page.LastEvaluatedKey).toEqual({ pk: S("p"), sk: N(2) });
});

describe("a token", () => {
  const first = async (statement: string, parameters?: AttributeValue[]) =>
    (await run(server, statement, parameters, { Limit: 2 })).NextToken;

  test("belongs to its statement and its parameters", async () => {
    const statement = `SELECT * FROM "${table}" WHERE pk = ?`;
    const NextToken = await first(statement, [S("p")]);
    expect(NextToken).toBeDefined();
    const other = "NextToken does not match request";
    await validation(run(server, statement, [S("q")], { NextToken }), other);
    await validation(run(server, `${statement} AND sk > 1`, [S("p")], { NextToken }), other);
    const index = `SELECT * FROM "${table}"."byKind" WHERE kind = 'odd'`;
    await validation(run(server, index, undefined, { NextToken }), other);
  });

  test("goes with another limit and another consistency", async () => {
    const statement = `SELECT * FROM "${table}" WHERE pk = 'p'`;
    const NextToken = await first(statement);
    const rest = await run(server, statement, undefined, { NextToken, ConsistentRead: true });
    expect(rest.Items).toHaveLength(18);
    expect(rest.NextToken).toBeUndefined();
  });

  test.each(["garbage", "e30=", "bnVsbA==", Buffer.from('{"b":1,"r":0}').toString("base64")])(
    "%s is none",
    async (NextToken) => {
      await validation(
        run(server, `SELECT * FROM "${table}" WHERE pk = 'p'`, undefined, { NextToken }),
        "Invalid NextToken",
      );
    },
  );

  test("that somebody has changed is none", async () => {
    const statement = `SELECT * FROM "${table}" WHERE pk = 'p'`;
    const token = Buffer.from((await first(statement)) ?? "", "base64").toString();
    const { b } = JSON.parse(token);
    for (const row of [
      { b, r: 7 },
      { b, r: -1 },
      { b, r: 0, k: { pk: { S: "other" }, sk: { N: "1" } } },
      { b, r: 0, k: { pk: { S: "p" } } },
      { b, r: 0, k: { pk: { S: "p" }, sk: { N: "x" } } },
      { b, r: 0, k: { pk: { S: 5 }, sk: { N: "1" } } },
      { b, r: 0, k: { pk: { S: "p" }, sk: { S: "1" } } },
    ]) {
      const NextToken = Buffer.from(JSON.stringify(row)).toString("base64");
      await validation(run(server, statement, undefined, { NextToken }), "Invalid NextToken");
    }
  });
});
