import fc from "fast-check";
import { expect, test } from "vitest";
import { noSort } from "../partitions/position.ts";
import { AutoScaling } from "./auto-scaling.ts";
import { burstSeconds, Credit } from "./credit.ts";
import { DecreaseBudget } from "./decrease-budget.ts";
import { ResourceScaling } from "./resource-scaling.ts";
import { SlidingSecond } from "./sliding-second.ts";
import { TableThroughput } from "./table-throughput.ts";
import { Timeline } from "./timeline.ts";

const minute = 60_000;
const hour = 60 * minute;

/** Gaps in milliseconds, and units. */
const steps = fc.array(
  fc.tuple(
    fc.oneof(fc.nat(3), fc.nat(1_500)),
    fc.integer({ min: 1, max: 40 }).map((n) => n / 2),
  ),
  { maxLength: 200 },
);

test("a sliding second agrees with a list of all that happened", () => {
  fc.assert(
    fc.property(steps, (list) => {
      const second = new SlidingSecond();
      const all: { at: number; units: number }[] = [];
      let now = 1_700_000_000_000;
      for (const [gap, units] of list) {
        now += gap;
        second.add(units, now);
        all.push({ at: now, units });
        const within = all.filter(({ at }) => at > now - 1_000);
        expect(second.used(now)).toBe(within.reduce((sum, one) => sum + one.units, 0));
      }
      expect(second.used(now + 1_000)).toBe(0);
    }),
  );
});

test("a copy of a sliding second goes on by itself", () => {
  const [one, other] = [new SlidingSecond(), new SlidingSecond()];
  one.add(5, 10_000);
  one.add(7, 10_400);
  other.copyFrom(one);
  one.add(1, 10_500);
  expect(other.used(10_999)).toBe(12);
  expect(other.used(11_000)).toBe(7);
  expect(one.used(11_399)).toBe(8);
});

test("a credit saves five minutes and no more, and brings its rate", () => {
  const credit = new Credit(100, 0);
  expect(credit.level(0)).toBe(100);
  expect(credit.level(10_000)).toBe(1_100);
  expect(credit.level(hour)).toBe(100 * burstSeconds);
  credit.take(30_000, hour);
  expect(credit.level(hour)).toBe(0);
  expect(credit.level(hour + 500)).toBe(50);
  credit.take(80, hour + 500);
  expect(credit.level(hour + 500)).toBe(-30);
});

test("whatever is taken while there is credit, the rate and the savings bound it", () => {
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 50 }), (list, rate) => {
      const credit = new Credit(rate, 0);
      let now = 0;
      let taken = 0;
      for (const [gap, units] of list) {
        now += gap;
        if (credit.level(now) < units) continue;
        credit.take(units, now);
        taken += units;
      }
      expect(taken).toBeLessThanOrEqual(rate + (rate * now) / 1_000 + 1e-6);
    }),
  );
});

test("a new rate keeps what was saved, as far as it may save", () => {
  const credit = new Credit(10, 0);
  expect(credit.level(100_000)).toBe(1_010);
  credit.setRate(30, 100_000);
  expect(credit.level(100_000)).toBe(1_030);
  credit.setRate(1, 100_000);
  expect(credit.level(100_000)).toBe(300);
});

test("four decreases at once, then one for each hour without any, 27 in a day", () => {
  const budget = new DecreaseBudget();
  const day = 24 * hour * 20_000;
  const spend = (now: number): boolean => {
    const allowed = budget.allows(now);
    if (allowed) budget.spend(now);
    return allowed;
  };
  expect([0, 1, 2, 3, 4].map((i) => spend(day + i * minute))).toEqual([
    true,
    true,
    true,
    true,
    false,
  ]);
  expect(spend(day + 3 * minute + hour - 1)).toBe(false);
  expect(spend(day + 3 * minute + hour)).toBe(true);
  for (let now = day + 2 * hour; now < day + 24 * hour; now += minute) spend(now);
  expect(budget.today(day + 24 * hour - 1)).toBeLessThanOrEqual(27);
  expect(budget.today(day + 24 * hour)).toBe(0);
  expect(spend(day + 24 * hour)).toBe(true);
});

