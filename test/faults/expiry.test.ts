import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { plain } from "../../src/api/response-json.ts";
import { ManualClock } from "../../src/base/clock.ts";
import { allQueues } from "../../src/engine/layout.ts";
import { openMemoryStore } from "../../src/storage/memory/memory-store.ts";
import type { Store } from "../../src/storage/store.ts";
import { workbenchOn } from "../../src/workbench/workbench.ts";
import { type CallKind, type Fault, FaultyStore, turns } from "../storage/faulty-store.ts";
import { createTable, disableTtl, enableTtl, put, type Step } from "./steps.ts";

const caller = { account: "000000000000", region: "us-east-1" };
const hour = 3_600;

/** Nothing is waited for: rests and retries are over when a test says so. */
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

/** A workbench with a table of ten items that expire in an hour, whose store meets faults when told to. */
async function opened() {
  const next: { kind: CallKind; fault: Fault }[] = [];
  const inner = openMemoryStore();
  const looks = { count: 0, failing: 0 };
  const watched: Store = {
    ...bound(inner),
    scan: (range, options) => {
      if (range.start[0] === allQueues.start[0]) {
        looks.count += 1;
        if (looks.failing > 0) {
          looks.failing -= 1;
          throw new Error("the queue cannot be read");
        }
      }
      return inner.scan(range, options);
    },
  };
  const store = new FaultyStore(watched, ({ kind }) =>
    next[0]?.kind === kind ? next.shift()?.fault : undefined,
  );
  const clock = new ManualClock();
  const workbench = await workbenchOn(store, { clock });
  const ask = async ({ operation, request }: Pick<Step, "operation" | "request">) =>
    plain<Record<string, unknown>>(await workbench.execute(operation, request, caller));
  const soon = clock.now() / 1_000 + hour;
  await ask(createTable("Things"));
  await ask(enableTtl("Things", "e"));
  for (let i = 0; i < 10; i += 1) await ask(put("Things", { pk: `p${i}`, e: soon }));
  await workbench.idle();
  const left = async () => {
    const request = { TableName: "Things", Select: "COUNT", ConsistentRead: true };
    return (await ask({ operation: "Scan", request })).Count;
  };
  looks.count = 0;
  return { inner, store, workbench, clock, ask, next, looks, soon, left };
}

/** The methods of a store, to put others in their place. */
function bound(store: Store): Store {
  return {
    get: (keys) => store.get(keys),
    scan: (range, options) => store.scan(range, options),
    commit: (readKeys, decide, sharedKeys) => store.commit(readKeys, decide, sharedKeys),
    totals: (counter) => store.totals(counter),
    dropTotals: (counter) => store.dropTotals(counter),
    clear: (range) => store.clear(range),
    horizon: () => store.horizon(),
    close: () => store.close(),
  };
}

/** So much of the machine's time, with all that goes on in it. */
async function pass(milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 10) {
    await turns(3);
    await vi.advanceTimersByTimeAsync(10);
  }
  await turns(3);
}

test("what has expired is deleted without anybody asking", async () => {
  const { clock, left } = await opened();
  clock.advance(hour * 1_000);
  await pass(1_000);
  expect(await left()).toBe(10);
  clock.advance(1_000);
  await pass(1_000);
  expect(await left()).toBe(0);
});

test("nothing is searched for before its time", async () => {
  const { clock, looks } = await opened();
  for (let minute = 0; minute < 59; minute += 1) {
    clock.advance(60_000);
    await pass(20);
  }
  expect(looks.count).toBe(0);
});

test.each(["commit", "look at the queue"])("a %s that fails is tried again", async (kind) => {
  const { clock, left, next, looks, workbench } = await opened();
  if (kind === "commit") {
    for (let i = 0; i < 3; i += 1) next.push({ kind, fault: { do: "fail" } });
  } else looks.failing = 3;
  clock.advance(2 * hour * 1_000);
  await pass(2_500);
  expect(next.length + looks.failing).toBe(0);
  expect(await left()).toBe(10);
  await pass(1_500);
  expect(await left()).toBe(0);
  expect((await workbench.verify()).problems).toEqual([]);
});

