import { PutItemCommand } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import { ManualClock } from "../../../src/base/clock.ts";
import { useServer } from "../harness.ts";
import {
  bounds,
  makeTable,
  putPolicy,
  register,
  subject,
  tracking,
  useScaling,
} from "./support.ts";

const clock = new ManualClock();
const server = useServer({ clock, enforceCapacity: true });
const scaling = useScaling(server);

/** Writes an item that costs so many units; answers how many were let through. */
async function write(TableName: string, units: number): Promise<number> {
  const c = { S: "x".repeat(units * 1_024 - 20) };
  const Item = { a: { S: "key" }, b: { S: "key" }, c };
  try {
    await server.client.send(new PutItemCommand({ TableName, Item }));
    return units;
  } catch (error) {
    expect((error as Error).name).toBe("ProvisionedThroughputExceededException");
    return 0;
  }
}

test("a table that is used to the full gets more, if it has a policy", async () => {
  const growing = await makeTable(server);
  const fixed = await makeTable(server);
  for (const index of [undefined, "byB"]) {
    const of = subject(growing, "Write", index);
    await register(scaling, { ...of, ...bounds(5, 100) });
    await putPolicy(scaling, { ...of, PolicyName: "grow", ...tracking("Write", 50) });
  }
  const tables = [growing, fixed];
  // Five units a second, which is all that they have.
  for (let minute = 0; minute < 6; minute += 1) {
    clock.advance(60_000);
    for (const table of tables) for (let i = 0; i < 3; i += 1) await write(table, 100);
  }
  const written = [0, 0];
  for (let second = 0; second < 5; second += 1) {
    clock.advance(1_000);
    for (const [i, table] of tables.entries()) {
      for (const units of [3, 4]) written[i] = (written[i] ?? 0) + (await write(table, units));
    }
  }
  const [much = 0, little = 0] = written;
  expect(much).toBe(35);
  expect(little).toBeLessThanOrEqual(25);
});
