import { expect, test } from "vitest";
import { plain } from "../../src/api/response-json.ts";
import { openMemoryStore } from "../../src/storage/memory/memory-store.ts";
import { type Workbench, workbenchOn } from "../../src/workbench/workbench.ts";
import { type Fault, FaultyStore, InjectedFault, turns } from "../storage/faulty-store.ts";
import { addIndex, createTable, deleteTable, get, put, type Step } from "./steps.ts";

const caller = { account: "000000000000", region: "us-east-1" };

/** A workbench whose store meets the given fault when it is told to. */
async function opened() {
  const next: { kind: string; fault: Fault }[] = [];
  const store = new FaultyStore(openMemoryStore(), ({ kind }) =>
    next[0]?.kind === kind ? next.shift()?.fault : undefined,
  );
  const workbench = await workbenchOn(store);
  const ask = async ({ operation, request }: Step) => workbench.execute(operation, request, caller);
  await ask(createTable("Things"));
  await ask(put("Things", { pk: "a", g: "x" }));
  return { store, workbench, ask, next };
}

async function indexStatus(workbench: Workbench): Promise<string> {
  const answer = await workbench.execute("DescribeTable", { TableName: "Things" }, caller);
  const { Table } = plain<{ Table: { GlobalSecondaryIndexes: [{ IndexStatus: string }] } }>(answer);
  return Table.GlobalSecondaryIndexes[0].IndexStatus;
}

test("a table whose deletion was carried out but not answered is no longer read", async () => {
  const { ask, next } = await opened();
  // The first commit takes an id for the job.
  next.push({ kind: "commit", fault: { do: "delay" } }, { kind: "commit", fault: { do: "lose" } });
  await expect(ask(deleteTable("Things"))).rejects.toThrow(InjectedFault);
  await expect(ask(get("Things", { pk: "a" }))).rejects.toThrow("resource not found");
});

test("an index whose making was carried out but not answered is built", async () => {
  const { workbench, ask, next } = await opened();
  next.push({ kind: "commit", fault: { do: "delay" } }, { kind: "commit", fault: { do: "lose" } });
  await expect(ask(addIndex("Things", "g"))).rejects.toThrow(InjectedFault);
  expect(await indexStatus(workbench)).toBe("CREATING");
  await turns(20);
  expect(await indexStatus(workbench)).toBe("ACTIVE");
});

test("the building of an index that failed goes on when somebody asks for the index", async () => {
  const { workbench, ask, next } = await opened();
  next.push({ kind: "scan", fault: { do: "fail" } });
  await ask(addIndex("Things", "g"));
  await turns(20);
  next.push({ kind: "scan", fault: { do: "fail" } });
  expect(await indexStatus(workbench)).toBe("CREATING");
  await turns(20);
  expect(await indexStatus(workbench)).toBe("CREATING");
  await turns(20);
  expect(await indexStatus(workbench)).toBe("ACTIVE");
  expect((await workbench.verify()).problems).toEqual([]);
});

test("a job that fails again and again is told, and taken up at the next chance", async () => {
  const { workbench, ask, next } = await opened();
  const fault: Fault = { do: "fail" };
  next.push({ kind: "scan", fault }, { kind: "scan", fault });
  await ask(addIndex("Things", "g"));
  await expect(workbench.idle()).rejects.toThrow(InjectedFault);
  await workbench.idle();
  expect(await indexStatus(workbench)).toBe("ACTIVE");
});

test("a look at a table that is answered after its deletion is not kept", async () => {
  const store = new FaultyStore(openMemoryStore(), () => undefined);
  const first = await workbenchOn(store);
  const run = async (workbench: Workbench, { operation, request }: Step) =>
    workbench.execute(operation, request, caller);
  await run(first, createTable("Things"));
  await run(first, put("Things", { pk: "a" }));
  // The next process knows no table yet: it looks, and the answer is slow.
  const slow = new FaultyStore(store, ({ kind, nth }) =>
    kind === "get" && nth === 1 ? { do: "delay", after: 30 } : undefined,
  );
  const second = await workbenchOn(slow);
  const look = run(second, get("Things", { pk: "a" }));
  await run(second, deleteTable("Things"));
  await look.catch(() => {});
  await expect(run(second, get("Things", { pk: "a" }))).rejects.toThrow("resource not found");
});
