import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Pace } from "./pace.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const options = { restPerWork: 3, restMsMin: 5, restMsMax: 5_000 };

/** Work of so many milliseconds; tells when its rest is over. */
function worked(pace: Pace, milliseconds: number): { done: boolean } {
  const state = { done: false };
  const work = () => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
  void pace.work(work).then(() => {
    state.done = true;
  });
  return state;
}

test("rests are as many times as long as the work", async () => {
  const state = worked(new Pace(options), 100);
  await vi.advanceTimersByTimeAsync(399);
  expect(state.done).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(state.done).toBe(true);
});

test("however short the work, there is a rest", async () => {
  const state = worked(new Pace(options), 0);
  await vi.advanceTimersByTimeAsync(4);
  expect(state.done).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(state.done).toBe(true);
});

test("however long the work, the rest has an end", async () => {
  const state = worked(new Pace(options), 100_000);
  await vi.advanceTimersByTimeAsync(104_999);
  expect(state.done).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(state.done).toBe(true);
});

test("whoever is in a hurry waits for no rest, not even one that has begun", async () => {
  const pace = new Pace(options);
  const first = worked(pace, 1_000);
  await vi.advanceTimersByTimeAsync(1_001);
  expect(first.done).toBe(false);
  let finish: () => void = () => {};
  const waiting = pace.hurry(
    () =>
      new Promise<void>((resolve) => {
        finish = resolve;
      }),
  );
  await vi.advanceTimersByTimeAsync(0);
  expect(first.done).toBe(true);
  const second = worked(pace, 1_000);
  await vi.advanceTimersByTimeAsync(1_001);
  expect(second.done).toBe(true);
  finish();
  await waiting;
  const third = worked(pace, 1_000);
  await vi.advanceTimersByTimeAsync(1_010);
  expect(third.done).toBe(false);
});

test("a failure of the work is the worker's", async () => {
  await expect(new Pace(options).work(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
});
