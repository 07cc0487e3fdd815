import type { ThroughputSettings, UnitsPerSecond } from "../capacity/throughput.ts";
import type { Index, Table } from "../model/design.ts";
import type { PlaceHeat } from "../modeller/heat/heat.ts";
import type { KeyFamily, KeyLoad } from "../modeller/heat/key-load.ts";
import { billingOf, warmUnits } from "../modeller/heat/limits.ts";
import type { Touch } from "../modeller/heat/touch.ts";
import { partitionKeys } from "./heat-keys.ts";
import type {
  Effect,
  RatePoint,
  SortKeys,
  Stream,
  Workload,
  WorkloadIndex,
} from "./simulate-workload.ts";

export interface HeatSimulationOptions {
  /** How long the peak lasts. */
  readonly seconds: number;
  readonly seed: number;
  /** A table that was never used; else one that has served its peak before. */
  readonly cold: boolean;
  /** Requests of one table are scaled down to about so many. */
  readonly requestsMax: number;
}

/** Before the peak comes the average, for so long. */
export const leadSeconds = 30;
const start = Date.UTC(2026, 0, 1);
/** A page of a Query is a megabyte: 128 units, half of them for an eventual read. */
const pageUnits = 128;
const bytesMax = 20e12;
const sortCount = 1e6;

/** A table at its peak as a workload of the simulator; nothing if nothing is asked of it. */
export function heatWorkload(
  places: readonly PlaceHeat[],
  options: HeatSimulationOptions,
): Workload | undefined {
  const [own] = places;
  if (own === undefined) return undefined;
  const { table } = own.load;
  const indexes = places.flatMap(({ load }) =>
    load.index === undefined ? [] : [indexOf(table, load.index, load, options)],
  );
  const locals = [...table.indexes.values()]
    .filter(({ local }) => local)
    .map(
      (index): WorkloadIndex => ({
        name: index.name,
        kind: "local",
        partitionKey: table.partition.name,
        sortKey: index.sort[0]?.name,
        settings: { mode: "on-demand" },
      }),
    );
  const touches = places.flatMap(({ load }) => load.touches);
  const scale = scaleOf(touches, options);
  const traffic = new Traffic(places, indexes, scale, options).streams;
  if (traffic.length === 0) return undefined;
  return {
    title: `${table.name} at its peak`,
    seed: options.seed,
    start,
    durationMs: (leadSeconds + options.seconds) * 1_000,
    table: {
      name: table.name,
      partitionKey: table.partition.name,
      sortKey: table.sort?.name,
      settings: settingsOf(table, undefined, own.load, options),
      indexes: [...indexes, ...locals],
    },
    bytes: Math.min(bytesMax, own.bytes),
    traffic,
    scale,
  };
}

/** Rates and limits are scaled alike where there are more requests than need be looked at. */
function scaleOf(
  touches: readonly Touch[],
  { seconds, requestsMax }: HeatSimulationOptions,
): number {
  const requestsAt = (scale: number): number =>
    touches.reduce((sum, touch) => {
      const { average = 0, peak = 0 } = touch.rate;
      const often = (average * leadSeconds + peak * seconds) * scale;
      const { times } =
        touch.direction === "read" ? pagesOf(touch, scale) : { times: visits(touch) };
      return sum + often * times * (touch.gathers ? touch.shards : 1);
    }, 0);
  let scale = 1;
  // Pages are cut to the scaled limits, so their number only falls with the scale when each has one unit.
  for (let requests = requestsAt(1); requests > requestsMax; requests = requestsAt(scale)) {
    scale *= Math.min(0.99, requestsMax / requests);
  }
  return scale;
}

const visits = ({ keys, uncached }: Touch): number => keys * uncached;

/** How many requests a read takes, each with how many units: what is more than a page comes page by page. */
function pagesOf(touch: Touch, scale: number): { readonly times: number; readonly units: number } {
  const { scan, gathers, shards } = touch;
  const each =
    (touch.units * (scan ? touch.uncached : 1)) / (scan ? 1 : touch.keys * (gathers ? shards : 1));
  const pages = Math.max(1, Math.ceil(each / Math.max(1, pageUnits * scale)));
  return { times: (scan ? 1 : visits(touch)) * pages, units: each / pages };
}

function indexOf(
  table: Table,
  index: Index,
  load: KeyLoad,
  options: HeatSimulationOptions,
): WorkloadIndex {
  return {
    name: index.name,
    kind: "global",
    partitionKey: index.partition.map(({ name }) => name).join(", "),
    sortKey: index.sort.map(({ name }) => name).join(", ") || undefined,
    settings: settingsOf(table, index, load, options),
  };
}

