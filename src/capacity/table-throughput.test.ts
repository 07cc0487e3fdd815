import fc from "fast-check";
import { expect, test } from "vitest";
import { hashSpace, noSort, type Position } from "../partitions/position.ts";
import { type Charge, TableThroughput } from "./table-throughput.ts";
import type { Direction, ThroughputSettings } from "./throughput.ts";

const onDemand: ThroughputSettings = { mode: "on-demand" };
const key = (share: number): Position => ({ hash: Math.floor(hashSpace * share), sort: noSort });
const charge = (units: number, share = 0, index?: string): Charge => ({
  index,
  position: key(share),
  units,
});

/** Milliseconds to wait, where to, and how many units. */
const requests = fc.array(
  fc.tuple(
    fc.oneof(fc.nat(2), fc.nat(400), fc.constant(60_000)),
    fc.array(fc.tuple(fc.constantFrom(0, 0.1, 0.6), fc.integer({ min: 1, max: 700 })), {
      minLength: 1,
      maxLength: 3,
    }),
  ),
  { maxLength: 120 },
);
const provisioned: ThroughputSettings = {
  mode: "provisioned",
  provisioned: { read: 20_000, write: 20_000 },
};
const settings = fc.constantFrom<ThroughputSettings[]>(onDemand, provisioned);

test.each([
  ["write", 1_000],
  ["read", 3_000],
] as const)(
  "in no second does a key %s more than %i units, not even at first",
  (direction, max) => {
    fc.assert(
      fc.property(requests, settings, fc.constantFrom(1, 3), (list, own, factor) => {
        const table = new TableThroughput({ settings: own, now: 0 });
        const taken: { at: number; share: number; units: number }[] = [];
        let now = 0;
        for (const [gap, places] of list) {
          now += gap;
          const charges = places.map(([share, units]) => charge((units * factor) / 3, share));
          // A single request beyond the ceiling is let through where nothing else was used.
          const sums = new Map<number, number>();
          for (const { position, units } of charges) {
            sums.set(position.hash, (sums.get(position.hash) ?? 0) + units);
          }
          if ([...sums.values()].some((sum) => sum > max)) continue;
          if (table.admit(direction, charges, now) !== undefined) continue;
          for (const [share, units] of places) {
            taken.push({ at: now, share, units: (units * factor) / 3 });
          }
        }
        for (const { at, share } of taken) {
          const second = taken.filter(
            (other) => other.share === share && other.at >= at && other.at < at + 1_000,
          );
          const sum = second.reduce((total, { units }) => total + units, 0);
          expect(sum).toBeLessThanOrEqual(max + 0.01);
        }
      }),
    );
  },
);

test("a request with several places takes all or none", () => {
  const index = { mode: "provisioned", provisioned: { read: 1, write: 10 } } as const;
  const table = new TableThroughput({ settings: onDemand, indexes: { byDate: index }, now: 0 });
  expect(table.admit("write", [charge(5), charge(5, 0, "byDate")], 0)).toBe(undefined);
  const refused = [charge(6), charge(6, 0, "byDate")];
  expect(table.admit("write", refused, 0)).toEqual({
    index: "byDate",
    direction: "write",
    limit: "ProvisionedThroughputExceeded",
  });
  const [own, byDate] = table.report(0).resources;
  expect([own?.write.units, byDate?.write.units]).toEqual([5, 5]);
  expect(byDate?.write.throttledBy).toEqual({ ProvisionedThroughputExceeded: 1 });
  expect(byDate?.write.throttledUnits).toBe(6);
});

test("places that share a partition are judged together", () => {
  const table = new TableThroughput({ settings: onDemand, now: 0 });
  table.admit("write", [charge(1)], 0);
  const many = Array.from({ length: 100 }, () => charge(10));
  expect(table.admit("write", many, 0)?.limit).toBe("KeyRangeThroughputExceeded");
  expect(table.admit("write", many.slice(1), 0)).toBe(undefined);
  expect(table.report(0).resources[0]?.write.units).toBe(991);
});

test("verdicts can be held together, and let go", () => {
  const table = new TableThroughput({ settings: onDemand, now: 0 });
  table.admit("write", [charge(1)], 0);
  const held = [600, 600, 300].map((units) => table.refusal("write", [charge(units)], 0, true));
  expect(held.map((one) => one?.limit)).toEqual([
    undefined,
    "KeyRangeThroughputExceeded",
    undefined,
  ]);
  table.letGo("write");
  expect(table.refusal("write", [charge(999)], 0)).toBe(undefined);
  expect(table.admit("write", [charge(999)], 0)).toBe(undefined);
});

test("what is held counts for the quota of the table, too", () => {
  const warm = { read: 1, write: 200_000 };
  const table = new TableThroughput({ settings: { mode: "on-demand", warm }, now: 0 });
  table.admit("write", [charge(1)], 0);
  const verdicts = Array.from({ length: 50 }, (_, i) =>
    table.refusal("write", [charge(900, (i + 0.5) / 50)], 0, true),
  );
  const refused = verdicts.flatMap((one) => one?.limit ?? []);
  expect(refused).toEqual(new Array(6).fill("AccountLimitExceeded"));
  table.letGo("write");
  expect(table.refusal("write", [charge(900, 0.99)], 0)).toBe(undefined);
});

