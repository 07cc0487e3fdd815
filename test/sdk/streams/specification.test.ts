import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  PutItemCommand,
  type StreamSpecification,
  type TableDescription,
  UpdateTableCommand,
  type UpdateTableCommandInput,
} from "@aws-sdk/client-dynamodb";
import { expect, suite, test } from "vitest";
import { ManualClock } from "../../../src/base/clock.ts";
import { createTable, expectError, validation } from "../harness.ts";
import { allRecords, createStreamTable, describe, latestArn, useStreamServer } from "./support.ts";

const clock = new ManualClock(Date.UTC(2026, 4, 1, 12, 30, 15, 123));
const server = useStreamServer({ clock });

const views = ["KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES"] as const;
const invalid = "One or more parameter values were invalid: ";
const off: StreamSpecification = { StreamEnabled: false };
const on = (StreamViewType: (typeof views)[number] = "NEW_IMAGE"): StreamSpecification => ({
  StreamEnabled: true,
  StreamViewType,
});

async function table(TableName: string): Promise<TableDescription> {
  const { Table } = await server.client.send(new DescribeTableCommand({ TableName }));
  return Table as TableDescription;
}

async function update(
  TableName: string,
  change: Partial<UpdateTableCommandInput>,
): Promise<TableDescription> {
  const answer = await server.client.send(new UpdateTableCommand({ TableName, ...change }));
  return answer.TableDescription as TableDescription;
}

const switchTo = (name: string, StreamSpecification: StreamSpecification) =>
  update(name, { StreamSpecification });

const create = (more: Partial<CreateTableCommandInput>) =>
  createTable(server, { key: "pk:S" }, more);

suite("CreateTable", () => {
  test.each(views)("makes a stream with the view %s", async (view) => {
    const { name, arn } = await createStreamTable(server, view);
    const { StreamSpecification, LatestStreamArn, LatestStreamLabel } = await table(name);
    expect(StreamSpecification).toEqual({ StreamEnabled: true, StreamViewType: view });
    expect(LatestStreamLabel).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/);
    expect(LatestStreamArn).toBe(arn);
    expect(arn).toMatch(
      new RegExp(`^arn:aws:dynamodb:us-east-1:\\d{12}:table/${name}/stream/${LatestStreamLabel}$`),
    );
  });

  test("says so in its answer", async () => {
    const name = `said_${process.pid}`;
    const { TableDescription: said } = await server.client.send(
      new CreateTableCommand({
        TableName: name,
        KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
        AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
        BillingMode: "PAY_PER_REQUEST",
        StreamSpecification: on("OLD_IMAGE"),
      }),
    );
    expect(said?.StreamSpecification).toEqual(on("OLD_IMAGE"));
    const { LatestStreamArn, LatestStreamLabel } = await table(name);
    expect(said).toMatchObject({ LatestStreamArn, LatestStreamLabel });
  });

  test("the label is the moment of the request", async () => {
    const { name } = await createStreamTable(server);
    expect((await table(name)).LatestStreamLabel).toBe(
      new Date(clock.now()).toISOString().slice(0, -1),
    );
  });

  test("without a stream says nothing of one", async () => {
    for (const more of [{}, { StreamSpecification: off }]) {
      const described = await table(await create(more));
      expect(described.StreamSpecification).toBeUndefined();
      expect(described.LatestStreamArn).toBeUndefined();
      expect(described.LatestStreamLabel).toBeUndefined();
    }
  });

  test("refuses a view of a stream that is off", () =>
    validation(
      create({ StreamSpecification: { ...on(), StreamEnabled: false } }),
      `${invalid}Table is being created with a stream disabled, UpdateViewType should not be specified`,
    ));

  test("refuses a stream without a view", () =>
    validation(
      create({ StreamSpecification: { StreamEnabled: true } }),
      `${invalid}Table is being created with a stream enabled, UpdateViewType is required`,
    ));

  test("refuses an unknown view", () =>
    validation(
      create({
        StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW" as "NEW_IMAGE" },
      }),
      /^1 validation error detected: Value 'NEW' at 'streamSpecification.streamViewType' failed to satisfy constraint: Member must satisfy enum value set: \[/,
    ));

  test("refuses a specification that does not say on or off", () =>
    validation(
      create({ StreamSpecification: { StreamViewType: "NEW_IMAGE" } as StreamSpecification }),
      "1 validation error detected: Value null at 'streamSpecification.streamEnabled' failed to satisfy constraint: Member must not be null",
    ));
});

