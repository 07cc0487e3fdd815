import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { alarm, ManualClock, systemClock } from "./clock.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("an alarm rings once, when its time has come", () => {
  const ring = vi.fn();
  alarm(systemClock, Date.now() + 5_000, ring);
  vi.advanceTimersByTime(4_999);
  expect(ring).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(ring).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(100_000);
  expect(ring).toHaveBeenCalledOnce();
});

test("an alarm in the past rings soon, not at once", () => {
  const ring = vi.fn();
  alarm(systemClock, Date.now() - 1, ring);
  expect(ring).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(ring).toHaveBeenCalledOnce();
});

test("a distant alarm rings in its time, although the time is looked at before", () => {
  const ring = vi.fn();
  const hours = 5 * 3_600_000;
  alarm(systemClock, Date.now() + hours, ring);
  vi.advanceTimersByTime(hours - 1);
  expect(ring).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(ring).toHaveBeenCalledOnce();
});

test("a clock that is set forward rings within a minute", () => {
  let now = 0;
  const ring = vi.fn();
  alarm({ now: () => now }, 3_600_000, ring);
  now = 3_600_000;
  vi.advanceTimersByTime(60_000);
  expect(ring).toHaveBeenCalledOnce();
});

test("an alarm that was called off is silent", () => {
  const ring = vi.fn();
  const clock = new ManualClock();
  alarm(systemClock, Date.now() + 5_000, ring)();
  alarm(clock, clock.now() + 5_000, ring)();
  vi.advanceTimersByTime(10_000);
  clock.advance(10_000);
  expect(ring).not.toHaveBeenCalled();
});

test("a clock that a test moves rings as it is moved, the earliest first", () => {
  const clock = new ManualClock();
  const rung: string[] = [];
  alarm(clock, clock.now() + 2_000, () => rung.push("late"));
  alarm(clock, clock.now() + 1_000, () => rung.push("early"));
  alarm(clock, clock.now() + 9_000, () => rung.push("never"));
  clock.advance(999);
  expect(rung).toEqual([]);
  clock.advance(1_001);
  expect(rung).toEqual(["early", "late"]);
});

test("on such a clock, too, an alarm in the past rings soon", async () => {
  const clock = new ManualClock();
  const ring = vi.fn();
  alarm(clock, clock.now(), ring);
  expect(ring).not.toHaveBeenCalled();
  await Promise.resolve();
  expect(ring).toHaveBeenCalledOnce();
});
