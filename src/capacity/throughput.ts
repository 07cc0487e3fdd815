/** The limits that the service sets on throughput, and how this model of it behaves in time. */

export type Direction = "read" | "write";

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
/** A partition that is hot for so many minutes is split. The service does not publish its own figure. */
export const heatMinutes = 5;
/** A minute is hot if the partition used this share of its ceiling, or more was asked of it. */
export const heatShare = 0.9;

export interface UnitsPerSecond {
  readonly read: number;
  readonly write: number;
}

/** How much a table or index may use. */
export type ThroughputSettings =
  | { readonly mode: "provisioned"; readonly provisioned: UnitsPerSecond }
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

/** How many partitions carry such throughput. */
export function partitionsFor(settings: ThroughputSettings): number {
  if (settings.mode === "provisioned") {
    const { read, write } = settings.provisioned;
    return Math.max(
      1,
      Math.ceil(read / partitionUnitsMax.read + write / partitionUnitsMax.write - 1e-9),
    );
  }
  const read = Math.max(onDemandStart.read, settings.warm?.read ?? 0);
  const write = Math.max(onDemandStart.write, settings.warm?.write ?? 0);
  return partitionsOnDemand({ read, write });
}

export function partitionsOnDemand({ read, write }: UnitsPerSecond): number {
  return Math.ceil(Math.max(read / partitionUnitsMax.read, write / partitionUnitsMax.write) - 1e-9);
}