suite("UpdateTable", () => {
  test.each(views)("gives a table a stream with the view %s", async (view) => {
    const name = await create({});
    const answer = await switchTo(name, on(view));
    expect(answer.TableStatus).toBe("UPDATING");
    expect(answer.StreamSpecification).toEqual(on(view));
    const { StreamSpecification, LatestStreamArn, LatestStreamLabel } = await table(name);
    expect(StreamSpecification).toEqual(on(view));
    expect(answer).toMatchObject({ LatestStreamArn, LatestStreamLabel });
    expect((await describe(server, LatestStreamArn as string)).StreamViewType).toBe(view);
  });

  test("writes before it are not in the stream", async () => {
    const name = await create({});
    const put = (pk: string) =>
      server.client.send(new PutItemCommand({ TableName: name, Item: { pk: { S: pk } } }));
    await put("before");
    await switchTo(name, on("KEYS_ONLY"));
    await put("after");
    const records = await allRecords(server, await latestArn(server, name));
    expect(records.map(({ dynamodb }) => dynamodb?.Keys?.pk?.S)).toEqual(["after"]);
  });

  test("switches it off; the last stream is still named", async () => {
    const { name, arn } = await createStreamTable(server);
    const answer = await switchTo(name, off);
    expect(answer.TableStatus).toBe("UPDATING");
    const described = await table(name);
    expect(described.StreamSpecification).toBeUndefined();
    expect(described.LatestStreamArn).toBe(arn);
    expect(arn.endsWith(`/stream/${described.LatestStreamLabel}`)).toBe(true);
  });

  test("each time it is switched on the stream is a new one", async () => {
    const { name, arn: first } = await createStreamTable(server);
    await switchTo(name, off);
    await switchTo(name, on());
    const second = await latestArn(server, name);
    await switchTo(name, off);
    await switchTo(name, on());
    const third = await latestArn(server, name);
    expect(new Set([first, second, third]).size).toBe(3);
    expect([first, second, third].toSorted()).toEqual([first, second, third]);
  });

  test("a view can only be changed by another stream", async () => {
    const { name } = await createStreamTable(server, "KEYS_ONLY");
    await switchTo(name, off);
    await switchTo(name, on("NEW_AND_OLD_IMAGES"));
    expect((await table(name)).StreamSpecification).toEqual(on("NEW_AND_OLD_IMAGES"));
  });

  test.each(["NEW_IMAGE", "KEYS_ONLY"] as const)(
    "refuses a second stream, with the view %s",
    async (view) => {
      const { name, arn } = await createStreamTable(server, "NEW_IMAGE");
      await validation(
        switchTo(name, on(view)),
        `Table already has an enabled stream: TableName: ${name}`,
      );
      expect(await latestArn(server, name)).toBe(arn);
    },
  );

  test("refuses to switch off what is not there", async () => {
    const name = await create({});
    const message = `Table has no stream to disable: TableName: ${name}`;
    await validation(switchTo(name, off), message);
    await switchTo(name, on());
    await switchTo(name, off);
    await validation(switchTo(name, off), message);
  });

  test("refuses a stream without a view, and a view of none", async () => {
    const name = await create({});
    await validation(
      switchTo(name, { StreamEnabled: true }),
      `${invalid}If stream is being enabled then UpdateViewType is required`,
    );
    await switchTo(name, on());
    await validation(
      switchTo(name, { ...on(), StreamEnabled: false }),
      `${invalid}If stream is being disabled, then UpdateViewType must not be specified`,
    );
  });

  test("of a table that is not there", () =>
    expectError(
      switchTo("not-there", on()),
      "ResourceNotFoundException",
      "Requested resource not found: Table: not-there not found",
    ));
});

suite("a stream and another change in one request", () => {
  const units = { ReadCapacityUnits: 7, WriteCapacityUnits: 7 };
  const provisioned = () =>
    create({
      BillingMode: "PROVISIONED",
      ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 },
    });

  const iops = `${invalid}You cannot modify stream status while updating table IOPS`;

  test("is refused with throughput", async () => {
    const name = await provisioned();
    await validation(
      update(name, { StreamSpecification: on(), ProvisionedThroughput: units }),
      iops,
    );
    expect((await table(name)).LatestStreamArn).toBeUndefined();
  });

  test("is refused with a change to provisioned", async () => {
    const name = await create({});
    await validation(
      update(name, {
        StreamSpecification: on(),
        BillingMode: "PROVISIONED",
        ProvisionedThroughput: units,
      }),
      iops,
    );
  });

  test("is taken with a change to on-demand", async () => {
    const name = await provisioned();
    await update(name, { StreamSpecification: on(), BillingMode: "PAY_PER_REQUEST" });
    const { StreamSpecification, BillingModeSummary } = await table(name);
    expect(StreamSpecification).toEqual(on());
    expect(BillingModeSummary?.BillingMode).toBe("PAY_PER_REQUEST");
  });

  test("is refused with an index", async () => {
    const name = await create({});
    await validation(
      update(name, {
        StreamSpecification: on(),
        AttributeDefinitions: [{ AttributeName: "a", AttributeType: "S" }],
        GlobalSecondaryIndexUpdates: [
          {
            Create: {
              IndexName: "new-index",
              KeySchema: [{ AttributeName: "a", KeyType: "HASH" }],
              Projection: { ProjectionType: "ALL" },
            },
          },
        ],
      }),
      `${invalid}You cannot create or delete index while changing stream status`,
    );
  });

  test.each([
    [{ DeletionProtectionEnabled: true }, "DeletionProtection modification must be"],
    [{ TableClass: "STANDARD_INFREQUENT_ACCESS" }, "TableClass modification must be"],
    [{ SSESpecification: { Enabled: true } }, "Server-Side Encryption modification must be"],
    [{ WarmThroughput: { ReadUnitsPerSecond: 12_001 } }, "WarmThroughput must be"],
  ] as const)("is refused with %j", async (change, words) => {
    const name = await create({});
    await validation(
      update(name, { StreamSpecification: on(), ...change }),
      `${invalid}${words} the only operation in the request`,
    );
  });

  test("is refused with a limit of on-demand", async () => {
    const name = await create({});
    await validation(
      update(name, {
        StreamSpecification: on(),
        OnDemandThroughput: { MaxReadRequestUnits: 10 },
      }),
      `${invalid}OnDemandThroughput can only be combined with BillingMode in an UpdateTable request`,
    );
  });
});

suite("other changes of a table", () => {
  test("leave its stream as it is", async () => {
    const { name, arn } = await createStreamTable(server);
    const answer = await update(name, { DeletionProtectionEnabled: false });
    expect(answer.LatestStreamArn).toBe(arn);
    expect(answer.StreamSpecification).toEqual(on("NEW_AND_OLD_IMAGES"));
    expect(await latestArn(server, name)).toBe(arn);
  });
});
