import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Model } from "../../model/model.ts";
import { parseModel } from "../../model/parse.ts";
import { sumOfLines } from "../cost/load.ts";
import { Facts } from "../facts.ts";
import { plansOf } from "../plans/planner.ts";
import { loadsOf } from "./loads.ts";

function loads(name: string) {
  const file = `examples/models/${name}.yaml`;
  const { model } = parseModel(readFileSync(file, "utf8"), file);
  if (model === undefined) throw new Error(`${file} cannot be read`);
  const facts = new Facts(model);
  return loadsOf(facts, plansOf(facts));
}

test("what patterns and the design's own work ask of tables and indexes", () => {
  const { loads: all, missing } = loads("social-network");
  expect(missing).toEqual([]);
  const followers = all.find(({ index }) => index === "Followers");
  const people = all.find(({ table, index }) => table === "People" && index === undefined);
  // Whoever follows or stops writes one entry each (120 + 15 a second), joins 0.1 and pages 1.
  expect(sumOfLines(followers?.lines ?? [], ({ writes }) => writes).average).toBeCloseTo(136.1, 6);
  const kept = people?.lines.filter(({ pattern }) => pattern === undefined);
  // Both counters are updated once for each of these 135.
  expect(kept?.map(({ what, writes }) => [what, writes.average])).toEqual([
    ["Person.followers by stream", 135],
    ["Person.following by stream", 135],
  ]);
});

test("tables of periods: the running one takes the requests", () => {
  const { loads: all } = loads("device-readings");
  const readings = all.filter(({ table, index }) => table === "Readings" && index === undefined);
  expect(
    readings.map(({ period, class: kind, lines }) => [period, kind, lines.length > 0]),
  ).toEqual([
    ["current", "standard", true],
    ["older", "infrequent-access", false],
  ]);
  const [current, older] = readings;
  expect((older?.storageBytes ?? 0) / (current?.storageBytes ?? 1)).toBeCloseTo(11, 9);
  // 129 bytes and 100 that are billed with every item.
  expect((current?.storageBytes ?? 0) / (current?.items ?? 1)).toBeCloseTo(228.6, 1);
});

test("tables of periods: what has no time asks all of them", () => {
  const { model } = parseModel(
    `keywright: 1
name: logs
entities:
  Log:
    id: [place, at]
    count: 1_000
    attributes:
      place: { type: S, bytes: 8, distinct: 10 }
      at: { type: S, format: iso-time }
      kind: { type: S, bytes: 4, distinct: 5, mutable: false }
patterns:
  kind: { name: A kind, read: Log, where: { kind: equals }, limit: 1, rps: 10 }
  new: { name: The newest, read: Log, where: { place: equals }, order: { at: descending }, limit: 1, rps: 10 }
design:
  tables:
    Logs:
      key: { place: S, at: S }
      entities: { Log: { key: { place: "{place}", at: "{at}" } } }
      indexes: { ByKind: { key: { partition: kind } } }
      periods: { every: month, attribute: at, keep: 4 }
`,
    "logs.yaml",
  );
  const facts = Facts.of(model as Model);
  const reads = loadsOf(facts, plansOf(facts)).loads.map(({ index, period, lines }) => [
    index,
    period,
    lines.reduce((sum, one) => sum + one.reads.average, 0),
  ]);
  // Half a unit from each of four tables, ten times a second.
  expect(reads).toEqual([
    [undefined, "current", 5],
    [undefined, "older", 0],
    ["ByKind", "current", 5],
    ["ByKind", "older", 15],
  ]);
});

test("entries, throughput of their own, and reads that a cache could answer", () => {
  const { loads: all } = loads("device-readings");
  const waiting = all.find(({ index }) => index === "WaitingAlarms");
  // One alarm in twenty waits: 5,000 entries of 313 bytes, and 100 for each.
  expect(waiting?.items).toBeCloseTo(5_000, 6);
  expect((waiting?.storageBytes ?? 0) / 5_000).toBeCloseTo(413, 0);
  expect(waiting).toMatchObject({
    local: false,
    billing: { mode: "provisioned", provisioned: { read: 25, write: 10 } },
  });
  const devices = all.find(({ table, index }) => table === "Devices" && index === undefined);
  const line = (of: typeof devices, pattern: string) =>
    of?.lines.find((one) => one.pattern === pattern);
  // A strong read goes past a cache, an eventual one does not.
  expect(line(devices, "device")?.cacheable).toBe(false);
  expect(line(waiting, "waiting")?.cacheable).toBe(true);
});

test("a local index is paid from the table's throughput, and has bytes of its own", () => {
  const { loads: all } = loads("documents");
  const local = all.find(({ index }) => index === "ApprovalsInOrder");
  const table = all.find(({ table: name, index }) => name === "Approvals" && index === undefined);
  expect(local).toMatchObject({ local: true, lines: [], items: 9_000_000 });
  expect(local?.storageBytes).toBeGreaterThan(0);
  expect(table?.lines.some(({ what }) => what === "entries of ApprovalsInOrder")).toBe(true);
});