test("27 decreases in a day are possible and the 28th is not", () => {
  const budget = new DecreaseBudget();
  let spent = 0;
  for (let now = 0; now < 24 * hour; now += 1_000) {
    if (!budget.allows(now)) continue;
    budget.spend(now);
    spent += 1;
  }
  expect(spent).toBe(27);
});

const policy = { min: 5, max: 1_000, targetPercent: 70 };

/** Minutes of the same consumption; answers the minutes at which throughput changed, and to what. */
function run(consumed: number, minutes: number, start: number): (readonly [number, number])[] {
  const scaling = new AutoScaling(policy, new DecreaseBudget());
  const changes: (readonly [number, number])[] = [];
  let provisioned = start;
  for (let i = 1; i <= minutes; i += 1) {
    const due = scaling.due(provisioned, i * minute);
    if (due !== undefined) {
      provisioned = due;
      changes.push([i, due]);
    }
    scaling.minute(consumed, provisioned, i * minute);
  }
  return changes;
}

test("auto scaling looks for two minutes, and a minute later there is more", () => {
  expect(run(100, 30, 100)).toEqual([[3, 143]]);
  expect(run(70, 30, 100)).toEqual([]);
});

test("it scales down after a quarter of an hour, 20 points below the target", () => {
  expect(run(50, 40, 100)).toEqual([[16, 72]]);
  expect(run(50.1, 40, 100)).toEqual([]);
});

test("it stays within its bounds, and a table without traffic stays as it is", () => {
  expect(run(5_000, 10, 100)).toEqual([[3, 1_000]]);
  expect(run(1, 40, 100)).toEqual([[16, 5]]);
  expect(run(0, 100, 100)).toEqual([]);
});

test("reads and writes share the budget for decreases; each goes its own way up", () => {
  const scaling = new ResourceScaling({ read: policy, write: { ...policy, min: 10 } });
  expect(scaling.within({ read: 1, write: 1 })).toEqual({ read: 5, write: 10 });
  expect(scaling.within({ read: 9_999, write: 50 })).toEqual({ read: 1_000, write: 50 });
  let provisioned = { read: 100, write: 100 };
  for (let i = 1; i <= 3; i += 1) {
    const next = scaling.minute({ read: 100, write: 60 }, provisioned, i * minute);
    if (next !== undefined) provisioned = { ...next };
  }
  expect(provisioned).toEqual({ read: 143, write: 100 });
  for (let i = 0; i < 4; i += 1) scaling.budget.spend(4 * minute);
  for (let i = 4; i < 40; i += 1) {
    const next = scaling.minute({ read: 10, write: 10 }, provisioned, i * minute);
    if (next !== undefined) provisioned = { ...next };
  }
  expect(provisioned).toEqual({ read: 143, write: 100 });
});

test("a decrease that lost its place in the budget does not happen", () => {
  const budget = new DecreaseBudget();
  const scaling = new AutoScaling(policy, budget);
  for (let i = 1; i <= 15; i += 1) scaling.minute(10, 100, i * minute);
  for (let i = 0; i < 4; i += 1) budget.spend(15 * minute);
  expect(scaling.due(100, 16 * minute)).toBe(undefined);
});

test("rare events stay when frequent ones are dropped", () => {
  const timeline = new Timeline();
  timeline.add({ at: 1, index: undefined, kind: "not split", partition: 0, why: "one item" });
  for (let at = 2; at < 50_000; at += 1) {
    timeline.add({ at, index: undefined, kind: "borrow", partition: 0, direction: "read" });
  }
  const { events, dropped } = timeline;
  expect(events[0]?.kind).toBe("not split");
  expect(events.length + dropped).toBe(49_999);
  expect(events.length).toBeLessThan(20_002);
});

test("refusals are told when they begin, and again after a minute without any", () => {
  const table = new TableThroughput({ settings: { mode: "on-demand" }, now: 0 });
  const position = { hash: 5, sort: noSort };
  const told = (from: number, to: number): number => {
    for (let at = from; at < to; at += 10_000) {
      for (let i = 0; i < 3; i += 1) {
        table.admit("write", [{ index: undefined, position, units: 600 }], at + i);
      }
    }
    return table.timeline.events.filter(({ kind }) => kind === "throttle").length;
  };
  expect(told(0, 3 * minute)).toBe(1);
  expect(told(5 * minute, 6 * minute)).toBe(2);
});
