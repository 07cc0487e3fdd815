import type { GlobalSecondaryIndex } from "../../api/requests/create-table.ts";
import type { WarmThroughput } from "../../api/requests/shared.ts";
import type { Scaling, TableRequests } from "../requests/table-requests.ts";
import { warmReadsMin, warmWritesMin } from "./service-limits.ts";

/** The share of the units that auto scaling keeps in use where the design fixes them. */
const usualTarget = 70;

/**
 * Replicas are kept by a stream with both images, whatever else the design wants of one, and writes of such a table
 * and its indexes have to be scaled: where the design fixes them, between two ends that are equal.
 */
export function replicated(requests: TableRequests): TableRequests {
  if (requests.table.replicas.length === 0) return requests;
  const { create, scaling } = requests;
  const parts = [
    { index: undefined, units: create.ProvisionedThroughput },
    ...(create.GlobalSecondaryIndexes ?? []).map(({ IndexName, ProvisionedThroughput }) => ({
      index: IndexName,
      units: ProvisionedThroughput,
    })),
  ];
  const fixed = parts.flatMap(({ index, units }): readonly Scaling[] => {
    const isScaled = scaling.some((one) => one.index === index && one.direction === "write");
    if (units === undefined || isScaled) return [];
    const { WriteCapacityUnits: same } = units;
    return [{ index, direction: "write", min: same, max: same, target: usualTarget }];
  });
  return {
    ...requests,
    create: {
      ...create,
      StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" },
    },
    scaling: [...scaling, ...fixed],
  };
}

/** On-demand tables are warm for so many units by themselves, and none can be asked for less. */
export function warmed(requests: TableRequests): TableRequests {
  const { create } = requests;
  if (create.BillingMode !== "PAY_PER_REQUEST") return requests;
  const of = <T extends Pick<GlobalSecondaryIndex, "WarmThroughput">>(part: T): T =>
    part.WarmThroughput === undefined
      ? part
      : { ...part, WarmThroughput: atLeast(part.WarmThroughput) };
  return {
    ...requests,
    create: {
      ...of(create),
      ...(create.GlobalSecondaryIndexes !== undefined && {
        GlobalSecondaryIndexes: create.GlobalSecondaryIndexes.map(of),
      }),
    },
  };
}

function atLeast({ ReadUnitsPerSecond, WriteUnitsPerSecond }: WarmThroughput): WarmThroughput {
  return {
    ...(ReadUnitsPerSecond !== undefined && {
      ReadUnitsPerSecond: Math.max(ReadUnitsPerSecond, warmReadsMin),
    }),
    ...(WriteUnitsPerSecond !== undefined && {
      WriteUnitsPerSecond: Math.max(WriteUnitsPerSecond, warmWritesMin),
    }),
  };
}
