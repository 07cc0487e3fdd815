import { expect, test } from "vitest";
import { ManualClock } from "../base/clock.ts";
import { openMemoryStore } from "../storage/memory/memory-store.ts";
import { Database } from "./database.ts";
import { QuietTimes } from "./quiet-times.ts";

const minute = 60_000;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function countingStore() {
  const told = { count: 0 };
  const stepDone = (): void => {
    told.count += 1;
  };
  return { store: Object.assign(openMemoryStore(), { stepDone }), told };
}

test("a minute with hardly anything to do lets the store forget, others do not", async () => {
  const { store, told } = countingStore();
  const clock = new ManualClock();
  let share = 0.04;
  const times = new QuietTimes(store, clock, () => share);
  times.start();
  clock.advance(minute - 1);
  await turn();
  expect(told.count).toBe(0);
  clock.advance(1);
  await turn();
  expect(told.count).toBe(1);
  share = 0.06;
  clock.advance(minute);
  await turn();
  expect(told.count).toBe(1);
  share = 0;
  clock.advance(minute);
  await turn();
  expect(told.count).toBe(2);
  await times.stop();
  clock.advance(10 * minute);
  await turn();
  expect(told.count).toBe(2);
});

test("a database looks out for quiet times until it is closed", async () => {
  const { store, told } = countingStore();
  const clock = new ManualClock();
  const database = await Database.open(store, { clock, share: () => 0 });
  clock.advance(minute);
  await turn();
  expect(told.count).toBe(1);
  await database.close();
  clock.advance(minute);
  await turn();
  expect(told.count).toBe(1);
});
