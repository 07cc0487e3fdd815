import { expect, test } from "vitest";
import { ManualClock } from "../base/clock.ts";
import { Signal } from "./signal.ts";

/** Whether a promise is resolved, after all that is due now has happened. */
async function isOver(promise: Promise<void>): Promise<boolean> {
  let over = false;
  void promise.then(() => {
    over = true;
  });
  await new Promise((next) => setImmediate(next));
  return over;
}

test("wakes whoever waits, once", async () => {
  const signal = new Signal(new ManualClock());
  const waiting = signal.wait();
  expect(await isOver(waiting)).toBe(false);
  signal.notify();
  expect(await isOver(waiting)).toBe(true);
  expect(await isOver(signal.wait())).toBe(false);
});

test("does not lose what happens while nobody waits", async () => {
  const signal = new Signal(new ManualClock());
  signal.notify();
  signal.notify();
  expect(await isOver(signal.wait())).toBe(true);
  expect(await isOver(signal.wait())).toBe(false);
});

test("wakes when it is time", async () => {
  const clock = new ManualClock();
  const signal = new Signal(clock);
  const waiting = signal.wait(clock.now() + 1_000);
  clock.advance(999);
  expect(await isOver(waiting)).toBe(false);
  clock.advance(1);
  expect(await isOver(waiting)).toBe(true);
  // An alarm that was called off does not wake the next one.
  const second = signal.wait(clock.now() + 1_000);
  signal.notify();
  expect(await isOver(second)).toBe(true);
  const third = signal.wait(clock.now() + 5_000);
  clock.advance(1_000);
  expect(await isOver(third)).toBe(false);
  signal.notify();
  expect(await isOver(third)).toBe(true);
});
