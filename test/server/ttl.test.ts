import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ManualClock } from "../../src/base/clock.ts";
import { startServer } from "../../src/server/start-server.ts";
import { type Caller, openWorkbench, type Workbench } from "../../src/workbench/workbench.ts";
import { endpointOf, runCli } from "./child-support.ts";
import { call, send } from "./wire-support.ts";

const caller: Caller = { account: "000000000000", region: "us-east-1" };
const TableName = "Sessions";
const hour = 3_600;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "keywright-ttl-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

type Ask = (operation: string, body: object) => Promise<unknown>;

const askOf =
  (workbench: Workbench): Ask =>
  async (operation, body) =>
    workbench.execute(operation, body, caller);

async function makeTable(ask: Ask): Promise<void> {
  await ask("CreateTable", {
    TableName,
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
    KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
  });
}

const enable = (ask: Ask) =>
  ask("UpdateTimeToLive", {
    TableName,
    TimeToLiveSpecification: { Enabled: true, AttributeName: "ttl" },
  });

const put = (ask: Ask, id: string, ttl: number) =>
  ask("PutItem", { TableName, Item: { id: { S: id }, ttl: { N: String(ttl) } } });

async function countOf(ask: Ask): Promise<number> {
  const { Count } = (await ask("Scan", { TableName, Select: "COUNT" })) as { Count: number };
  return Count;
}

/** A workbench on the folder, for as long as it takes. */
async function opened<T>(
  clock: ManualClock,
  use: (ask: Ask, workbench: Workbench) => Promise<T>,
  more: { readonly ttlDelay?: number | false } = {},
): Promise<T> {
  const workbench = await openWorkbench({ data: folder, durability: "relaxed", clock, ...more });
  try {
    return await use(askOf(workbench), workbench);
  } finally {
    await workbench.close();
  }
}

const secondsOf = (clock: ManualClock): number => clock.now() / 1_000;

async function filled(clock: ManualClock): Promise<void> {
  await opened(clock, async (ask) => {
    await makeTable(ask);
    await enable(ask);
    for (let i = 0; i < 50; i += 1) await put(ask, `${i}`, secondsOf(clock) + hour * (1 + (i % 2)));
  });
}

test("what expired while no process was running is deleted by the next", async () => {
  const clock = new ManualClock();
  await filled(clock);
  clock.advance(1.5 * hour * 1_000);
  await opened(clock, async (ask, workbench) => {
    await workbench.idle();
    expect(await countOf(ask)).toBe(25);
  });
});

test("what expires after a start is deleted then, without anybody writing", async () => {
  const clock = new ManualClock();
  await filled(clock);
  await opened(clock, async (ask, workbench) => {
    await workbench.idle();
    expect(await countOf(ask)).toBe(50);
    clock.advance(1.5 * hour * 1_000);
    await workbench.idle();
    expect(await countOf(ask)).toBe(25);
    clock.advance(hour * 1_000);
    await workbench.idle();
    expect(await countOf(ask)).toBe(0);
    expect(await workbench.verify()).toMatchObject({ items: 0, problems: [] });
  });
});

test("a process that is told to delete nothing deletes nothing", async () => {
  const clock = new ManualClock();
  await filled(clock);
  clock.advance(9 * hour * 1_000);
  const look = async (ask: Ask, workbench: Workbench) => {
    await workbench.idle();
    expect(await workbench.verify()).toMatchObject({ items: 50, problems: [] });
    expect(await countOf(ask)).toBe(50);
  };
  await opened(clock, look, { ttlDelay: false });
});

test("on the clock of the machine, too", async () => {
  const server = await startServer();
  try {
    const ask = askOf(server.workbench);
    await makeTable(ask);
    await enable(ask);
    const now = Math.floor(Date.now() / 1_000);
    await put(ask, "past", now - 10);
    await put(ask, "future", now + hour);
    await expect.poll(() => countOf(ask)).toBe(1);
    await put(ask, "soon", now);
    await expect.poll(() => countOf(ask), { timeout: 10_000 }).toBe(1);
  } finally {
    await server.close();
  }
});

test.each([-1, Number.NaN])("a delay of %d is refused", async (ttlDelay) => {
  await expect(startServer({ ttlDelay })).rejects.toThrow("ttlDelay is a number of seconds");
});

test("the command line: a delay keeps what has expired, and verify leaves it alone", async () => {
  const start = (...more: string[]) =>
    runCli(["start", "--port", "0", "--data", folder, "--durability", "relaxed", ...more]);
  const askAt =
    (endpoint: string): Ask =>
    async (operation, body) => {
      const { port } = new URL(endpoint);
      const reply = await send(Number(port), {
        headers: call(operation),
        body: JSON.stringify(body),
      });
      expect(reply.status, reply.text).toBe(200);
      return JSON.parse(reply.text);
    };
  const stop = async (child: ReturnType<typeof start>) => {
    child.process.kill("SIGTERM");
    expect(await child.ended).toBe(0);
    expect(child.written.err).toBe("");
  };

  const delayed = start("--ttl-delay", "86400");
  const ask = askAt(await endpointOf(delayed));
  expect(delayed.written.out).toContain("items are deleted 86400 seconds after it is over");
  await makeTable(ask);
  await enable(ask);
  await put(ask, "a", Math.floor(Date.now() / 1_000) - hour);
  await put(ask, "b", Math.floor(Date.now() / 1_000) - 25 * hour);
  await expect.poll(() => countOf(ask)).toBe(1);
  await stop(delayed);

  const verify = runCli(["verify", "--data", folder]);
  expect(await verify.ended).toBe(0);
  expect(verify.written.out).toContain("1 tables, 1 items");

  const prompt = start();
  const again = askAt(await endpointOf(prompt));
  await expect.poll(() => countOf(again)).toBe(0);
  await stop(prompt);
});
