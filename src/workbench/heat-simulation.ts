import { adviceOn } from "../capacity/advice.ts";
import type { Lane, ResourceHistory } from "../capacity/history.ts";
import {
  type Direction,
  directions,
  partitionsFor,
  partitionUnitsMax,
} from "../capacity/throughput.ts";
import type { Heat } from "../modeller/heat/heat.ts";
import { type HeatSimulationOptions, heatWorkload, leadSeconds } from "./heat-workload.ts";
import { type Simulation, simulate } from "./simulate.ts";
import type { Workload } from "./simulate-workload.ts";

/** What became of a table at its peak. */
export interface TableHeatRun {
  readonly table: string;
  readonly seconds: number;
  /** Rates and limits were multiplied with it, to have less to do; figures are as without it. */
  readonly scale: number;
  readonly requests: number;
  /** The share of requests during the peak that were refused. */
  readonly throttledShare: number;
  readonly flows: readonly FlowRun[];
  readonly throttles: readonly {
    readonly reason: string;
    /** `Shop` or `Shop.GSI1`. */
    readonly place: string;
    /** Of all requests that were made. */
    readonly share: number;
    readonly advice: string;
  }[];
  /** What a reader must know of these figures, in sentences. */
  readonly notes: readonly string[];
  /** Nothing if the table is too large to be simulated. */
  readonly simulation: Simulation | undefined;
}

/** Reads or writes of a table or an index, per second of the peak. */
export interface FlowRun {
  readonly place: string;
  readonly direction: Direction;
  readonly consumed: number;
  readonly throttled: number;
  readonly throttledShare: number;
  /** The part of all that was asked for that fell on the hottest partition. */
  readonly hottestShare: number;
  readonly partitions: number;
  readonly splits: number;
}

/** Requests of all tables together are scaled down to about so many. */
const requestsMaxInAll = 2_500_000;
const requestsMaxOfOne = 1_000_000;
/** Below this scale a page of a Query is more than a partition's limit allows in a second. */
const coarseScale = 128 / partitionUnitsMax.read;
/** A table for 4 million write units a second. Making more partitions takes time by the square of their number. */
const partitionsMax = 4_000;

/** Runs every table of a model through its peak. */
export function runHeat(
  { places }: Heat,
  options: Omit<HeatSimulationOptions, "requestsMax">,
): readonly TableHeatRun[] {
  const tables = [...new Set(places.map(({ load }) => load.table))];
  const requestsMax = Math.min(requestsMaxOfOne, requestsMaxInAll / Math.max(1, tables.length));
  return tables.flatMap((table) => {
    const own = places.filter(({ load }) => load.table === table);
    const workload = heatWorkload(own, { ...options, requestsMax });
    if (workload === undefined) return [];
    const partitions = Math.max(
      ...[workload.table, ...workload.table.indexes].map(({ settings }) => partitionsFor(settings)),
    );
    return [
      partitions > partitionsMax ? notSimulated(workload, partitions) : summary(simulate(workload)),
    ];
  });
}

function notSimulated({ table, durationMs }: Workload, partitions: number): TableHeatRun {
  const [needed, most] = [partitions, partitionsMax].map((one) => one.toLocaleString("en-US"));
  return {
    table: table.name,
    seconds: durationMs / 1_000 - leadSeconds,
    scale: 1,
    requests: 0,
    throttledShare: 0,
    flows: [],
    throttles: [],
    notes: [
      `${table.name} is not simulated: its throughput takes ${needed} partitions, and the simulation has at most ${most}.`,
    ],
    simulation: undefined,
  };
}

function summary(simulation: Simulation): TableHeatRun {
  const { workload, requests, throttles, history, throughput } = simulation;
  const { scale = 1, table, durationMs } = workload;
  const flows = history.resources.flatMap((resource) =>
    directions.flatMap((direction): FlowRun[] => {
      const flow = flowOf(simulation, resource, direction, scale);
      return flow.consumed + flow.throttled === 0 ? [] : [flow];
    }),
  );
  const peakRequests = requests - leadRequests(simulation);
  const refused = throttles
    .filter(({ last }) => last >= workload.start + leadSeconds * 1_000)
    .reduce((sum, one) => sum + one.requests, 0);
  return {
    table: table.name,
    seconds: durationMs / 1_000 - leadSeconds,
    scale,
    requests,
    throttledShare: peakRequests <= 0 ? 0 : Math.min(1, refused / peakRequests),
    flows,
    throttles: throttles.map(({ reason, index, requests: count, limit, direction }) => {
      const resource = throughput.resources.find((one) => one.index === index);
      return {
        reason,
        place: index === undefined ? table.name : `${table.name}.${index}`,
        share: count / requests,
        advice: resource ? adviceOn(limit, direction, resource, throughput.events) : "",
      };
    }),
    notes:
      scale < coarseScale
        ? [
            `${table.name} has so many requests that the simulation scales rates and limits by ${scale.toPrecision(2)}: a single request then is a large part of what a partition allows, so shares are rough.`,
          ]
        : [],
    simulation,
  };
}

/** Requests before the peak: what their rates bring. */
function leadRequests({ workload }: Simulation): number {
  return workload.traffic.reduce((sum, { rate }) => sum + (rate[0]?.rate ?? 0) * leadSeconds, 0);
}

function flowOf(
  { workload, history, throughput }: Simulation,
  resource: ResourceHistory,
  direction: Direction,
  scale: number,
): FlowRun {
  const from = Math.round((leadSeconds * 1_000) / history.stepMs);
  const mean = (values: readonly number[]): number => {
    const peak = values.slice(from);
    return peak.length === 0 ? 0 : peak.reduce((sum, one) => sum + one, 0) / peak.length / scale;
  };
  const consumed = mean(resource[direction].consumed);
  const throttled = mean(resource[direction].throttled);
  const all = consumed + throttled;
  const report = throughput.resources.find(({ index }) => index === resource.index);
  const loads = resource.lanes.map((lane) => loadOf(lane, direction, from, history.steps) / scale);
  return {
    place:
      resource.index === undefined
        ? workload.table.name
        : `${workload.table.name}.${resource.index}`,
    direction,
    consumed,
    throttled,
    throttledShare: all === 0 ? 0 : throttled / all,
    hottestShare: all === 0 ? 0 : Math.min(1, Math.max(0, ...loads) / all),
    partitions: report?.partitions.filter(({ until }) => until === undefined).length ?? 0,
    splits: throughput.events.filter(
      (event) => event.kind === "split" && event.index === resource.index,
    ).length,
  };
}

/** What was asked of one partition during the peak, per second of it. */
function loadOf(lane: Lane, direction: Direction, from: number, steps: number): number {
  const first = Math.max(0, from - lane.from);
  const flow = lane[direction];
  const asked = [...flow.consumed.slice(first), ...flow.throttled.slice(first)];
  return asked.reduce((sum, one) => sum + one, 0) / Math.max(1, steps - from);
}
