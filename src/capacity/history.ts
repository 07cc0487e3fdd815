import type { Partition } from "../partitions/partition-map.ts";
import { comparePositions, type Position } from "../partitions/position.ts";
import type { Flow, PartitionLoad } from "./partition-load.ts";
import type { ResourceThroughput } from "./resource-throughput.ts";
import type { TableThroughput } from "./table-throughput.ts";
import { type Direction, directions } from "./throughput.ts";

/** Units per second, step by step. */
export interface FlowHistory {
  readonly consumed: number[];
  readonly throttled: number[];
}

/** A partition over time. */
export interface Lane {
  readonly id: number;
  readonly parent: number | undefined;
  readonly start: Position;
  readonly end: Position;
  /** The first step in which it was there, and the first in which it no longer was. */
  readonly from: number;
  to: number;
  readonly read: FlowHistory;
  readonly write: FlowHistory;
}

export interface ResourceHistory {
  /** Undefined for the table itself. */
  readonly index: string | undefined;
  /** What the line of the limit is: provisioned, the on-demand maximum, or what it can do at once. */
  limitKind: "provisioned" | "maximum" | "on-demand";
  readonly read: FlowHistory & { readonly limit: number[] };
  readonly write: FlowHistory & { readonly limit: number[] };
  readonly lanes: Lane[];
}

/** What a table and its indexes did, in steps of equal length. Someone has to call `sample` at their ends. */
export class CapacityHistory {
  readonly start: number;
  readonly stepMs: number;
  readonly resources: readonly ResourceHistory[];
  readonly #table: TableThroughput;
  readonly #totals = new Map<Partition<PartitionLoad>, Readonly<Record<Direction, Totals>>>();
  #steps = 0;

  /** Splits come with full minutes, so steps that divide a minute see partitions whole. */
  constructor(table: TableThroughput, start: number, stepMs: number) {
    this.#table = table;
    this.start = start;
    this.stepMs = stepMs;
    this.resources = table.resources.map(({ index }) => ({
      index,
      limitKind: "on-demand",
      read: { consumed: [], throttled: [], limit: [] },
      write: { consumed: [], throttled: [], limit: [] },
      lanes: [],
    }));
  }

  get steps(): number {
    return this.#steps;
  }

  /** When the step that runs ends. */
  get until(): number {
    return this.start + (this.#steps + 1) * this.stepMs;
  }

  /** A step ends. Nothing that comes later may have happened yet. */
  sample(): void {
    const begin = this.until - this.stepMs;
    for (const history of this.resources) {
      const resource = this.#table.resource(history.index);
      if (resource !== undefined) this.#sampleResource(history, resource, begin);
    }
    this.#steps += 1;
  }

  #sampleResource(history: ResourceHistory, resource: ResourceThroughput, begin: number): void {
    for (const direction of directions) {
      const flow = history[direction];
      flow.consumed.push(0);
      flow.throttled.push(0);
      flow.limit.push(limitOf(resource, direction));
    }
    history.limitKind = limitKind(resource);
    for (const { partition, until } of resource.former) {
      if (until > begin) this.#samplePartition(history, partition, false);
    }
    for (const partition of resource.partitions.all) {
      this.#samplePartition(history, partition, true);
    }
  }

  #samplePartition(
    history: ResourceHistory,
    partition: Partition<PartitionLoad>,
    isThere: boolean,
  ): void {
    const step = this.#steps;
    let lane = history.lanes.find(({ id }) => id === partition.id);
    if (lane === undefined) {
      lane = laneOf(partition, step);
      history.lanes.push(lane);
    }
    const seconds = this.stepMs / 1_000;
    const before = this.#totals.get(partition);
    const now = { read: totalsOf(partition.state.read), write: totalsOf(partition.state.write) };
    for (const direction of directions) {
      const consumed = now[direction].consumed - (before?.[direction].consumed ?? 0);
      const throttled = now[direction].throttled - (before?.[direction].throttled ?? 0);
      const all = history[direction];
      all.consumed[step] = (all.consumed[step] ?? 0) + consumed / seconds;
      all.throttled[step] = (all.throttled[step] ?? 0) + throttled / seconds;
      if (!isThere) continue;
      lane[direction].consumed.push(consumed / seconds);
      lane[direction].throttled.push(throttled / seconds);
    }
    if (isThere) {
      lane.to = step + 1;
      this.#totals.set(partition, now);
    } else this.#totals.delete(partition);
  }
}

interface Totals {
  readonly consumed: number;
  readonly throttled: number;
}

function totalsOf({ units, refusals }: Flow): Totals {
  return { consumed: units, throttled: refusals.reduce((sum, one) => sum + one.units, 0) };
}

function laneOf({ id, parent, start, end }: Partition<PartitionLoad>, from: number): Lane {
  const flow = (): FlowHistory => ({ consumed: [], throttled: [] });
  return { id, parent, start, end, from, to: from, read: flow(), write: flow() };
}

function limitOf({ settings, available }: ResourceThroughput, direction: Direction): number {
  const maximum = settings.mode === "on-demand" ? settings.maximum?.[direction] : undefined;
  return maximum ?? available[direction];
}

function limitKind({ settings }: ResourceThroughput): ResourceHistory["limitKind"] {
  if (settings.mode === "provisioned") return "provisioned";
  return settings.maximum === undefined ? "on-demand" : "maximum";
}

/** In the order of their ranges; of a partition and its parts, the whole first. */
export function compareLanes(a: Lane, b: Lane): number {
  return comparePositions(a.start, b.start) || comparePositions(b.end, a.end);
}
