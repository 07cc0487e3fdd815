import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { expect, test } from "vitest";
import { batchGet, batchWrite, UnprocessedError } from "../../../src/patterns/batch.ts";
import { makeTable, useThrottling } from "../throttling/support.ts";
import { sendersOf } from "./support.ts";

const server = useThrottling();

/** Rests let the clock of the server run, and nothing waits. */
const options = () => ({
  random: () => 1,
  base: 5_000,
  cap: 20_000,
  sleep: async (milliseconds: number) => server.clock.advance(milliseconds),
});

test("a batch that is too much for a table is done bit by bit", async () => {
  const table = await makeTable(server, { units: { read: 1, write: 5 } });
  const { batchGet: get, batchWrite: write } = sendersOf(
    DynamoDBDocumentClient.from(server.client),
  );
  const items = Array.from({ length: 25 }, (_, n) => ({
    pk: `p${n}`,
    n,
    text: "x".repeat(80_000),
  }));
  let writes = 0;
  await batchWrite(
    (input) => {
      writes += 1;
      return write(input);
    },
    items.map((put) => ({ table, put })),
    { ...options(), attempts: 50, keyNames: ["pk"] },
  );
  expect(writes).toBeGreaterThan(2);
  let reads = 0;
  const found = await batchGet(
    (input) => {
      reads += 1;
      return get(input);
    },
    items.map(({ pk }) => ({ table, key: { pk } })),
    { ...options(), attempts: 50, consistent: true },
  );
  expect(reads).toBeGreaterThan(2);
  expect(found.map((item) => item?.n)).toEqual(items.map(({ n }) => n));
});

test("a batch that is never done says what is left", async () => {
  const table = await makeTable(server, { units: { read: 1, write: 1 } });
  const { batchWrite: write } = sendersOf(DynamoDBDocumentClient.from(server.client));
  const writes = Array.from({ length: 25 }, (_, n) => ({
    table,
    put: { pk: `p${n}`, text: "x".repeat(100_000) },
  }));
  const standing = { ...options(), sleep: async () => {}, attempts: 3, keyNames: ["pk"] };
  const error = await batchWrite(write, writes, standing).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(UnprocessedError);
  const { unprocessed } = error as UnprocessedError<(typeof writes)[number]>;
  expect(unprocessed.length).toBeGreaterThan(0);
  expect(unprocessed.length).toBeLessThan(25);
  expect(writes).toEqual(expect.arrayContaining([...unprocessed]));
});
