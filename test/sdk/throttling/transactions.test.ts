import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import {
  TransactGetCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from "@aws-sdk/lib-dynamodb";
import { describe, expect, test } from "vitest";
import { expectError, type TestServer } from "../harness.ts";
import {
  exceeded,
  failureOf,
  get,
  kilobytes,
  makeTable,
  put,
  putSome,
  readSome,
  useThrottling,
} from "./support.ts";

const server = useThrottling();
const second = () => server.clock.advance(1_000);
const none = { Code: "None" };
const provisioned = {
  Code: "ProvisionedThroughputExceeded",
  Message:
    "The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning level with the UpdateTable API.",
};

const putIn = (TableName: string, pk: string, more: object = {}) => ({
  Put: { TableName, Item: { pk, ...more } },
});
const readIn = (TableName: string, pk: string) => ({ Get: { TableName, Key: { pk } } });

function write(
  actions: NonNullable<TransactWriteCommandInput["TransactItems"]>,
  ClientRequestToken?: string,
  on: TestServer = server,
) {
  return on.documents.send(
    new TransactWriteCommand({
      TransactItems: actions,
      ...(ClientRequestToken !== undefined && { ClientRequestToken }),
    }),
  );
}

function read(...actions: ReturnType<typeof readIn>[]) {
  return server.documents.send(new TransactGetCommand({ TransactItems: actions }));
}

async function reasonsOf(request: Promise<unknown>): Promise<unknown> {
  const { error, message } = await failureOf(request);
  expect(error).toBeInstanceOf(TransactionCanceledException);
  const reasons = (error as TransactionCanceledException).CancellationReasons;
  const codes = reasons?.map(({ Code }) => Code).join(", ");
  expect(message).toBe(
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
  );
  return reasons;
}

describe("TransactWriteItems", () => {
  test("is cancelled as a whole, with a reason for what was too much", async () => {
    const busy = await makeTable(server, { units: { read: 9, write: 2 } });
    const idle = await makeTable(server, { units: { read: 9, write: 2 } });
    await putSome(server, busy, 2);
    expect(await reasonsOf(write([putIn(idle, "a"), putIn(busy, "a")]))).toEqual([
      none,
      provisioned,
    ]);
    expect((await get(server, idle, { pk: "a" })).Item).toBeUndefined();
  });

  test("takes nothing from any table when it is cancelled", async () => {
    const busy = await makeTable(server, { units: { read: 9, write: 2 } });
    const idle = await makeTable(server, { units: { read: 9, write: 2 } });
    await putSome(server, busy, 2);
    for (let i = 0; i < 3; i += 1) await reasonsOf(write([putIn(idle, "a"), putIn(busy, "a")]));
    await write([putIn(idle, "a")]);
  });

  test("takes twice what a put takes", async () => {
    const table = await makeTable(server, { units: { read: 9, write: 4 } });
    await write([putIn(table, "a")]);
    await put(server, table, { pk: "b" });
    await put(server, table, { pk: "c" });
    await expectError(put(server, table, { pk: "d" }), exceeded);
  });

  test("says which of its actions are too much together", async () => {
    const table = await makeTable(server, { units: { read: 9, write: 10 } });
    await put(server, table, { pk: "z", x: kilobytes(6) });
    const actions = ["a", "b", "c"].map((pk) => putIn(table, pk));
    expect(await reasonsOf(write(actions))).toEqual([none, none, provisioned]);
    await write(actions.slice(0, 2));
  });

  test("an on-demand table says ThrottlingError", async () => {
    const table = await makeTable(server, { maximum: { write: 1 } });
    await putSome(server, table, 1);
    expect(await reasonsOf(write([putIn(table, "a")]))).toEqual([
      {
        Code: "ThrottlingError",
        Message: "Throughput exceeds the maximum OnDemandThroughput configured on table or index",
      },
    ]);
  });

  test("an index that is too small cancels it", async () => {
    const units = { read: 9, write: 9 };
    const table = await makeTable(server, { units, indexes: { colour: { write: 1 } } });
    await put(server, table, { pk: "a", colour: "red" });
    const actions = [putIn(table, "b"), putIn(table, "c", { colour: "red" })];
    expect(await reasonsOf(write(actions))).toEqual([
      none,
      {
        Code: "ProvisionedThroughputExceeded",
        Message:
          "The level of configured provisioned throughput for one or more global secondary indexes of the table was exceeded. Consider increasing your provisioning level for the under-provisioned global secondary indexes with the UpdateTable API.",
      },
    ]);
  });

  test("a check takes as much as a write", async () => {
    const table = await makeTable(server, { units: { read: 9, write: 2 } });
    await putSome(server, table, 1);
    const check = {
      ConditionCheck: {
        TableName: table,
        Key: { pk: "a" },
        ConditionExpression: "attribute_not_exists(pk)",
      },
    };
    expect(await reasonsOf(write([check]))).toEqual([provisioned]);
    second();
    await write([check]);
    await put(server, table, { pk: "a" });
    await expectError(put(server, table, { pk: "b" }), exceeded);
  });

  test("a failed condition is told where there is throughput, and paid for", async () => {
    const table = await makeTable(server, { units: { read: 9, write: 3 } });
    await put(server, table, { pk: "a" });
    const actions = [
      { Put: { ...putIn(table, "a").Put, ConditionExpression: "attribute_not_exists(pk)" } },
      putIn(table, "b"),
    ];
    expect(await reasonsOf(write(actions))).toEqual([
      { Code: "ConditionalCheckFailed", Message: "The conditional request failed" },
      none,
    ]);
    await expectError(put(server, table, { pk: "c" }), exceeded);
  });

  test("a token is not used up by a cancelled transaction", async () => {
    const table = await makeTable(server, { units: { read: 9, write: 2 } });
    await putSome(server, table, 1);
    expect(await reasonsOf(write([putIn(table, "a")], "again"))).toEqual([provisioned]);
    second();
    await write([putIn(table, "a")], "again");
    expect((await get(server, table, { pk: "a" })).Item).toEqual({ pk: "a" });
  });

  test("the same token again reads, and takes read units", async () => {
    const table = await makeTable(server, { units: { read: 3, write: 2 } });
    await write([putIn(table, "a")], "once");
    await write([putIn(table, "a")], "once");
    expect(await reasonsOf(write([putIn(table, "a")], "once"))).toEqual([provisioned]);
    await readSome(server, table, 1);
  });
});

describe("the account's limit", () => {
  const small = useThrottling(0.001);

  test("is no reason of single actions", async () => {
    const table = await makeTable(small, {});
    await put(small, table, { pk: "a", x: kilobytes(40) });
    const failure = await failureOf(write([putIn(table, "b")], undefined, small));
    expect(failure.name).toBe("RequestLimitExceeded");
    expect(failure.reasons?.[0]?.reason).toBe("TableWriteAccountLimitExceeded");
  });
});

describe("TransactGetItems", () => {
  test("is cancelled as a whole, with a reason for what was too much", async () => {
    const busy = await makeTable(server, { units: { read: 2, write: 9 } });
    const idle = await makeTable(server, { units: { read: 2, write: 9 } });
    await readSome(server, busy, 1);
    expect(await reasonsOf(read(readIn(busy, "a"), readIn(idle, "a")))).toEqual([
      provisioned,
      none,
    ]);
    await read(readIn(idle, "a"));
  });

  test("takes two units for each item", async () => {
    const table = await makeTable(server, { units: { read: 4, write: 9 } });
    await read(readIn(table, "a"), readIn(table, "b"));
    await expectError(get(server, table, { pk: "a" }, false), exceeded);
  });

  test("an on-demand table says ThrottlingError", async () => {
    const table = await makeTable(server, { maximum: { read: 1 } });
    await readSome(server, table, 1);
    expect(await reasonsOf(read(readIn(table, "a")))).toEqual([
      {
        Code: "ThrottlingError",
        Message: "Throughput exceeds the maximum OnDemandThroughput configured on table or index",
      },
    ]);
  });
});
