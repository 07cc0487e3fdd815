import {
  BatchWriteItemCommand,
  DynamoDBServiceException,
  PutItemCommand,
  TransactGetItemsCommand,
  TransactionCanceledException,
  type TransactWriteItem,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from "@aws-sdk/client-dynamodb";
import { beforeEach, describe, expect, test } from "vitest";
import { createTable, useServer } from "../harness.ts";
import { get, type Item, put, transact } from "./outcomes.ts";

const server = useServer();

let table = "";

beforeEach(async () => {
  table = await createTable(server, { key: "id:S" });
});

const id = (text: string): Item => ({ id: { S: text } });
const times = <T>(count: number, make: (i: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => make(i)));

/** The service may refuse to wait for another transaction; then the request is sent again. */
function isConflict(error: unknown): boolean {
  if (!(error instanceof DynamoDBServiceException)) return false;
  if (error.name === "TransactionConflictException") return true;
  if (!(error instanceof TransactionCanceledException)) return false;
  const failed = error.CancellationReasons?.filter(({ Code }) => Code !== "None") ?? [];
  return failed.length > 0 && failed.every(({ Code }) => Code === "TransactionConflict");
}

async function insist<T>(send: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }
}

/** The name of the error, or nothing. */
async function outcome(request: Promise<unknown>): Promise<string | undefined> {
  try {
    await request;
    return undefined;
  } catch (error) {
    return (error as Error).name;
  }
}

const update = (UpdateExpression: string, more: Partial<UpdateItemCommandInput> = {}) =>
  server.client.send(
    new UpdateItemCommand({ TableName: table, Key: id("one"), UpdateExpression, ...more }),
  );
const one = { ":one": { N: "1" } };

describe("only one wins", () => {
  test("of 50 conditional creates", async () => {
    const names = await times(50, (i) =>
      outcome(
        server.client.send(
          new PutItemCommand({
            TableName: table,
            Item: { ...id("one"), owner: { N: `${i}` } },
            ConditionExpression: "attribute_not_exists(id)",
          }),
        ),
      ),
    );
    const winners = names.flatMap((name, i) => (name === undefined ? [i] : []));
    expect(winners).toHaveLength(1);
    expect(names.filter((name) => name === "ConditionalCheckFailedException")).toHaveLength(49);
    expect(await get(server, table, id("one"))).toEqual({
      ...id("one"),
      owner: { N: `${winners[0]}` },
    });
  });

  test("of 50 transactions that claim a unique value", async () => {
    const names = await times(50, (i) =>
      outcome(
        insist(() =>
          transact(server, [
            {
              Put: {
                TableName: table,
                Item: { ...id("email#ann"), user: { S: `user#${i}` } },
                ConditionExpression: "attribute_not_exists(id)",
              },
            },
            { Put: { TableName: table, Item: id(`user#${i}`) } },
          ]),
        ),
      ),
    );
    const winners = names.flatMap((name, i) => (name === undefined ? [i] : []));
    expect(winners).toHaveLength(1);
    const claimed = await get(server, table, id("email#ann"));
    expect(claimed?.user?.S).toBe(`user#${winners[0]}`);
    const users = await times(50, (i) => get(server, table, id(`user#${i}`)));
    expect(users.filter((user) => user !== undefined)).toEqual([id(`user#${winners[0]}`)]);
  });

  test("of 20 conditional deletes", async () => {
    await put(server, table, id("one"));
    const names = await times(20, () =>
      outcome(
        insist(() =>
          transact(server, [
            {
              Delete: {
                TableName: table,
                Key: id("one"),
                ConditionExpression: "attribute_exists(id)",
              },
            },
          ]),
        ),
      ),
    );
    expect(names.filter((name) => name === undefined)).toHaveLength(1);
    expect(names.filter((name) => name === "TransactionCanceledException")).toHaveLength(19);
  });

  test("of 20 updates from one version to the next", async () => {
    await put(server, table, { ...id("one"), version: { N: "1" } });
    const names = await times(20, (i) =>
      outcome(
        update("SET version = :next, owner_id = :i", {
          ConditionExpression: "version = :one",
          ExpressionAttributeValues: { ...one, ":next": { N: "2" }, ":i": { N: `${i}` } },
        }),
      ),
    );
    expect(names.filter((name) => name === undefined)).toHaveLength(1);
    expect((await get(server, table, id("one")))?.owner_id?.N).toBe(`${names.indexOf(undefined)}`);
  });
});

