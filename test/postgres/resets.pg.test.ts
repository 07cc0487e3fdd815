import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startServer } from "../../src/index.ts";
import { endpointOf, runCli } from "../server/child-support.ts";
import { call, send } from "../server/wire-support.ts";
import { BreakingProxy } from "../storage/breaking-proxy.ts";
import { type PostgresServer, startPostgresServer } from "../storage/postgres-server.ts";

/** PostgreSQL is killed, or the network resets its connections, at chosen moments. */

let server: PostgresServer | undefined;
let proxy: BreakingProxy;
let url: string;

beforeAll(async () => {
  server = await startPostgresServer();
  ({ proxy, url } = await BreakingProxy.start(server.connectionString));
});
afterAll(async () => {
  await proxy.stop();
  await server?.stop();
});
beforeEach(() => {
  proxy.fateOf = () => "pass";
  proxy.refusing = false;
});

const closed = (place: string) => `PostgreSQL at ${new URL(place).host} closed the connection.`;
const storeIn = (schema: string) => `${url}?schema=${schema}`;

/** Resets all connections at the nth packet that `matches`; returns what was reset. */
function resetAt(n: number, matches: (packet: string) => boolean = () => true) {
  const lost: string[] = [];
  let count = 0;
  proxy.fateOf = (packet) => {
    const text = packet.toString("latin1");
    if (!matches(text) || ++count !== n) return "pass";
    lost.push(text);
    return "reset all";
  };
  return lost;
}

test("a reset at any packet of a start: one sentence until the schema is prepared, a start after that", async () => {
  const outcomes: string[] = [];
  const packets: string[] = [];
  for (let packet = 1; ; packet++) {
    // Every start makes its tables, so each has the same packets.
    const lost = resetAt(packet);
    const store = storeIn(`start${packet}`);
    const outcome = await startServer({ port: 0, store }).then(
      async (started) => {
        const tables = await started.workbench.tables();
        const wasLost = lost.length > 0;
        await started.close();
        return wasLost ? `started with ${tables.length} tables` : "all packets passed";
      },
      (error: Error) => error.message,
    );
    if (outcome === "all packets passed") break;
    outcomes.push(outcome);
    packets.push(lost.join());
  }
  const refused = outcomes.lastIndexOf(closed(url)) + 1;
  expect(refused).toBeGreaterThan(10);
  expect(packets[refused - 1]).toContain("COMMIT");
  expect(outcomes.length - refused).toBeGreaterThan(5);
  expect(new Set(outcomes.slice(0, refused))).toEqual(new Set([closed(url)]));
  expect(new Set(outcomes.slice(refused))).toEqual(new Set(["started with 0 tables"]));
});

test.each([
  ["at LISTEN", (packet: string) => packet.includes("LISTEN keywright_")],
  ["at the first scan", (packet: string) => packet.includes("SELECT key, value, seen")],
])("a server that is gone for good %s: exit code 1 and one sentence", async (_moment, matches) => {
  const store = storeIn("gone");
  await (await startServer({ port: 0, store })).close();
  const lost = resetAt(1, (packet) => {
    if (!matches(packet)) return false;
    proxy.refusing = true;
    return true;
  });
  const child = runCli(["start", "--port", "0", "--store", store]);
  expect(await child.ended).toBe(1);
  expect(lost).toHaveLength(1);
  expect(child.written).toEqual({ out: "", err: `keywright: ${closed(url)}\n` });
});

test("a server whose connections are reset at LISTEN, three times: the start succeeds", async () => {
  let resets = 0;
  proxy.fateOf = (packet) => {
    if (resets === 3 || !packet.includes("LISTEN keywright_")) return "pass";
    resets += 1;
    return "reset all";
  };
  const started = await startServer({ port: 0, store: storeIn("listen") });
  expect(resets).toBe(3);
  await started.close();
});

const item = (n: number) => JSON.stringify({ TableName: "kept", Item: { pk: { S: String(n) } } });

test("a running process survives resets of idle, working and listening connections", async () => {
  const child = runCli(["start", "--port", "0", "--store", storeIn("running")]);
  const port = Number(new URL(await endpointOf(child)).port);
  const ask = (operation: string, body: string) => send(port, { headers: call(operation), body });
  const created = await ask(
    "CreateTable",
    JSON.stringify({
      TableName: "kept",
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
      AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
    }),
  );
  expect(created.status).toBe(200);

  // Idle: all pooled connections and the one that listens.
  proxy.resetAll();
  expect((await ask("PutItem", item(1))).status).toBe(200);

  // At work: before the commit the transaction is repeated, at the commit its outcome is unknown.
  const begun = resetAt(1, (packet) => packet.includes("BEGIN"));
  expect((await ask("PutItem", item(2))).status).toBe(200);
  expect(begun).toHaveLength(1);
  const committed = resetAt(1, (packet) => packet.includes("COMMIT"));
  expect((await ask("PutItem", item(3))).status).toBe(500);
  expect(committed).toHaveLength(1);

  // Listening again: the first attempt fails too.
  let listens = 0;
  proxy.fateOf = (packet) => {
    if (!packet.includes("LISTEN keywright_")) return "pass";
    listens += 1;
    return listens === 1 ? "reset all" : "pass";
  };
  proxy.resetAll();
  await expect.poll(() => listens, { timeout: 10_000 }).toBe(2);
  expect((await ask("PutItem", item(4))).status).toBe(200);

  // Gone for a while, under requests.
  proxy.refusing = true;
  proxy.resetAll();
  const waiting = [ask("PutItem", item(5)), ask("Scan", JSON.stringify({ TableName: "kept" }))];
  const before = proxy.refused;
  await expect.poll(() => proxy.refused - before, { timeout: 10_000 }).toBeGreaterThan(5);
  proxy.refusing = false;
  for (const { status } of await Promise.all(waiting)) expect(status).toBe(200);

  child.process.kill("SIGTERM");
  expect(await child.ended).toBe(0);
});
