import { partitionBytesMax, partitionsFor } from "../capacity/throughput.ts";
import type { TableDescriptor } from "../engine/descriptor.ts";
import { startOfPart } from "../partitions/partition-map.ts";
import type { Enforcement } from "./enforcement.ts";
import { settingsOf } from "./settings.ts";

/**
 * Where the partitions of a table of so many bytes begin: those that throughput is enforced on, or as
 * many as its settings and its size ask for.
 */
export function partitionStarts(
  enforcement: Enforcement | undefined,
  table: TableDescriptor,
  bytes: number,
): readonly number[] {
  const enforced = enforcement?.throughput(table.id)?.table.partitions.all;
  const count = Math.max(
    partitionsFor(settingsOf(table.billingMode, table)),
    Math.ceil(bytes / partitionBytesMax),
  );
  if (enforced !== undefined && enforced.length >= count) {
    // Several partitions may lie within one item collection, which is of one shard.
    return [...new Set(enforced.map(({ start }) => start.hash))];
  }
  return Array.from({ length: count }, (_, part) => startOfPart(part, count));
}
