import {
  DeleteTableCommand,
  DescribeKinesisStreamingDestinationCommand,
  DescribeTableCommand,
  DisableKinesisStreamingDestinationCommand,
  EnableKinesisStreamingDestinationCommand,
  type EnableKinesisStreamingDestinationCommandInput,
  UpdateKinesisStreamingDestinationCommand,
} from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { createTable, expectError, freshName, useServer, validation } from "../harness.ts";

const server = useServer();
const wrongState = "Table is not in a valid state to enable Kinesis Streaming Destination: ";
const mustBeDisabled = `${wrongState}EnableKinesisStreamingDestination must be DISABLED or ENABLE_FAILED to perform ENABLE operation.`;
const mustBeActive = `${wrongState}KinesisStreamingDestination must be ACTIVE to perform DISABLE operation.`;

/** The tests of this file speak as one account. */
async function accountOf(TableName: string): Promise<string> {
  const { Table } = await server.client.send(new DescribeTableCommand({ TableName }));
  return Table?.TableArn?.split(":")[4] ?? "";
}

async function tableAndStreams() {
  const TableName = await createTable(server, { key: "pk:S" });
  const account = await accountOf(TableName);
  const stream = (name: string) => `arn:aws:kinesis:us-east-1:${account}:stream/${name}`;
  return { TableName, one: stream("changes-one"), other: stream("changes-other") };
}

type Configuration = NonNullable<
  EnableKinesisStreamingDestinationCommandInput["EnableKinesisStreamingConfiguration"]
>;

const enable = (TableName: string, StreamArn: string, configuration?: Configuration) =>
  server.client.send(
    new EnableKinesisStreamingDestinationCommand({
      TableName,
      StreamArn,
      ...(configuration && { EnableKinesisStreamingConfiguration: configuration }),
    }),
  );
const disable = (TableName: string, StreamArn: string) =>
  server.client.send(new DisableKinesisStreamingDestinationCommand({ TableName, StreamArn }));
const update = (TableName: string, StreamArn: string, configuration?: Configuration) =>
  server.client.send(
    new UpdateKinesisStreamingDestinationCommand({
      TableName,
      StreamArn,
      ...(configuration && { UpdateKinesisStreamingConfiguration: configuration }),
    }),
  );
async function described(TableName: string) {
  const command = new DescribeKinesisStreamingDestinationCommand({ TableName });
  return (await server.client.send(command)).KinesisDataStreamDestinations;
}

/** Asks until nothing is under way. */
async function settled(TableName: string) {
  for (;;) {
    const destinations = await described(TableName);
    if (!destinations?.some(({ DestinationStatus: s }) => s?.endsWith("ING"))) return destinations;
  }
}

const micro = { ApproximateCreationDateTimePrecision: "MICROSECOND" } as const;
const milli = { ApproximateCreationDateTimePrecision: "MILLISECOND" } as const;

