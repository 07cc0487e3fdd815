import { expect, test } from "vitest";
import { AutoScaling, type ScalingPolicy } from "./auto-scaling.ts";
import { DecreaseBudget } from "./decrease-budget.ts";

const minuteMs = 60_000;

/** What is provisioned, minute by minute, while so much is consumed. */
function provisioned(policy: Partial<ScalingPolicy>, consumed: readonly number[]): number[] {
  const full = { min: 1, max: 1_000, targetPercent: 50, ...policy };
  const scaling = new AutoScaling(full, new DecreaseBudget());
  let units = 100;
  return consumed.map((used, minute) => {
    const now = minute * minuteMs;
    units = scaling.due(units, now) ?? units;
    scaling.minute(used, units, now);
    return units;
  });
}

const minutes = (count: number, used: number): number[] => Array(count).fill(used);
const busy = minutes(6, 80);
const quiet = minutes(20, 10);

test("it follows what is used, both ways", () => {
  expect(provisioned({}, busy).at(-1)).toBe(160);
  expect(provisioned({}, quiet).at(-1)).toBe(20);
});

test("it may go one way only", () => {
  expect(provisioned({ only: "up" }, busy).at(-1)).toBe(160);
  expect(provisioned({ only: "up" }, quiet).at(-1)).toBe(100);
  expect(provisioned({ only: "down" }, busy).at(-1)).toBe(100);
  expect(provisioned({ only: "down" }, quiet).at(-1)).toBe(20);
});

test("after a step the next one the same way waits", () => {
  const rising = [...minutes(6, 80), ...minutes(4, 120)];
  const without = provisioned({}, rising);
  const waiting = provisioned({ cooldownMs: { up: 60 * minuteMs, down: 0 } }, rising);
  expect(without.at(-1)).toBe(240);
  expect(waiting.at(-1)).toBe(160);
  const falling = [...minutes(20, 30), ...minutes(20, 5)];
  expect(provisioned({}, falling).at(-1)).toBe(10);
  expect(provisioned({ cooldownMs: { up: 0, down: 60 * minuteMs } }, falling).at(-1)).toBe(60);
  // Down is no reason to wait before it goes up again.
  const back = [...minutes(20, 30), ...minutes(6, 80)];
  expect(provisioned({ cooldownMs: { up: 0, down: 60 * minuteMs } }, back).at(-1)).toBe(160);
});