describe("nothing is lost", () => {
  const count = async () => (await get(server, table, id("one")))?.n?.N;

  test("of 60 ADDs", async () => {
    await times(60, () => update("ADD n :one", { ExpressionAttributeValues: one }));
    expect(await count()).toBe("60");
  });

  test("of 40 sums on an item that was there", async () => {
    await put(server, table, { ...id("one"), n: { N: "0.5" } });
    await times(40, () => update("SET n = n + :one", { ExpressionAttributeValues: one }));
    expect(await count()).toBe("40.5");
  });

  test("every new value is answered once", async () => {
    const answers = await times(40, () =>
      update("ADD n :one", { ExpressionAttributeValues: one, ReturnValues: "UPDATED_NEW" }),
    );
    const values = answers.map(({ Attributes }) => Number(Attributes?.n?.N));
    expect(values.sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
  });

  const add = (key: string): TransactWriteItem => ({
    Update: {
      TableName: table,
      Key: id(key),
      UpdateExpression: "ADD n :one",
      ExpressionAttributeValues: one,
    },
  });

  test("of transactions on one counter", async () => {
    await times(40, (i) => insist(() => transact(server, [add("one"), add(`own${i}`)])));
    expect(await count()).toBe("40");
  });

  test("of transactions among single updates", async () => {
    await times(60, (i) =>
      insist<unknown>(() =>
        i % 2 === 0
          ? transact(server, [add("one"), add("two")])
          : update("ADD n :one", { ExpressionAttributeValues: one }),
      ),
    );
    expect(await count()).toBe("60");
    expect((await get(server, table, id("two")))?.n?.N).toBe("30");
  });

  test("of members added to a set, elements appended to a list", async () => {
    await put(server, table, { ...id("one"), items_of: { L: [] } });
    await times(30, (i) =>
      update("SET items_of = list_append(items_of, :l) ADD members :s", {
        ExpressionAttributeValues: { ":l": { L: [{ N: `${i}` }] }, ":s": { SS: [`m${i}`] } },
      }),
    );
    const item = await get(server, table, id("one"));
    expect(item?.members?.SS).toHaveLength(30);
    expect(item?.items_of?.L?.map(({ N }) => Number(N)).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 30 }, (_, i) => i),
    );
  });

  test("of read, compute and write back under a version", async () => {
    await put(server, table, { ...id("one"), n: { N: "0" }, version: { N: "0" } });
    const client = async (): Promise<void> => {
      for (let done = 0; done < 4; ) {
        const item = await get(server, table, id("one"));
        const failure = await outcome(
          server.client.send(
            new PutItemCommand({
              TableName: table,
              Item: {
                ...id("one"),
                n: { N: `${Number(item?.n?.N) + 1}` },
                version: { N: `${Number(item?.version?.N) + 1}` },
              },
              ConditionExpression: "version = :read",
              ExpressionAttributeValues: { ":read": { N: `${item?.version?.N}` } },
            }),
          ),
        );
        if (failure === undefined) done += 1;
        else expect(failure).toBe("ConditionalCheckFailedException");
      }
    };
    await times(5, client);
    expect(await get(server, table, id("one"))).toEqual({
      ...id("one"),
      n: { N: "20" },
      version: { N: "20" },
    });
  });
});

describe("transactions are never seen by halves", () => {
  async function readTogether(...keys: string[]): Promise<(Item | undefined)[]> {
    const TransactItems = keys.map((key) => ({ Get: { TableName: table, Key: id(key) } }));
    const { Responses = [] } = await insist(() =>
      server.client.send(new TransactGetItemsCommand({ TransactItems })),
    );
    return Responses.map((response) => response.Item);
  }

  test("by TransactGetItems while other transactions write the same items", async () => {
    const keys = ["a", "b", "c"];
    const write = (round: number, order: string[]) =>
      transact(
        server,
        order.map((key) => ({
          Put: { TableName: table, Item: { ...id(key), n: { N: `${round}` } } },
        })),
      );
    await write(0, keys);
    let writing = true;
    const writers = times(4, async (w) => {
      const order = w % 2 === 0 ? keys : keys.toReversed();
      for (let round = 1; round <= 15; round += 1)
        await insist(() => write(w * 100 + round, order));
    }).finally(() => {
      writing = false;
    });
    let reads = 0;
    while (writing) {
      const seen = await readTogether("a", "b", "c");
      expect(new Set(seen.map((item) => item?.n?.N)).size).toBe(1);
      reads += 1;
    }
    await writers;
    expect(reads).toBeGreaterThan(0);
  });

  test("by sums over accounts between which money moves", async () => {
    const accounts = ["a", "b", "c", "d"];
    await put(server, table, ...accounts.map((key) => ({ ...id(key), n: { N: "100" } })));
    const move = (from: string, to: string, amount: string): TransactWriteItem[] => [
      {
        Update: {
          TableName: table,
          Key: id(from),
          UpdateExpression: "SET n = n - :x",
          ConditionExpression: "n >= :x",
          ExpressionAttributeValues: { ":x": { N: amount } },
        },
      },
      {
        Update: {
          TableName: table,
          Key: id(to),
          UpdateExpression: "SET n = n + :x",
          ExpressionAttributeValues: { ":x": { N: amount } },
        },
      },
    ];
    let moving = true;
    const movers = times(60, async (i) => {
      const from = accounts[i % 4] as string;
      const to = accounts[(i + 1 + (i % 3)) % 4] as string;
      await outcome(insist(() => transact(server, move(from, to, `${(i * 7) % 60}`))));
    }).finally(() => {
      moving = false;
    });
    const total = (items: (Item | undefined)[]) =>
      items.reduce((sum, item) => sum + Number(item?.n?.N), 0);
    while (moving) expect(total(await readTogether(...accounts))).toBe(400);
    await movers;
    const items = await readTogether(...accounts);
    expect(total(items)).toBe(400);
    expect(items.every((item) => Number(item?.n?.N) >= 0)).toBe(true);
  });

  test("in items that batches replace whole", async () => {
    const version = (n: number): Item => ({
      ...id("one"),
      left: { N: `${n}` },
      right: { N: `${n}` },
    });
    await put(server, table, version(0));
    let writing = true;
    const writers = times(30, (n) =>
      server.client.send(
        new BatchWriteItemCommand({
          RequestItems: { [table]: [{ PutRequest: { Item: version(n) } }] },
        }),
      ),
    ).finally(() => {
      writing = false;
    });
    while (writing) {
      const item = await get(server, table, id("one"));
      expect(item?.left).toEqual(item?.right);
    }
    await writers;
  });
});
