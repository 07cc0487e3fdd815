import { PutItemCommand } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import { ManualClock } from "../../../src/base/clock.ts";
import {
  allRecords,
  createStreamTable,
  isOpen,
  minute,
  shardsOf,
  useStreamServer,
} from "./support.ts";

const clock = new ManualClock(Date.UTC(2026, 4, 1));
// One write unit a second for each partition.
const server = useStreamServer({ clock, enforceCapacity: { scale: 0.001 } });

test("a partition that is split because it is hot splits its shard", async () => {
  const { name, arn } = await createStreamTable(server, "KEYS_ONLY", {
    BillingMode: "PROVISIONED",
    ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 900 },
  });
  expect(await shardsOf(server, arn)).toHaveLength(1);
  let written = 0;
  const put = (i: number) =>
    server.client
      .send(new PutItemCommand({ TableName: name, Item: { pk: { S: `${i}` } } }))
      .then(() => {
        written += 1;
      })
      .catch((error: Error) => {
        if (error.name !== "ProvisionedThroughputExceededException") throw error;
      });
  // It is asked for as much as it can do, for more minutes than the service looks on.
  for (let second = 0; second < 7 * 60; second += 10) {
    for (let i = 0; i < 12; i += 1) await put(second * 12 + i);
    clock.advance(10_000);
  }
  clock.advance(minute);
  await put(999_999);
  await server.running.workbench.idle();
  const shards = await shardsOf(server, arn);
  expect(shards.filter(isOpen).length).toBeGreaterThan(1);
  expect(shards.some(({ ParentShardId }) => ParentShardId !== undefined)).toBe(true);
  expect(await allRecords(server, arn)).toHaveLength(written);
});
