import type { Durability } from "../../src/storage/store.ts";
import type { Measurement } from "../phase.ts";
import { medianOf } from "../statistics.ts";
import { figure, renderTable, times } from "../table.ts";
import type { OperationName } from "../workload.ts";
import type { EmbeddedStore } from "./serve.ts";

/** One round of one operation at one number of connections on one store. */
export interface StorePhase {
  readonly round: number;
  readonly store: EmbeddedStore;
  readonly durability: Durability;
  readonly indexes: number;
  readonly operation: OperationName;
  readonly connections: number;
  readonly measured: Measurement;
}

/** What a store took of the machine. */
export interface StoreFootprint {
  readonly store: EmbeddedStore;
  readonly durability: Durability;
  readonly fillSeconds: number;
  readonly filledMegabytes: number;
  readonly endMegabytes: number;
  readonly openMs: number | undefined;
  readonly residentMegabytes: number | undefined;
  /** Of the resident memory what is not a mapped file, which the system may take back. */
  readonly ownMegabytes: number | undefined;
}

export interface StoresResult {
  readonly items: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly phases: readonly StorePhase[];
  readonly footprints: readonly StoreFootprint[];
}

const metrics: readonly {
  readonly title: string;
  readonly value: (measured: Measurement) => number | undefined;
}[] = [
  { title: "Requests per second", value: (m) => m.perSecond },
  { title: "Server CPU, µs per request", value: (m) => m.cpuUsPerRequest },
  { title: "Latency p99, ms", value: (m) => m.p99Ms },
];

const durabilities: readonly Durability[] = ["flush", "relaxed"];

/** The tables of a run in Markdown; a ratio is LevelDB's figure divided by LMDB's. */
export function reportStores(result: StoresResult): string {
  const parts = metrics.map(
    ({ title, value }) => `**${title}**\n\n${metricTable(result.phases, value)}`,
  );
  parts.push(`**On disk and in memory**\n\n${footprintTable(result.footprints)}`);
  const errors = result.phases.reduce((sum, { measured }) => sum + measured.errors, 0);
  if (errors > 0) parts.push(`${errors} requests were refused.`);
  return parts.join("\n\n");
}

function metricTable(
  phases: readonly StorePhase[],
  value: (measured: Measurement) => number | undefined,
): string {
  const header = ["indexes", "operation", "connections"];
  for (const durability of durabilities) {
    header.push(`LMDB ${durability}`, `LevelDB ${durability}`, "LevelDB ÷ LMDB");
  }
  const rows = cases(phases).map((same) => {
    const [{ indexes, operation, connections }] = same as [StorePhase];
    const row = [String(indexes), operation, String(connections)];
    for (const durability of durabilities) {
      const of = (store: EmbeddedStore): number | undefined =>
        medianOf(
          same.filter((phase) => phase.store === store && phase.durability === durability),
          ({ measured }) => value(measured),
        );
      const [lmdb, level] = [of("lmdb"), of("level")];
      const ratio = lmdb && level !== undefined ? level / lmdb : undefined;
      row.push(figure(lmdb), figure(level), times(ratio));
    }
    return row;
  });
  return renderTable(header, rows, 2);
}

/** Phases of the same table, operation and connections, whatever their store and round. */
function cases(phases: readonly StorePhase[]): StorePhase[][] {
  const groups = new Map<string, StorePhase[]>();
  for (const phase of phases) {
    const name = `${phase.indexes} ${phase.operation} ${phase.connections}`;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [phase]);
    else group.push(phase);
  }
  return [...groups.values()];
}

function footprintTable(footprints: readonly StoreFootprint[]): string {
  const rows = footprints.map((each) => [
    each.store === "lmdb" ? "LMDB" : "LevelDB",
    each.durability,
    figure(each.fillSeconds),
    figure(each.filledMegabytes),
    figure(each.endMegabytes),
    figure(each.openMs),
    figure(each.residentMegabytes),
    figure(each.ownMegabytes),
  ]);
  const header = [
    "store",
    "durability",
    "filling, s",
    "after filling, MB",
    "at the end, MB",
    "opening again, ms",
    "resident, MB",
    "of it no mapped file, MB",
  ];
  return renderTable(header, rows, 2);
}
