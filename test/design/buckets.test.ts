import { expect, test } from "vitest";
import type { Model } from "../../src/model/model.ts";
import { parseModel } from "../../src/model/parse.ts";
import { heatOf, isOver } from "../../src/modeller/heat/heat.ts";
import { costModel } from "../../src/workbench/model-cost.ts";
import { designModel, isFailing } from "../../src/workbench/model-design.ts";

const now = Date.UTC(2026, 0, 15, 12);
const timeout = 120_000;

const rides = (list: string, peak = 50): string => `keywright: 1
name: rides
entities:
  Ride:
    id: [rideId]
    count: 50_000_000
    retention: 365d
    attributes:
      rideId: { type: S, format: ulid }
      startedAt: { type: S, format: iso-time, mutable: false }
      fare: { type: N, digits: 5, mutable: false }
      note: { type: S, bytes: 200, mutable: false }
      expiresAt: { type: N, format: epoch-seconds, mutable: false }
patterns:
  list: { name: List, read: Ride, where: { startedAt: between }, ${list} }
  ride: { name: A ride, read: Ride, where: { rideId: equals }, rps: 20 }
  begin: { name: Begin, create: Ride, condition: absent, rps: { average: 2, peak: ${peak} } }
`;

async function designed(text: string) {
  const design = await designModel(text, "rides.yaml", { now });
  expect(design.refused).toEqual([]);
  expect(isFailing(design)).toBe(false);
  const { report } = costModel(design.text ?? "", "rides.yaml");
  expect(report?.total.average).toBeCloseTo(design.designed?.total ?? 0, 2);
  const { model } = parseModel(design.text ?? "", "rides.yaml");
  expect(isOver(heatOf(model as Model))).toBe(false);
  const { tables = {}, decisions = [] } = design.designed?.design ?? {};
  const decision = decisions.find(({ about }) => about.includes(".indexes."));
  return { indexes: tables.Rides?.indexes ?? {}, decision, text: design.text ?? "" };
}

const dearest = (matches: number): string =>
  `order: { fare: descending }, limit: 10, matches: ${matches}, rps: { average: 1, peak: 10 }`;

test("the first of some days in another order: a key for each day", { timeout }, async () => {
  const { indexes, decision } = await designed(rides(dearest(300_000)));
  expect(indexes).toMatchObject({
    RidesOfDayByFare: {
      key: { partition: "startedAtDay", sort: "fare" },
      sets: { Ride: { startedAtDay: "{startedAt|day}" } },
    },
  });
  const whole = decision?.rejected?.find(({ what }) => what.includes("without keys for parts"));
  expect(whole?.what).toContain("Ride of all sorted by fare");
  expect(whole?.perMonth).toBeGreaterThan(5);
});

test("of few between two moments the caller sorts all", { timeout }, async () => {
  const { indexes } = await designed(rides(dearest(30)));
  expect(JSON.stringify(indexes)).not.toContain("startedAt|");
  expect(indexes).toMatchObject({ AllRidesByStartedAt: { key: { sort: "startedAt" } } });
});

const around = (peak: number, hottest: number): string =>
  `order: { startedAt: ascending }, limit: 20, matches: 500, rps: { average: 100, peak: ${peak} }, skew: { key: startedAt, hottest: ${hottest} }`;

test("more readers than one key takes, each at another time: a key for each hour", {
  timeout,
}, async () => {
  const { indexes } = await designed(rides(around(20_000, 0.01)));
  expect(indexes).toMatchObject({
    RidesOfHourByStartedAt: {
      key: { partition: "startedAtHour", sort: "startedAt" },
      sets: { Ride: { startedAtHour: "{startedAt|hour}" } },
    },
  });
  // As many as one key takes are read from one.
  const few = await designed(rides(around(2_000, 0.01)));
  expect(Object.keys(few.indexes)).toEqual(["AllRidesByStartedAt"]);
});

test("readers who all want the same hour are not spread by hours", { timeout }, async () => {
  const { indexes } = await designed(rides(around(20_000, 1)));
  expect(JSON.stringify(indexes)).not.toContain("{startedAt|hour}");
});

test("what is written now goes under one key, so that many writers need shards besides", {
  timeout,
}, async () => {
  const { indexes } = await designed(rides(dearest(300_000), 3_500));
  // Every day is asked in all shards, so that months are cheaper then.
  expect(indexes).toMatchObject({
    RidesOfMonthByFare: {
      key: { partition: ["startedAtMonth", "startedAtMonthShard"], sort: "fare" },
      sets: {
        Ride: { startedAtMonth: "{startedAt|month}", startedAtMonthShard: "{shard:4:rideId}" },
      },
    },
  });
});
