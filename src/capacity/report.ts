import { mostFrequent } from "../partitions/access-sample.ts";
import type { Partition } from "../partitions/partition-map.ts";
import { hashSpace, noSort, type Position } from "../partitions/position.ts";
import { positionText } from "../partitions/position-text.ts";
import type { Flow, PartitionLoad } from "./partition-load.ts";
import type { ResourceThroughput } from "./resource-throughput.ts";
import type { LimitKind } from "./throttling.ts";
import { directions, type ThroughputSettings, type UnitsPerSecond } from "./throughput.ts";
import type { CapacityEvent, Timeline } from "./timeline.ts";

/** What a key is called, if the one who reports knows more than where it lies. */
export type KeyNames = (position: Position, index: string | undefined) => string | undefined;

export interface FlowReport {
  readonly units: number;
  readonly requests: number;
  /** By provisioned tables: units beyond the partition's own share. */
  readonly borrowedUnits: number;
  readonly throttledRequests: number;
  readonly throttledUnits: number;
  /** Requests by the limit that refused them; only limits that did. */
  readonly throttledBy: Readonly<Partial<Record<LimitKind, number>>>;
}

export interface KeyShare {
  readonly key: string;
  /** Of the latest requests to the partition, as a sample of them says. */
  readonly percent: number;
}

export interface PartitionReport {
  readonly id: number;
  /** The partition that it came from by a split. */
  readonly parent: number | undefined;
  readonly since: number;
  /** When it was split; undefined: it is there now. */
  readonly until: number | undefined;
  /** Its hashes, as shares of the whole space. */
  readonly fromPercent: number;
  readonly toPercent: number;
  /** Where it begins and ends within a collection, if it does. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly bytes: number;
  readonly hotMinutes: number;
  readonly read: FlowReport;
  readonly write: FlowReport;
  /** The most used partition keys. */
  readonly keys: readonly KeyShare[];
  /** Single items with a notable share, where there is a sort key. */
  readonly items: readonly KeyShare[];
}

export interface ResourceReport {
  /** Undefined for the table itself. */
  readonly index: string | undefined;
  readonly settings: ThroughputSettings;
  readonly available: UnitsPerSecond;
  readonly read: FlowReport;
  readonly write: FlowReport;
  /** In the order of their ranges; then those that were split, in the order of time. */
  readonly partitions: readonly PartitionReport[];
  /** So many of the oldest split ones are forgotten. */
  readonly forgotten: number;
}

export interface ThroughputReport {
  readonly at: number;
  readonly resources: readonly ResourceReport[];
  readonly events: readonly CapacityEvent[];
  /** So many older events are forgotten. */
  readonly eventsForgotten: number;
}

const keysMax = 5;
const notablePercent = 10;

export function reportOf(
  table: { readonly resources: readonly ResourceThroughput[]; readonly timeline: Timeline },
  at: number,
  nameOf: KeyNames = () => undefined,
): ThroughputReport {
  return {
    at,
    resources: table.resources.map((resource) => resourceReport(resource, nameOf)),
    events: [...table.timeline.events],
    eventsForgotten: table.timeline.dropped,
  };
}

function resourceReport(resource: ResourceThroughput, nameOf: KeyNames): ResourceReport {
  const { index } = resource;
  const partitions = [
    ...resource.partitions.all.map((one) => partitionReport(one, undefined, index, nameOf)),
    ...resource.former.map(({ partition, until }) =>
      partitionReport(partition, until, index, nameOf),
    ),
  ];
  return {
    index,
    settings: resource.settings,
    available: resource.available,
    read: sumOf(partitions.map(({ read }) => read)),
    write: sumOf(partitions.map(({ write }) => write)),
    partitions,
    forgotten: resource.formerDropped,
  };
}

function partitionReport(
  { id, parent, start, end, state }: Partition<PartitionLoad>,
  until: number | undefined,
  index: string | undefined,
  nameOf: KeyNames,
): PartitionReport {
  const name = (position: Position): string => nameOf(position, index) ?? positionText(position);
  const bound = (position: Position): string | undefined =>
    position.sort.length === 0 ? undefined : name(position);
  return {
    id,
    parent,
    since: state.since,
    until,
    fromPercent: (100 * start.hash) / hashSpace,
    toPercent: (100 * end.hash) / hashSpace,
    from: bound(start),
    to: bound(end),
    bytes: Math.round(state.bytes),
    hotMinutes: state.hotMinutesInAll,
    read: flowReport(state.read),
    write: flowReport(state.write),
    ...mostUsed(
      directions.flatMap((direction) => state[direction].sample.inOrder()),
      name,
    ),
  };
}

function flowReport(flow: Flow): FlowReport {
  const refused = flow.refusals.filter(({ requests }) => requests > 0);
  return {
    units: flow.units,
    requests: flow.requests,
    borrowedUnits: flow.borrowedUnits,
    throttledRequests: refused.reduce((sum, { requests }) => sum + requests, 0),
    throttledUnits: refused.reduce((sum, { units }) => sum + units, 0),
    throttledBy: Object.fromEntries(refused.map(({ limit, requests }) => [limit, requests])),
  };
}

function sumOf(flows: readonly FlowReport[]): FlowReport {
  const throttledBy: Partial<Record<LimitKind, number>> = {};
  for (const flow of flows) {
    for (const [limit, requests] of Object.entries(flow.throttledBy) as [LimitKind, number][]) {
      throttledBy[limit] = (throttledBy[limit] ?? 0) + requests;
    }
  }
  const sum = (of: (flow: FlowReport) => number): number =>
    flows.reduce((total, flow) => total + of(flow), 0);
  return {
    units: sum(({ units }) => units),
    requests: sum(({ requests }) => requests),
    borrowedUnits: sum(({ borrowedUnits }) => borrowedUnits),
    throttledRequests: sum(({ throttledRequests }) => throttledRequests),
    throttledUnits: sum(({ throttledUnits }) => throttledUnits),
    throttledBy,
  };
}

function mostUsed(
  sample: readonly Position[],
  name: (position: Position) => string,
): Pick<PartitionReport, "keys" | "items"> {
  const percent = (count: number): number => Math.round((100 * count) / sample.length);
  const keys = mostFrequent(sample, (a, b) => a.hash === b.hash).slice(0, keysMax);
  const items = mostFrequent(sample)
    .slice(0, keysMax)
    .filter(({ position, count }) => position.sort.length > 0 && percent(count) >= notablePercent);
  return {
    keys: keys.map(({ position: { hash }, count }) => ({
      key: name({ hash, sort: noSort }),
      percent: percent(count),
    })),
    items: items.map(({ position, count }) => ({ key: name(position), percent: percent(count) })),
  };
}
