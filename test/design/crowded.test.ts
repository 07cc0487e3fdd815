import { expect, test } from "vitest";
import type { Model } from "../../src/model/model.ts";
import { parseModel } from "../../src/model/parse.ts";
import { heatOf, isOver } from "../../src/modeller/heat/heat.ts";
import { costModel } from "../../src/workbench/model-cost.ts";
import { designModel, isFailing } from "../../src/workbench/model-design.ts";

const now = Date.UTC(2026, 0, 15, 12);
const timeout = 120_000;

/** Those who need what was written last, in the order of something else than the key: a local index. */
const readings = (where: string, millions: number): string => `keywright: 1
name: readings
entities:
  Reading:
    id: [deviceId, takenAt]
    count: ${millions * 1_000_000}
    retention: 365d
    attributes:
      deviceId: { type: S, format: uuid, distinct: 100 }
      takenAt: { type: S, format: iso-time }
      value: { type: N, digits: 6 }
      raw: { type: S, bytes: 500, mutable: false }
      expiresAt: { type: N, format: epoch-seconds, mutable: false }
patterns:
  highest: { name: The highest, read: Reading, where: { ${where} }, order: { value: descending }, limit: 10, consistency: strong, rps: 5 }
  one: { name: One, read: Reading, where: { deviceId: equals, takenAt: equals }, rps: 5 }
  record: { name: Record, create: Reading, rps: { average: 60, peak: 300 } }
`;

async function designed(text: string) {
  const design = await designModel(text, "readings.yaml", { now });
  expect(design.refused).toEqual([]);
  expect(isFailing(design)).toBe(false);
  const { report } = costModel(design.text ?? "", "readings.yaml");
  expect(report?.total.average).toBeCloseTo(design.designed?.total ?? 0, 2);
  const { model } = parseModel(design.text ?? "", "readings.yaml");
  expect(isOver(heatOf(model as Model))).toBe(false);
  return design.designed?.design.tables.Readings;
}

test("less than 10 GB of a device: a local index", { timeout }, async () => {
  const table = await designed(readings("deviceId: equals", 1_300));
  expect(table?.key).toEqual({ deviceId: "S", takenAt: "S" });
  expect(table?.indexes).toMatchObject({ ReadingsByValue: { local: true } });
});

test("more than 10 GB of a device: a local index over shards", { timeout }, async () => {
  const table = await designed(readings("deviceId: equals", 2_000));
  expect(table?.entities?.Reading?.key).toEqual({
    deviceIdShard: "{deviceId}#{shard:2:takenAt}",
    takenAt: "{takenAt}",
  });
  expect(table?.indexes).toMatchObject({ ReadingsByValue: { local: true } });
});

test("more than 10 GB of a device, asked for between two moments: a key for each day", {
  timeout,
}, async () => {
  const text = readings("deviceId: equals, takenAt: between", 2_000);
  const table = await designed(text.replace("limit: 10,", "limit: 10, matches: 50_000,"));
  expect(table?.entities?.Reading?.key).toEqual({
    deviceIdTakenAtDay: "{deviceId}#{takenAt|day}",
    takenAt: "{takenAt}",
  });
  expect(table?.indexes).toMatchObject({ ReadingsByValue: { local: true } });
});

test("few between two moments are sorted by the caller", { timeout }, async () => {
  const text = readings("deviceId: equals, takenAt: between", 2_000);
  const table = await designed(text.replace("limit: 10,", "limit: 10, matches: 20,"));
  expect(table?.key).toEqual({ deviceId: "S", takenAt: "S" });
  expect(table?.indexes).toBeUndefined();
});
