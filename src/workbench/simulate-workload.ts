import type { ThroughputSettings } from "../capacity/throughput.ts";

/** A workload as it was read and checked: durations in milliseconds, sizes in bytes. */
export interface Workload {
  readonly title: string;
  readonly seed: number;
  /** Milliseconds since the epoch. */
  readonly start: number;
  readonly durationMs: number;
  readonly table: WorkloadTable;
  /** Of the items that are there at the beginning. */
  readonly bytes: number;
  readonly traffic: readonly Stream[];
  /** All limits are multiplied with it; rates are what they are. */
  readonly scale?: number;
}

export interface WorkloadTable {
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey: string | undefined;
  readonly settings: ThroughputSettings;
  readonly indexes: readonly WorkloadIndex[];
}

export interface WorkloadIndex {
  readonly name: string;
  readonly kind: "global" | "local";
  readonly partitionKey: string;
  readonly sortKey: string | undefined;
  readonly settings: ThroughputSettings;
}

export type OperationKind = "get" | "query" | "scan" | "put" | "update" | "delete";

export interface Stream {
  readonly name: string;
  readonly operation: OperationKind;
  readonly rate: readonly RatePoint[];
  readonly arrivals: "even" | "poisson";
  readonly size: number;
  readonly sizeBefore: number;
  readonly items: number;
  readonly strong: boolean;
  readonly transaction: boolean;
  /** A read of this index. */
  readonly index: WorkloadIndex | undefined;
  readonly key: PartitionKeys | undefined;
  readonly sort: SortKeys | undefined;
  readonly effects: readonly Effect[];
  /** Of one request, or of one shard of it, in the table or the index that is read; else they follow from sizes. */
  readonly units?: number;
}

/** From here on the rate goes evenly from `rate` to `endRate`, until the next point. */
export interface RatePoint {
  readonly atMs: number;
  readonly rate: number;
  readonly endRate: number;
}

/** How keys are drawn. */
export type Draw =
  | { readonly kind: "fixed"; readonly name: string }
  | { readonly kind: "uniform"; readonly count: number }
  | { readonly kind: "zipf"; readonly count: number; readonly exponent: number }
  | { readonly kind: "hot"; readonly count: number; readonly keys: number; readonly share: number }
  | { readonly kind: "weights"; readonly weights: ReadonlyMap<string, number> };

export interface PartitionKeys {
  readonly draw: Draw | { readonly kind: "date"; readonly every: "day" | "hour" };
  readonly prefix: string;
  readonly shards: { readonly count: number; readonly by: "random" | "calculated" } | undefined;
  /** Keys that are only counted get names up to this number; looking for more takes time. */
  readonly namesMax?: number;
}

export interface SortKeys {
  readonly draw: Draw | { readonly kind: "rising" } | { readonly kind: "falling" };
  readonly prefix: string;
}

export interface Effect {
  readonly index: WorkloadIndex;
  readonly change: "insert" | "update" | "move" | "remove";
  readonly size: number;
  readonly sizeBefore: number;
  readonly key: PartitionKeys | undefined;
  readonly sort: SortKeys | undefined;
  /** Of one entry; else they follow from sizes. */
  readonly units?: number;
}

export function isWrite(operation: OperationKind): boolean {
  return operation === "put" || operation === "update" || operation === "delete";
}