describe("a Kinesis destination", () => {
  test("is not there at first", async () => {
    const { TableName } = await tableAndStreams();
    const answer = await server.client.send(
      new DescribeKinesisStreamingDestinationCommand({ TableName }),
    );
    const { $metadata: _, ...rest } = answer;
    expect(rest).toEqual({ TableName, KinesisDataStreamDestinations: [] });
  });

  test("is enabled", async () => {
    const { TableName, one } = await tableAndStreams();
    const { $metadata: _, ...answer } = await enable(TableName, one);
    expect(answer).toEqual({
      TableName,
      StreamArn: one,
      DestinationStatus: "ENABLING",
      EnableKinesisStreamingConfiguration: {},
    });
    expect(await settled(TableName)).toEqual([{ StreamArn: one, DestinationStatus: "ACTIVE" }]);
  });

  test("is found by the table's ARN, too", async () => {
    const { TableName, one } = await tableAndStreams();
    const { Table } = await server.client.send(new DescribeTableCommand({ TableName }));
    const arn = Table?.TableArn ?? "";
    expect((await enable(arn, one)).TableName).toBe(TableName);
    expect(await settled(arn)).toHaveLength(1);
  });

  test("is enabled with a precision, which is told", async () => {
    const { TableName, one } = await tableAndStreams();
    const answer = await enable(TableName, one, micro);
    expect(answer.EnableKinesisStreamingConfiguration).toEqual(micro);
    expect(await settled(TableName)).toEqual([
      { StreamArn: one, DestinationStatus: "ACTIVE", ...micro },
    ]);
  });

  test("is no stream of the table", async () => {
    const { TableName, one } = await tableAndStreams();
    await enable(TableName, one);
    await settled(TableName);
    const { Table } = await server.client.send(new DescribeTableCommand({ TableName }));
    expect(Table?.StreamSpecification).toBeUndefined();
    expect(Table?.LatestStreamArn).toBeUndefined();
  });

  test("is the only one", async () => {
    const { TableName, one, other } = await tableAndStreams();
    await enable(TableName, one);
    await settled(TableName);
    await validation(enable(TableName, one), mustBeDisabled);
    await validation(enable(TableName, one, micro), mustBeDisabled);
    await validation(enable(TableName, other), mustBeDisabled);
  });

  test("is disabled, stays listed, and can be enabled again without what was set", async () => {
    const { TableName, one } = await tableAndStreams();
    await enable(TableName, one, micro);
    await settled(TableName);
    const { $metadata: _, ...answer } = await disable(TableName, one);
    expect(answer).toMatchObject({
      TableName,
      StreamArn: one,
      DestinationStatus: "DISABLING",
    });
    await expect
      .poll(() => described(TableName))
      .toEqual([{ StreamArn: one, DestinationStatus: "DISABLED" }]);
    await enable(TableName, one);
    expect(await settled(TableName)).toEqual([{ StreamArn: one, DestinationStatus: "ACTIVE" }]);
  });

  test("can follow one that was disabled", async () => {
    const { TableName, one, other } = await tableAndStreams();
    await enable(TableName, one);
    await settled(TableName);
    await disable(TableName, one);
    await expect
      .poll(async () => (await described(TableName))?.[0]?.DestinationStatus)
      .toBe("DISABLED");
    await enable(TableName, other);
    expect(await settled(TableName)).toEqual([
      { StreamArn: other, DestinationStatus: "ACTIVE" },
      { StreamArn: one, DestinationStatus: "DISABLED" },
    ]);
  });

  test("is not disabled if it is not active", async () => {
    const { TableName, one, other } = await tableAndStreams();
    await validation(disable(TableName, one), mustBeActive);
    await enable(TableName, one);
    await settled(TableName);
    await validation(disable(TableName, other), mustBeActive);
    const answer = await server.raw("DisableKinesisStreamingDestination", {
      TableName,
      StreamArn: "not-an-arn",
    });
    expect(answer.json.message).toBe(mustBeActive);
  });

  test("is not disabled with a configuration", async () => {
    const { TableName, one } = await tableAndStreams();
    await enable(TableName, one);
    await settled(TableName);
    await validation(
      server.client.send(
        new DisableKinesisStreamingDestinationCommand({
          TableName,
          StreamArn: one,
          EnableKinesisStreamingConfiguration: micro,
        }),
      ),
      "Stream cannot be disabled using EnableKinesisStreamingConfiguration parameters",
    );
  });

  test("goes with its table", async () => {
    const { TableName, one } = await tableAndStreams();
    await enable(TableName, one);
    await settled(TableName);
    await server.client.send(new DeleteTableCommand({ TableName }));
    await expect
      .poll(() => described(TableName).catch((error: Error) => error.name))
      .toBe("ResourceNotFoundException");
    await createTable(server, { key: "pk:S" }, { TableName });
    await expect.poll(() => described(TableName).catch(() => undefined)).toEqual([]);
  });
});

