import { expect, test } from "vitest";
import { costModel } from "../../src/workbench/model-cost.ts";
import { designModel, isFailing } from "../../src/workbench/model-design.ts";

const now = Date.UTC(2026, 0, 15, 12);
const timeout = 120_000;

interface Asked {
  readonly record?: number;
  readonly latest?: number;
  /** How often somebody asks for a kind of all times. */
  readonly kinds?: number;
  readonly retention?: string;
  readonly expiry?: string;
}

/** Peaks are far above the average, so that nobody wants capacity. */
const readings = ({
  record = 100,
  latest = 60,
  kinds = 0.01,
  retention = "365d",
  expiry = "",
}: Asked): string => `keywright: 1
name: readings
entities:
  Reading:
    id: [deviceId, takenAt]
    count: 300_000_000
    retention: ${retention}
    attributes:
      deviceId: { type: S, format: uuid, distinct: 10_000 }
      takenAt: { type: S, format: iso-time }
      kind: { type: S, bytes: 8, distinct: 3_000, mutable: false }
      value: { type: N, digits: 5, mutable: false }
      ${expiry}
patterns:
  record: { name: Record, create: Reading, rps: { average: ${record}, peak: ${100 * record} } }
  latest: { name: The newest, read: Reading, where: { deviceId: equals }, order: { takenAt: descending }, limit: 10, rps: { average: ${latest}, peak: ${100 * latest} } }
  span: { name: A day, read: Reading, where: { deviceId: equals, takenAt: between }, order: { takenAt: ascending }, limit: all, matches: 80, rps: { average: 4, peak: 400 } }
  kind: { name: Some of a kind, read: Reading, where: { kind: equals }, limit: 20, rps: { average: ${kinds}, peak: ${100 * kinds} } }
`;

async function designed(asked: Asked, billing = true) {
  const design = await designModel(readings(asked), "readings.yaml", { now, billing });
  expect(design.refused).toEqual([]);
  expect(isFailing(design)).toBe(false);
  const { report } = costModel(design.text ?? "", "readings.yaml");
  expect(report?.total.average).toBeCloseTo(design.designed?.total ?? 0, 2);
  const { tables = {}, decisions = [], tradeoffs = [] } = design.designed?.design ?? {};
  const decision = decisions.find(({ about }) => /\.(periods|billing)$/.test(about));
  return { table: tables.Readings, decision, tradeoffs };
}

test("what is kept for a year and read where it is new lies in tables of months", {
  timeout,
}, async () => {
  const { table, decision, tradeoffs } = await designed({});
  expect(table?.periods).toEqual({
    every: "month",
    attribute: "takenAt",
    keep: 13,
    older: { class: "infrequent-access", billing: "on-demand" },
  });
  expect(decision?.about).toBe("design.tables.Readings.periods");
  const plain = decision?.rejected?.find(({ what }) => what === "on-demand");
  expect(plain?.perMonth).toBeGreaterThan(1);
  // Nothing else takes them away, and now something does.
  expect(tradeoffs).toEqual([]);
});

test("without a choice of what is paid there is one table, and it is told that nothing takes items away", {
  timeout,
}, async () => {
  const { table, tradeoffs } = await designed({}, false);
  expect(table?.periods).toBeUndefined();
  expect(tradeoffs).toEqual([expect.stringContaining("has a retention of 365 days")]);
});

test("where many ask without a time, all tables would have to be asked: items expire instead", {
  timeout,
}, async () => {
  const expiry = "expiresAt: { type: N, format: epoch-seconds, mutable: false }";
  const few = await designed({ kinds: 1, expiry });
  expect(few.table?.periods).toBeDefined();
  const many = await designed({ kinds: 40, expiry });
  expect(many.table).toMatchObject({ ttl: "expiresAt" });
  expect(many.table?.periods).toBeUndefined();
  const told = many.decision?.rejected?.find(({ what }) => what.startsWith("a table for each"));
  expect(told?.perMonth).toBeGreaterThan(0);
});

test("where hardly anything is written or read, all of one table is in the cheaper class", {
  timeout,
}, async () => {
  const { table } = await designed({ record: 0.1, latest: 0.1, kinds: 0.0001 });
  expect(table?.periods).toBeUndefined();
  expect(table?.class).toBe("infrequent-access");
});

test("a week is kept in tables of days", { timeout }, async () => {
  const { table } = await designed({ retention: "7d" });
  expect(table?.periods).toMatchObject({ every: "day", keep: 8 });
});
