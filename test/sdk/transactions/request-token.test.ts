import {
  DeleteTableCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from "@aws-sdk/client-dynamodb";
import { beforeEach, describe, expect, test } from "vitest";
import { ManualClock } from "../../../src/base/clock.ts";
import { clientFor, createTable, expectError, freshName, useServer } from "../harness.ts";
import { cancelled, get, type Item, put, transact } from "./outcomes.ts";

const clock = new ManualClock();
const server = useServer({ clock });

const minute = 60_000;
const counter: Item = { id: { S: "counter" } };

let table = "";
let ClientRequestToken = "";

beforeEach(async () => {
  table = await createTable(server, { key: "id:S" });
  ClientRequestToken = freshName("token");
});

const increment = (by = "1"): TransactWriteItem => ({
  Update: {
    TableName: table,
    Key: counter,
    UpdateExpression: "ADD n :by",
    ExpressionAttributeValues: { ":by": { N: by } },
  },
});

async function value(TableName = table): Promise<string | undefined> {
  return (await get(server, TableName, counter))?.n?.N;
}

const mismatch = (request: Promise<unknown>) =>
  expectError(request, "IdempotentParameterMismatchException");

/** Sends exactly this: the SDK adds a token of its own where there is none. */
async function sendRaw(body: object): Promise<unknown> {
  const { status, json } = await server.raw("TransactWriteItems", body);
  expect(status).toBe(200);
  return json;
}

describe("the same request again", () => {
  test("has no effect", async () => {
    for (let time = 0; time < 3; time += 1) {
      await transact(server, [increment()], { ClientRequestToken });
      expect(await value()).toBe("1");
    }
  });

  test("has its effect without a token", async () => {
    await sendRaw({ TransactItems: [increment()] });
    await sendRaw({ TransactItems: [increment()] });
    expect(await value()).toBe("2");
  });

  test("has its effect with another token", async () => {
    await transact(server, [increment()], { ClientRequestToken });
    await transact(server, [increment()], { ClientRequestToken: `${ClientRequestToken}b` });
    expect(await value()).toBe("2");
  });

  test("succeeds although its condition no longer holds", async () => {
    const create: TransactWriteItem = {
      Put: { TableName: table, Item: counter, ConditionExpression: "attribute_not_exists(id)" },
    };
    await transact(server, [create], { ClientRequestToken });
    await transact(server, [create], { ClientRequestToken });
    await cancelled(transact(server, [create]), "ConditionalCheckFailed");
  });

  test("does not undo what was written since", async () => {
    const set: TransactWriteItem = {
      Put: { TableName: table, Item: { ...counter, n: { N: "7" } } },
    };
    await transact(server, [set], { ClientRequestToken });
    await put(server, table, { ...counter, n: { N: "8" } });
    await transact(server, [set], { ClientRequestToken });
    expect(await value()).toBe("8");
  });

  test("has one effect when sent many times at once", async () => {
    await Promise.all(
      Array.from({ length: 20 }, () => transact(server, [increment()], { ClientRequestToken })),
    );
    expect(await value()).toBe("1");
  });
});

describe("another request with the same token", () => {
  test.each<[string, () => TransactWriteItem[]]>([
    ["another value", () => [increment("2")]],
    [
      "one action more",
      () => [increment(), { Put: { TableName: table, Item: { id: { S: "x" } } } }],
    ],
    ["another action", () => [{ Delete: { TableName: table, Key: counter } }]],
  ])("is refused: %s", async (_, actions) => {
    await transact(server, [increment()], { ClientRequestToken });
    await mismatch(transact(server, actions(), { ClientRequestToken }));
    expect(await value()).toBe("1");
    expect(await get(server, table, { id: { S: "x" } })).toBeUndefined();
  });

  test("is refused: another table", async () => {
    await transact(server, [increment()], { ClientRequestToken });
    const first = table;
    table = await createTable(server, { key: "id:S" });
    await mismatch(transact(server, [increment()], { ClientRequestToken }));
    expect(await value(first)).toBe("1");
    expect(await value()).toBeUndefined();
  });

  test("is refused: the actions in another order", async () => {
    const other: TransactWriteItem = { Put: { TableName: table, Item: { id: { S: "x" } } } };
    await transact(server, [increment(), other], { ClientRequestToken });
    await mismatch(transact(server, [other, increment()], { ClientRequestToken }));
  });

  test("looks on the wire like this", async () => {
    await transact(server, [increment()], { ClientRequestToken });
    const { status, json } = await server.raw("TransactWriteItems", {
      TransactItems: [increment("2")],
      ClientRequestToken,
    });
    expect(status).toBe(400);
    expect(json.__type).toBe(
      "com.amazonaws.dynamodb.v20120810#IdempotentParameterMismatchException",
    );
  });
});

describe("a cancelled transaction is not remembered", () => {
  const guarded = (): TransactWriteItem => ({
    Update: {
      TableName: table,
      Key: counter,
      UpdateExpression: "ADD n :one",
      ConditionExpression: "attribute_exists(id)",
      ExpressionAttributeValues: { ":one": { N: "1" } },
    },
  });

  test("the same request is tried again", async () => {
    await cancelled(
      transact(server, [guarded()], { ClientRequestToken }),
      "ConditionalCheckFailed",
    );
    await cancelled(
      transact(server, [guarded()], { ClientRequestToken }),
      "ConditionalCheckFailed",
    );
    await put(server, table, { ...counter, n: { N: "1" } });
    await transact(server, [guarded()], { ClientRequestToken });
    expect(await value()).toBe("2");
  });
});

describe("ten minutes", () => {
  test("after 9:59 the token is still known", async () => {
    await transact(server, [increment()], { ClientRequestToken });
    clock.advance(10 * minute - 1_000);
    await transact(server, [increment()], { ClientRequestToken });
    expect(await value()).toBe("1");
    await mismatch(transact(server, [increment("2")], { ClientRequestToken }));
  });

  test("after 10:01 it is forgotten", async () => {
    await transact(server, [increment()], { ClientRequestToken });
    clock.advance(10 * minute + 1_000);
    await transact(server, [increment()], { ClientRequestToken });
    expect(await value()).toBe("2");
  });

  test("after that it can be used for another request", async () => {
    await transact(server, [increment()], { ClientRequestToken });
    clock.advance(11 * minute);
    await transact(server, [increment("5")], { ClientRequestToken });
    expect(await value()).toBe("6");
    await mismatch(transact(server, [increment()], { ClientRequestToken }));
  });

  test("a repetition does not prolong it", async () => {
    await transact(server, [increment()], { ClientRequestToken });
    clock.advance(6 * minute);
    await transact(server, [increment()], { ClientRequestToken });
    clock.advance(6 * minute);
    await transact(server, [increment()], { ClientRequestToken });
    expect(await value()).toBe("2");
  });

  /** Uses another token: what is known of tokens is tidied up at times. */
  const tidy = async (): Promise<void> => {
    const aside: TransactWriteItem = { Put: { TableName: table, Item: { id: { S: "aside" } } } };
    await transact(server, [aside], { ClientRequestToken: freshName("other") });
  };

  test("it ends on time, however recently tokens were tidied up", async () => {
    await transact(server, [increment()], { ClientRequestToken });
    clock.advance(10 * minute - 10_000);
    await tidy();
    clock.advance(20_000);
    await transact(server, [increment()], { ClientRequestToken });
    expect(await value()).toBe("2");
  });

  test("a token that is used anew is known for another ten minutes", async () => {
    await transact(server, [increment()], { ClientRequestToken });
    clock.advance(10 * minute - 10_000);
    await tidy();
    clock.advance(20_000);
    await transact(server, [increment()], { ClientRequestToken });
    for (let passed = 0; passed < 9; passed += 1) {
      clock.advance(minute);
      await tidy();
      await transact(server, [increment()], { ClientRequestToken });
    }
    expect(await value()).toBe("2");
  });

  test("many forgotten tokens are swept away without a trace", async () => {
    for (let n = 0; n < 30; n += 1) {
      await transact(server, [increment()], { ClientRequestToken: `${ClientRequestToken}-${n}` });
    }
    clock.advance(11 * minute);
    await transact(server, [increment()], { ClientRequestToken });
    await transact(server, [increment()], { ClientRequestToken: `${ClientRequestToken}-3` });
    expect(await value()).toBe("32");
  });
});

test("a token belongs to its account", async () => {
  const other = clientFor(server.running.url, "ANOTHERACCOUNT");
  try {
    const theirs = { ...server, client: other };
    const shared = freshName();
    await createTable(server, { key: "id:S" }, { TableName: shared });
    await createTable(theirs, { key: "id:S" }, { TableName: shared });
    table = shared;
    await transact(server, [increment()], { ClientRequestToken });
    await other.send(
      new TransactWriteItemsCommand({ TransactItems: [increment()], ClientRequestToken }),
    );
    expect(await value()).toBe("1");
    expect((await get(theirs, shared, counter))?.n?.N).toBe("1");
    await other.send(new DeleteTableCommand({ TableName: shared }));
  } finally {
    other.destroy();
  }
});