describe("its precision", () => {
  test("is changed", async () => {
    const { TableName, one } = await tableAndStreams();
    await enable(TableName, one);
    await settled(TableName);
    const { $metadata: _, ...answer } = await update(TableName, one, micro);
    expect(answer).toEqual({
      TableName,
      StreamArn: one,
      DestinationStatus: "UPDATING",
      UpdateKinesisStreamingConfiguration: micro,
    });
    expect((await described(TableName))?.[0]).toMatchObject(micro);
  });

  test("is not set to what it is: milliseconds, if nothing was said", async () => {
    const { TableName, one } = await tableAndStreams();
    await enable(TableName, one);
    await settled(TableName);
    const { Table } = await server.client.send(new DescribeTableCommand({ TableName }));
    await validation(
      update(TableName, one, milli),
      `Invalid Request: Precision is already set to the desired value of MILLISECOND for tableId: ${Table?.TableId}, kdsArn: ${one}`,
    );
  });

  test("is set by a request that has one", async () => {
    const { TableName, one } = await tableAndStreams();
    await enable(TableName, one);
    await settled(TableName);
    const nothing =
      "Streaming destination cannot be updated with given parameters: UpdateKinesisStreamingConfiguration cannot be null or contain only null values";
    await validation(update(TableName, one), nothing);
    await validation(update(TableName, one, {}), nothing);
  });

  test("is that of a destination that is there", async () => {
    const { TableName, one, other } = await tableAndStreams();
    await enable(TableName, one);
    await settled(TableName);
    await validation(
      update(TableName, other, micro),
      `${wrongState}No streaming destination with streamArn: ${other} found for table with tableName: ${TableName}`,
    );
  });

  test("is that of a destination that is active", async () => {
    const { TableName, one } = await tableAndStreams();
    await enable(TableName, one);
    await settled(TableName);
    await disable(TableName, one);
    await validation(
      update(TableName, one, micro),
      `${wrongState}Kinesis streaming is not in ACTIVE state. Updates are only allowed in ACTIVE state. TableName: ${TableName}, kdsArn: ${one}`,
    );
  });
});

describe("a stream that cannot be used", () => {
  const forbidden = "User does not have a permission to use kinesis stream";

  test.each([
    [
      "of another Region",
      (arn: string) => arn.replace("us-east-1", "eu-west-1"),
      "The kinesis Arn used to enable kinesis replication belongs to a stream which is not in the current region",
    ],
    [
      "of another account",
      (arn: string) => arn.replace(/:\d{12}:/, ":000000000001:"),
      "The kinesis Arn used to enable kinesis replication belongs to a stream which is not in Active state",
    ],
    ["that is a table", (arn: string) => arn.replace(":kinesis:", ":dynamodb:"), forbidden],
    ["that is a consumer", (arn: string) => `${arn}/consumer/me:1`, forbidden],
  ])("%s is taken, and fails", async (_, change, reason) => {
    const { TableName, one } = await tableAndStreams();
    const StreamArn = change(one);
    expect((await enable(TableName, StreamArn)).DestinationStatus).toBe("ENABLING");
    await expect
      .poll(() => settled(TableName), { timeout: 90_000 })
      .toEqual([
        {
          StreamArn,
          DestinationStatus: "ENABLE_FAILED",
          DestinationStatusDescription: reason,
        },
      ]);
  });

  test("is no obstacle to another one", async () => {
    const { TableName, one } = await tableAndStreams();
    const bad = one.replace(":kinesis:", ":dynamodb:");
    await enable(TableName, bad);
    await settled(TableName);
    await enable(TableName, bad);
    await settled(TableName);
    await validation(disable(TableName, bad), mustBeActive);
    await enable(TableName, one);
    const after = await settled(TableName);
    expect(after?.map(({ DestinationStatus }) => DestinationStatus)).toEqual([
      "ACTIVE",
      "ENABLE_FAILED",
    ]);
  });

  test("is one whose ARN is too short", async () => {
    const answer = await server.raw("EnableKinesisStreamingDestination", {
      TableName: "things",
      StreamArn: "",
    });
    expect(answer.json.message).toBe(
      "1 validation error detected: Value '' at 'streamArn' failed to satisfy constraint: Member must have length greater than or equal to 37",
    );
  });
});

test("nothing is told of a table that does not exist", async () => {
  const TableName = freshName();
  const StreamArn = "arn:aws:kinesis:us-east-1:123456789012:stream/changes";
  const missing = `Requested resource not found: Table: ${TableName} not found`;
  for (const asked of [
    () => described(TableName),
    () => enable(TableName, StreamArn),
    () => disable(TableName, StreamArn),
    () => update(TableName, StreamArn, micro),
  ]) {
    await expectError(asked(), "ResourceNotFoundException", missing);
  }
});
