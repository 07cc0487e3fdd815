import type { ResourceReport } from "./report.ts";
import type { LimitKind } from "./throttling.ts";
import { type Direction, partitionUnitsMax } from "./throughput.ts";
import type { CapacityEvent } from "./timeline.ts";

/** What to do about requests that a limit refused, in a sentence or two. */
export function adviceOn(
  limit: LimitKind,
  direction: Direction,
  resource: ResourceReport,
  events: readonly CapacityEvent[],
): string {
  switch (limit) {
    case "ProvisionedThroughputExceeded":
      return provisionedAdvice(direction, resource);
    case "MaxOnDemandThroughputExceeded":
      return `The owner's maximum stands in the way: raise or remove the on-demand maximum for ${direction}s.`;
    case "AccountLimitExceeded":
      return `The table and its indexes together reach the default quota of 40,000 ${direction} units per second: ask for a higher quota, or spread the load over tables.`;
    case "KeyRangeThroughputExceeded":
      return keyRangeAdvice(direction, resource, events);
  }
}

function provisionedAdvice(direction: Direction, { index, settings }: ResourceReport): string {
  const scaled = settings.mode === "provisioned" && settings.autoScaling?.[direction];
  const place = index === undefined ? "the table" : `index ${index}`;
  const first = scaled
    ? `Auto scaling follows minutes later: raise its minimum or lower its target for ${place}`
    : `Provision more ${direction} units for ${place}, with auto scaling`;
  const second =
    index !== undefined && direction === "write"
      ? " An index that is too small holds up the writes of its table."
      : "";
  return `${first}, or use on-demand.${second}`;
}

function keyRangeAdvice(
  direction: Direction,
  { index, partitions }: ResourceReport,
  events: readonly CapacityEvent[],
): string {
  const max = partitionUnitsMax[direction].toLocaleString("en");
  const throttled = partitions
    .filter((one) => (one[direction].throttledBy.KeyRangeThroughputExceeded ?? 0) > 0)
    .sort((a, b) => b[direction].throttledUnits - a[direction].throttledUnits);
  const whys = new Set(
    events.flatMap((event) =>
      event.kind === "not split" &&
      event.index === index &&
      throttled.some(({ id }) => id === event.partition)
        ? [event.why]
        : [],
    ),
  );
  const [hottest] = throttled;
  const [key] = hottest?.keys ?? [];
  const isOneKey = (key?.percent ?? 0) >= 50;
  const limit = `A partition does ${max} ${direction} units per second, and no setting changes that.`;
  if (whys.has("one item") || (isOneKey && (hottest?.items.length ?? 0) > 0)) {
    return `${limit} One item takes more: ${direction === "write" ? "spread it over shards (key#0, key#1 …) and add them up when reading" : "cache it, or keep copies under several keys"}.`;
  }
  if (whys.has("rising sort key")) {
    return `${limit} The sort key rises, so the collection cannot be split: add a shard to the partition key (key#0, key#1 …) and query all of them.`;
  }
  if (whys.has("local index")) {
    return `${limit} A local index keeps the collection in one partition: use a global index instead, or add a shard to the partition key.`;
  }
  if (isOneKey) {
    return `${limit} One partition key takes most of it: give it more distinct values, or shards (key#0, key#1 …).`;
  }
  return `${limit} The load is spread, but there are too few partitions for it yet: raise it gradually, or set a warm throughput beforehand.`;
}
