import { afterEach, beforeEach, expect, test } from "vitest";
import { responseBytes } from "../../src/api/response-json.ts";
import { HttpServer } from "../../src/server/http-server.ts";
import { Protocol } from "../../src/server/protocol.ts";
import { openMemoryStore } from "../../src/storage/memory/memory-store.ts";
import { type Workbench, workbenchOn } from "../../src/workbench/workbench.ts";
import { call, type Reply, send } from "../server/wire-support.ts";
import { type Fault, FaultyStore, type Plan, turns } from "../storage/faulty-store.ts";
import {
  addIndex,
  batchGet,
  batchWrite,
  count,
  createTable,
  deleteTable,
  describe,
  dropIndex,
  get,
  list,
  put,
  query,
  queryIndex,
  remove,
  type Step,
  scan,
  transact,
  transactGet,
} from "./steps.ts";

/** Every operation once. */
const requests: readonly Step[] = [
  createTable("Others"),
  list(),
  describe("Things"),
  put("Things", { pk: "b", g: "x" }),
  count("Things", { pk: "a" }),
  get("Things", { pk: "a" }),
  batchWrite("Things", [{ pk: "c" }]),
  batchGet("Things", [{ pk: "a" }, { pk: "c" }]),
  transact("Things", [{ pk: "d" }], [{ pk: "a" }], "token"),
  transactGet("Things", [{ pk: "a" }]),
  query("Things", "a"),
  scan("Things"),
  queryIndex("Things", "g", "x"),
  remove("Things", { pk: "b" }),
  dropIndex("Things", "g"),
  addIndex("Things", "h"),
  deleteTable("Others"),
];

let plan: Plan;
let store: FaultyStore;
let workbench: Workbench;
let http: HttpServer;
let port: number;
let logged: string[];

beforeEach(async () => {
  plan = () => undefined;
  store = new FaultyStore(openMemoryStore(), (made) => plan(made));
  workbench = await workbenchOn(store);
  logged = [];
  const protocol = new Protocol(workbench, {
    shared: true,
    toBytes: responseBytes,
    log: (text) => logged.push(text),
  });
  http = new HttpServer(protocol);
  port = await http.listen(0, "127.0.0.1");
  await ask(createTable("Things", { global: ["g"] }));
  await ask(put("Things", { pk: "a", g: "x" }));
});
afterEach(async () => {
  plan = () => undefined;
  await http.close();
  await workbench.close();
});

function ask({ operation, request }: Step): Promise<Reply> {
  return send(port, { headers: call(operation), body: JSON.stringify(request) });
}

const faults: readonly Fault[] = [{ do: "fail" }, { do: "fail", at: "once" }, { do: "lose" }];

test.for(faults)(
  "a failing store ($do $at) is an internal error of the service's shape",
  async (fault) => {
    for (const step of requests) {
      plan = () => fault;
      const reply = await ask(step);
      plan = () => undefined;
      await workbench.idle();
      expect([step.operation, reply.status]).toEqual([step.operation, 500]);
      const id = reply.headers["x-amzn-requestid"] as string;
      expect(id).toMatch(/^[A-Z0-9]{52}$/);
      const body = JSON.parse(reply.text) as Record<string, unknown>;
      expect(body.__type).toBe("com.amazonaws.dynamodb.v20120810#InternalServerError");
      expect(JSON.stringify(body)).not.toContain("InjectedFault");
      expect(logged.splice(0).join("")).toContain(
        `${step.operation} ${id} failed with InjectedFault`,
      );
      // The same again, with a store that works: done now, or found to have been done.
      const again = await ask(step);
      expect([step.operation, again.status < 500]).toEqual([step.operation, true]);
    }
    expect((await workbench.verify()).problems).toEqual([]);
  },
);

test("requests under way and on the same connection go on when one of them fails", async () => {
  plan = ({ kind, nth }) => (kind === "commit" && nth % 3 === 0 ? { do: "fail" } : undefined);
  const replies = await Promise.all(
    Array.from({ length: 30 }, (_, i) => ask(put("Things", { pk: `p${i}`, g: "y" }))),
  );
  plan = () => undefined;
  const failed = replies.filter(({ status }) => status === 500).length;
  expect(failed).toBe(10);
  expect(replies.filter(({ status }) => status === 200).length).toBe(20);
  const { text } = await ask(queryIndex("Things", "g", "y"));
  expect((JSON.parse(text) as { Count: number }).Count).toBe(20);
  expect((await workbench.verify()).problems).toEqual([]);
});

test("a store that is slow to answer one request keeps no other waiting", async () => {
  plan = () => ({ do: "hold" });
  const first = ask(put("Things", { pk: "slow" }));
  while (store.met.length === 0) await turns(1);
  plan = () => undefined;
  expect((await ask(put("Things", { pk: "fast" }))).status).toBe(200);
  expect((await ask(get("Things", { pk: "slow" }))).text).toBe("{}");
  store.release();
  expect((await first).status).toBe(200);
  expect((await ask(get("Things", { pk: "slow" }))).text).toContain("slow");
});