function settingsOf(
  table: Table,
  index: Index | undefined,
  load: KeyLoad,
  { cold }: HeatSimulationOptions,
): ThroughputSettings {
  const billing = billingOf(table, index);
  if (billing.mode === "provisioned") {
    const { read, write, autoScaling } = billing.provisioned;
    const policy = (scaling: typeof autoScaling.read) =>
      scaling && { min: scaling.min, max: scaling.max, targetPercent: scaling.target };
    return {
      mode: "provisioned",
      provisioned: { read, write },
      autoScaling: { read: policy(autoScaling.read), write: policy(autoScaling.write) },
    };
  }
  const { maximum } = index ?? table;
  const begin = warmUnits(index ?? table);
  // An on-demand table serves twice its former peak at once.
  const warm: UnitsPerSecond = cold
    ? begin
    : {
        read: Math.max(begin.read, 2 * load.read.peak),
        write: Math.max(begin.write, 2 * load.write.peak),
      };
  return { mode: "on-demand", warm, ...(maximum !== undefined && { maximum }) };
}

class Traffic {
  readonly streams: Stream[] = [];
  private readonly indexes: readonly WorkloadIndex[];
  private readonly scale: number;
  private readonly options: HeatSimulationOptions;
  private readonly families = new Map<Touch, KeyFamily>();

  constructor(
    places: readonly PlaceHeat[],
    indexes: readonly WorkloadIndex[],
    scale: number,
    options: HeatSimulationOptions,
  ) {
    this.indexes = indexes;
    this.scale = scale;
    this.options = options;
    const touches = places.flatMap(({ load }) => load.touches);
    for (const { load } of places) {
      for (const family of load.families) {
        for (const touch of family.touches) this.families.set(touch, family);
      }
    }
    const groups = new Map<number, Touch[]>();
    for (const touch of touches) {
      if (touch.units === 0 || ((touch.rate.average ?? 0) === 0 && (touch.rate.peak ?? 0) === 0))
        continue;
      if (touch.direction === "read") this.read(touch);
      else groups.set(touch.group, [...(groups.get(touch.group) ?? []), touch]);
    }
    for (const group of groups.values()) this.write(group);
  }

  private read(touch: Touch): void {
    const { scan, gathers } = touch;
    const { times, units } = pagesOf(touch, this.scale);
    this.push(touch, scan ? "scan" : gathers ? "query" : "get", times, units, []);
  }

  private write(group: readonly Touch[]): void {
    const own = group.find(({ index }) => index === undefined);
    if (own === undefined || own.keys === 0) return;
    const effects = group.flatMap((touch): Effect[] => {
      const index = this.indexes.find(({ name }) => name === touch.index?.name);
      if (index === undefined) return [];
      return [
        {
          index,
          change: "update",
          size: 0,
          sizeBefore: 0,
          key: this.keys(touch),
          sort: sortOf(touch),
          units: touch.units / touch.keys,
        },
      ];
    });
    this.push(own, "put", visits(own), own.units / own.keys, effects);
  }

  private push(
    touch: Touch,
    operation: Stream["operation"],
    times: number,
    units: number,
    effects: readonly Effect[],
  ): void {
    const { pattern, what, rate, index, scan } = touch;
    const per = times * this.scale;
    this.streams.push({
      name: `${pattern === undefined ? "" : `${pattern}: `}${what}`,
      operation,
      rate: this.rate((rate.average ?? 0) * per, (rate.peak ?? 0) * per),
      arrivals: "even",
      size: scan ? 1_048_576 : 0,
      sizeBefore: 0,
      items: 1,
      strong: false,
      transaction: false,
      index: this.indexes.find(({ name }) => name === index?.name),
      key: scan ? undefined : this.keys(touch),
      sort: scan ? undefined : sortOf(touch),
      effects,
      units,
    });
  }

  private keys(touch: Touch) {
    const family = this.families.get(touch);
    return family && partitionKeys(family, touch);
  }

  private rate(average: number, peak: number): readonly RatePoint[] {
    const [lead, end] = [leadSeconds * 1_000, (leadSeconds + this.options.seconds) * 1_000];
    return [
      { atMs: 0, rate: average, endRate: average },
      { atMs: lead, rate: peak, endRate: peak },
      { atMs: end, rate: 0, endRate: 0 },
    ];
  }
}

function sortOf({ table, index, record, monotonic }: Touch): SortKeys | undefined {
  const hasSort = index === undefined ? table.sort !== undefined : true;
  if (!hasSort) return undefined;
  if (monotonic !== undefined) return { draw: { kind: monotonic }, prefix: record.name };
  return { draw: { kind: "uniform", count: sortCount }, prefix: record.name };
}
