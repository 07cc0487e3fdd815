import { beforeEach, expect, test } from "vitest";
import { createTable } from "./create-table.ts";
import { deleteTable } from "./delete-table.ts";
import { describeKinesisStreamingDestination } from "./describe-kinesis-streaming-destination.ts";
import { disableKinesisStreamingDestination } from "./disable-kinesis-streaming-destination.ts";
import { enableKinesisStreamingDestination } from "./enable-kinesis-streaming-destination.ts";
import {
  type Bench,
  define,
  failure,
  hash,
  openBench,
  run,
} from "./table-operations.test-support.ts";
import { updateKinesisStreamingDestination } from "./update-kinesis-streaming-destination.ts";

/** Tables that take their time, and so do their destinations. */
const transitionMs = 2_000;
const subject = {
  TableName: "things",
  StreamArn: "arn:aws:kinesis:eu-west-1:000000000000:stream/changes",
};
const micro = { ApproximateCreationDateTimePrecision: "MICROSECOND" };

let bench: Bench;
beforeEach(async () => {
  bench = await openBench({ transitionMs });
  await run(bench, createTable, {
    TableName: "things",
    AttributeDefinitions: define("a"),
    KeySchema: [hash("a")],
    BillingMode: "PAY_PER_REQUEST",
  });
});

const enable = () => run(bench, enableKinesisStreamingDestination, subject);
const disable = () => run(bench, disableKinesisStreamingDestination, subject);
const update = () =>
  run(bench, updateKinesisStreamingDestination, {
    ...subject,
    UpdateKinesisStreamingConfiguration: micro,
  });
const status = async () => {
  const answer = await run(bench, describeKinesisStreamingDestination, { TableName: "things" });
  const list = answer.KinesisDataStreamDestinations as unknown as { DestinationStatus: string }[];
  return list.map(({ DestinationStatus }) => DestinationStatus).join();
};

test("a table that is being made is not found", async () => {
  const missing =
    "ResourceNotFoundException: Requested resource not found: Table: things not found";
  expect(await failure(enable())).toBe(missing);
  expect(await failure(status())).toBe(missing);
  bench.clock.advance(transitionMs);
  await enable();
});

test("every change takes its time, and no other comes between", async () => {
  bench.clock.advance(transitionMs);
  const wrongState =
    "ValidationException: Table is not in a valid state to enable Kinesis Streaming Destination: ";
  await enable();
  expect(await status()).toBe("ENABLING");
  for (const deed of [enable, disable, update]) {
    expect(await failure(deed())).toContain(wrongState);
  }
  bench.clock.advance(transitionMs);
  expect(await status()).toBe("ACTIVE");
  await update();
  expect(await status()).toBe("UPDATING");
  for (const deed of [enable, disable, update]) {
    expect(await failure(deed())).toContain(wrongState);
  }
  bench.clock.advance(transitionMs);
  await disable();
  expect(await status()).toBe("DISABLING");
  // Only this may be said again.
  await disable();
  for (const deed of [enable, update]) expect(await failure(deed())).toContain(wrongState);
  bench.clock.advance(transitionMs);
  expect(await status()).toBe("DISABLED");
  await enable();
});

test("what is asked of a table that is being deleted changes nothing", async () => {
  bench.clock.advance(transitionMs);
  await run(bench, deleteTable, { TableName: "things" });
  expect(await enable()).toMatchObject({ DestinationStatus: "ENABLING" });
  expect(await status()).toBe("");
});
