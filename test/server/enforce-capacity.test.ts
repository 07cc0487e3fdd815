import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startOptions } from "../../src/cli/start.ts";
import { endpointOf, runCli } from "./child-support.ts";
import { call, type Reply, send } from "./wire-support.ts";

test("the options of the command line", () => {
  const parse = (...args: string[]) => {
    const raw = { enforceCapacity: args.includes("--enforce-capacity") };
    return startOptions(["start", "--in-memory", ...args], { inMemory: true, ...raw });
  };
  expect(parse()).not.toHaveProperty("enforceCapacity");
  expect(parse("--enforce-capacity").enforceCapacity).toEqual({ scale: 1 });
  expect(parse("--enforce-capacity", "--scale", "0.01").enforceCapacity).toEqual({ scale: 0.01 });
  expect(parse("--enforce-capacity", "--scale=.5").enforceCapacity).toEqual({ scale: 0.5 });
});

test("a server that was told to throttles", async () => {
  const folder = await mkdtemp(join(tmpdir(), "keywright-enforce-"));
  const child = runCli(
    ["start", "--port", "0", "--in-memory", "--enforce-capacity", "--scale", "0.5"],
    folder,
  );
  try {
    const port = Number(new URL(await endpointOf(child)).port);
    expect(child.written.out).toContain(
      "Throughput: enforced at 0.5 times its limits, requests beyond it are throttled\n",
    );
    const execute = (operation: string, body: object): Promise<Reply> =>
      send(port, { headers: call(operation), body: JSON.stringify(body) });
    await execute("CreateTable", {
      TableName: "Hot",
      ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 },
      KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
      AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
    });
    // An item of 300 units, where there is half a unit in a second: ten minutes of debt.
    const Item = { id: { S: "a" }, text: { S: "x".repeat(300 * 1_024) } };
    expect((await execute("PutItem", { TableName: "Hot", Item })).status).toBe(200);
    const refused = await execute("PutItem", { TableName: "Hot", Item: { id: Item.id } });
    expect(refused.status).toBe(400);
    expect(JSON.parse(refused.text).__type).toMatch(/#ProvisionedThroughputExceededException$/);
  } finally {
    child.process.kill("SIGTERM");
    await child.ended;
    await rm(folder, { recursive: true, force: true });
  }
});