test("a request larger than the ceiling passes where nothing was used, and holds up the next", () => {
  const table = new TableThroughput({ settings: onDemand, now: 0 });
  expect(table.admit("write", [charge(1_500)], 0)).toBe(undefined);
  expect(table.admit("write", [charge(1)], 999)?.limit).toBe("KeyRangeThroughputExceeded");
  expect(table.admit("write", [charge(1)], 1_000)).toBe(undefined);
});

test("a split does not give a key a second ceiling", () => {
  const table = new TableThroughput({ settings: onDemand, now: 0 });
  expect(table.admit("write", [charge(1_000)], 500)).toBe(undefined);
  const warm = { read: 12_000, write: 40_000 };
  table.table.change({ mode: "on-demand", warm }, 600, "settings");
  expect(table.table.partitions.all.length).toBe(40);
  expect(table.admit("write", [charge(1)], 700)?.limit).toBe("KeyRangeThroughputExceeded");
  expect(table.admit("write", [charge(1)], 1_500)).toBe(undefined);
});

test("an index that is gone is not charged, and one that comes later is", () => {
  const table = new TableThroughput({ settings: onDemand, now: 0 });
  expect(table.admit("write", [charge(1), charge(5_000, 0, "later")], 0)).toBe(undefined);
  table.addIndex("later", { mode: "on-demand", maximum: { write: 2 } }, 0);
  expect(table.admit("write", [charge(1), charge(2, 0, "later")], 0)).toBe(undefined);
  expect(table.admit("write", [charge(1), charge(1, 0, "later")], 0)?.index).toBe("later");
  table.removeIndex("later");
  expect(table.admit("write", [charge(1), charge(1, 0, "later")], 0)).toBe(undefined);
});

test("limits can be scaled", () => {
  const table = new TableThroughput({ settings: onDemand, scale: 0.01, now: 0 });
  const admitted = Array.from({ length: 20 }, () => table.admit("write", [charge(1)], 0));
  expect(admitted.filter((one) => one === undefined).length).toBe(10);
});

test("modes can be changed: what was ever provisioned is kept", () => {
  const table = new TableThroughput({
    settings: { mode: "provisioned", provisioned: { read: 10, write: 9_000 } },
    now: 0,
  });
  table.table.change({ mode: "provisioned", provisioned: { read: 10, write: 5 } }, 1, "settings");
  expect(table.table.available).toEqual({ read: 10, write: 5 });
  table.table.change(onDemand, 2, "settings");
  expect(table.table.available).toEqual({ read: 12_000, write: 9_000 });
  expect(table.admit("write", [charge(500)], 3)).toBe(undefined);
  const scales = table.report(3).events.filter(({ kind }) => kind === "scale");
  expect(scales.map((one) => "to" in one && [one.direction, one.from, one.to, one.why])).toEqual([
    ["write", 9_000, 5, "settings"],
    ["read", 10, 12_000, "settings"],
    ["write", 5, 9_000, "settings"],
  ]);
});

test("a report names ranges, keys, parents and what was borrowed", () => {
  const table = new TableThroughput({
    settings: { mode: "provisioned", provisioned: { read: 9_000, write: 1_000 } },
    now: 0,
  });
  const [busy, quiet] = [key(0.3), key(0.9)];
  const direction: Direction = "write";
  for (let i = 0; i < 1_500; i += 1) {
    table.admit(direction, [{ index: undefined, position: i % 10 ? busy : quiet, units: 1 }], i);
  }
  const { resources, events } = table.report(1_500, ({ hash }) =>
    hash === busy.hash ? "busy" : undefined,
  );
  const partitions = resources[0]?.partitions ?? [];
  expect(partitions.map(({ fromPercent, toPercent }) => toPercent - fromPercent)).toEqual(
    partitions.map(() => expect.closeTo(25, 5)),
  );
  const hot = partitions.find(({ write }) => write.units > 1_000);
  expect(hot?.keys).toEqual([{ key: "busy", percent: 100 }]);
  expect(hot?.write.borrowedUnits).toBeGreaterThan(0);
  const other = partitions.find(({ write }) => write.units === 150);
  expect(other?.keys[0]?.key).toMatch(/^hash e66/);
  expect(other?.write.borrowedUnits).toBe(0);
  expect(events.map(({ kind }) => kind)).toEqual(["borrow"]);
});

test("a report sums what split partitions did, and knows them still", () => {
  const table = new TableThroughput({ settings: onDemand, now: 0 });
  table.admit("write", [charge(700)], 0);
  table.table.change({ mode: "on-demand", warm: { read: 1, write: 8_000 } }, 10, "settings");
  table.admit("write", [charge(100)], 20);
  const report = table.report(20).resources[0];
  expect(report?.write.units).toBe(800);
  const split = report?.partitions.find(({ until }) => until !== undefined);
  expect(split).toMatchObject({ id: 0, parent: undefined, since: 0, until: 10 });
  expect(split?.write.units).toBe(700);
  const children = report?.partitions.filter(({ parent }) => parent === 0);
  expect(children?.length).toBe(2);
  expect(children?.every(({ since }) => since === 10)).toBe(true);
});
