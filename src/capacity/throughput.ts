import type { ScalingPolicy } from "./auto-scaling.ts";

/**
 * The limits that the service sets on throughput, and how this model of it behaves in time. Figures are
 * the service's published ones unless they are called an assumption.
 */

export type Direction = "read" | "write";

export const directions: readonly Direction[] = ["read", "write"];

/** One partition can do no more, whoever asks. */
export const partitionUnitsMax: Readonly<Record<Direction, number>> = { read: 3_000, write: 1_000 };
/** A new on-demand table can do so much at once. */
export const onDemandStart: Readonly<Record<Direction, number>> = { read: 12_000, write: 4_000 };
/** By default a table and its global indexes together may use no more. */
export const tableQuota: Readonly<Record<Direction, number>> = { read: 40_000, write: 40_000 };
/** By default all provisioned tables of an account together. */
export const accountQuota: Readonly<Record<Direction, number>> = { read: 80_000, write: 80_000 };
export const partitionBytesMax = 10 * 1_024 ** 3;

/** On-demand tables take twice their former peak; beyond that they grow in steps of this length. */
export const growthMinutes = 30;
/** A partition that is hot for so many minutes is split: an assumption. */
export const heatMinutes = 5;
/** A minute is hot if this share of its ceiling, or more, was asked of the partition: an assumption. */
export const heatShare = 0.9;

export interface UnitsPerSecond {
  readonly read: number;
  readonly write: number;
}

/** How much a table or index may use. */
export type ThroughputSettings =
  | {
      readonly mode: "provisioned";
      readonly provisioned: UnitsPerSecond;
      /** What its partitions can carry at least; the throughput itself is what is provisioned. */
      readonly warm?: UnitsPerSecond | undefined;
      readonly autoScaling?: {
        readonly read?: ScalingPolicy | undefined;
        readonly write?: ScalingPolicy | undefined;
      };
    }
  | {
      readonly mode: "on-demand";
      /** The caps that the owner has set; none if undefined. */
      readonly maximum?: {
        readonly read?: number | undefined;
        readonly write?: number | undefined;
      };
      /** What it can do at once, if more than a new table. */
      readonly warm?: UnitsPerSecond | undefined;
    };

/**
 * How many partitions carry such throughput. For what is provisioned it is the formula that the service
 * once published; for the rest it is the least number that can.
 */
export function partitionsFor(settings: ThroughputSettings): number {
  if (settings.mode === "on-demand") {
    return partitionsToCarry(highest(onDemandStart, settings.warm));
  }
  const { read, write } = settings.provisioned;
  const count = Math.ceil(read / partitionUnitsMax.read + write / partitionUnitsMax.write - 1e-9);
  return Math.max(count, partitionsToCarry(settings.warm ?? { read: 0, write: 0 }));
}

/** At least one. */
export function partitionsToCarry({ read, write }: UnitsPerSecond): number {
  const most = Math.max(read / partitionUnitsMax.read, write / partitionUnitsMax.write);
  return Math.max(1, Math.ceil(most - 1e-9));
}

/** Of each direction the higher one. */
export function highest(a: UnitsPerSecond, b: UnitsPerSecond | undefined): UnitsPerSecond {
  if (b === undefined) return a;
  return { read: Math.max(a.read, b.read), write: Math.max(a.write, b.write) };
}