test("a commit whose answer is lost is not counted twice, and loses nothing", async () => {
  const { clock, left, next, workbench } = await opened();
  next.push({ kind: "commit", fault: { do: "lose" } });
  clock.advance(2 * hour * 1_000);
  await pass(3_000);
  expect(await left()).toBe(0);
  expect(await workbench.verify()).toMatchObject({ items: 0, problems: [] });
});

test("a store that goes on failing is told to whoever waits, and taken up again later", async () => {
  const { clock, left, next, workbench } = await opened();
  for (let i = 0; i < 2; i += 1) next.push({ kind: "commit", fault: { do: "fail" } });
  clock.advance(2 * hour * 1_000);
  await expect(workbench.idle()).rejects.toThrow("commit");
  expect(next).toHaveLength(0);
  await workbench.idle();
  expect(await left()).toBe(0);
});

test("an item that was given more time while it was about to be deleted stays", async () => {
  const { inner, store, clock, left, next, soon } = await opened();
  const other = await workbenchOn(inner, { clock, ttlDelay: false });
  const ask = ({ operation, request }: Step) => other.execute(operation, request, caller);
  next.push({ kind: "commit", fault: { do: "hold" } });
  clock.advance((hour + 10) * 1_000);
  await pass(100);
  expect(next).toHaveLength(0);
  // The sweeper has read the queue and waits for its commit.
  await ask(put("Things", { pk: "p3", e: soon + 9 * hour }));
  await ask(put("Things", { pk: "p4" }));
  store.release();
  await pass(1_000);
  expect(await left()).toBe(2);
  clock.advance(10 * hour * 1_000);
  await pass(1_000);
  expect(await left()).toBe(1);
  expect((await other.verify()).problems).toEqual([]);
});

test("an item expires whose writing was carried out but not answered", async () => {
  const { ask, clock, left, next, soon } = await opened();
  next.push({ kind: "commit", fault: { do: "lose" } });
  await expect(ask(put("Things", { pk: "early", e: soon - hour / 2 }))).rejects.toThrow("commit");
  expect(await left()).toBe(11);
  clock.advance((hour / 2 + 10) * 1_000);
  await pass(1_000);
  expect(await left()).toBe(10);
});

test("disabled while items were about to be deleted, they stay", async () => {
  const { inner, store, clock, left, next } = await opened();
  const other = await workbenchOn(inner, { clock, ttlDelay: false });
  next.push({ kind: "commit", fault: { do: "hold" } });
  clock.advance((hour + 10) * 1_000);
  await pass(100);
  const { operation, request } = disableTtl("Things", "e");
  await other.execute(operation, request, caller);
  await other.idle();
  store.release();
  await pass(2_000);
  expect(await left()).toBe(10);
  expect((await other.verify()).problems).toEqual([]);
});

test("nothing is deleted while the store is verified", async () => {
  const { store, workbench, clock, left, next } = await opened();
  next.push({ kind: "totals", fault: { do: "hold" } });
  const verified = workbench.verify();
  await pass(50);
  // The items have been counted, and the count is about to be read.
  expect(next).toHaveLength(0);
  clock.advance(2 * hour * 1_000);
  await pass(1_000);
  store.release();
  expect(await verified).toMatchObject({ items: 10, problems: [] });
  await pass(1_000);
  expect(await left()).toBe(0);
});

test("closing waits for a delete that is under way, and no longer", async () => {
  const { inner, store, workbench, clock, next } = await opened();
  next.push({ kind: "commit", fault: { do: "hold" } });
  clock.advance(2 * hour * 1_000);
  await pass(100);
  let closed = false;
  const closing = workbench.close().then(() => {
    closed = true;
  });
  await turns(20);
  expect(closed).toBe(false);
  store.release();
  await closing;
  // Four of ten: the first piece is small.
  const after = await workbenchOn(inner, { clock, ttlDelay: false });
  expect(await after.verify()).toMatchObject({ items: 6, problems: [] });
});
