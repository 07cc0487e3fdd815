import type { GlobalSecondaryIndex } from "../../api/requests/create-table.ts";
import type { ProvisionedThroughput } from "../../api/requests/shared.ts";
import { type Properties, recovery, sharedProperties } from "./cloudformation-table.ts";
import type { TableDescription } from "./describe.ts";
import type { Data } from "./yaml.ts";

/**
 * A table with replicas. What concerns writes is said once, what concerns reads for each Region; the Region of
 * the stack is a replica like the others.
 */
export function globalTableProperties(
  one: TableDescription,
  name: Data,
  tags: readonly Data[],
  keyOf: (region: string) => Data,
): Properties {
  const { table, now } = one;
  const { create } = now;
  const { encryption } = table;
  const key = typeof encryption === "object" ? encryption.key : undefined;
  const indexes = create.GlobalSecondaryIndexes;
  return {
    ...sharedProperties(one, name),
    ...(indexes !== undefined && {
      GlobalSecondaryIndexes: indexes.map((index) => ({
        IndexName: index.IndexName,
        KeySchema: index.KeySchema.map((element) => ({ ...element })),
        Projection: { ...index.Projection },
        ...(index.WarmThroughput !== undefined && { WarmThroughput: { ...index.WarmThroughput } }),
        ...writes(one, index, index.IndexName),
      })),
    }),
    ...writes(one, create, undefined),
    ...(encryption !== "owned" && { SSESpecification: { SSEEnabled: true, SSEType: "KMS" } }),
    Replicas: [
      replica(one, { Ref: "AWS::Region" }, tags, key),
      ...table.replicas.map((region) =>
        replica(one, region, tags, key === undefined ? undefined : keyOf(region)),
      ),
    ],
  };
}

type Limits = Pick<GlobalSecondaryIndex, "ProvisionedThroughput" | "OnDemandThroughput">;

function writes(one: TableDescription, limits: Limits, index: string | undefined): Properties {
  const { ProvisionedThroughput: units, OnDemandThroughput: most } = limits;
  const max = most?.MaxWriteRequestUnits;
  return {
    // Writes of a global table are always scaled.
    ...(units !== undefined && {
      WriteProvisionedThroughputSettings: {
        WriteCapacityAutoScalingSettings: scaled(one, units, index, "write"),
      },
    }),
    ...(max !== undefined && { WriteOnDemandThroughputSettings: { MaxWriteRequestUnits: max } }),
  };
}

function reads(one: TableDescription, limits: Limits, index: string | undefined): Properties {
  const { ProvisionedThroughput: units, OnDemandThroughput: most } = limits;
  const max = most?.MaxReadRequestUnits;
  const isScaled = one.now.scaling.some((s) => s.index === index && s.direction === "read");
  return {
    ...(units !== undefined && {
      ReadProvisionedThroughputSettings: isScaled
        ? { ReadCapacityAutoScalingSettings: scaled(one, units, index, "read") }
        : { ReadCapacityUnits: units.ReadCapacityUnits },
    }),
    ...(max !== undefined && { ReadOnDemandThroughputSettings: { MaxReadRequestUnits: max } }),
  };
}

function scaled(
  { now }: TableDescription,
  units: ProvisionedThroughput,
  index: string | undefined,
  direction: "read" | "write",
): Data {
  const found = now.scaling.find((one) => one.index === index && one.direction === direction);
  if (found === undefined) throw new Error(`${direction}s are not scaled`);
  return {
    MinCapacity: found.min,
    MaxCapacity: found.max,
    SeedCapacity: direction === "read" ? units.ReadCapacityUnits : units.WriteCapacityUnits,
    TargetTrackingScalingPolicyConfiguration: { TargetValue: found.target },
  };
}

function replica(
  one: TableDescription,
  region: Data,
  tags: readonly Data[],
  key: Data | undefined,
): Data {
  const { create } = one.now;
  const indexes = (create.GlobalSecondaryIndexes ?? []).map((index) => ({
    IndexName: index.IndexName,
    ...reads(one, index, index.IndexName),
  }));
  // An index of which there is nothing to say in a Region is not named there.
  const stated = indexes.filter((index) => Object.keys(index).length > 1);
  return {
    Region: region,
    ...reads(one, create, undefined),
    ...(stated.length > 0 && { GlobalSecondaryIndexes: stated }),
    TableClass: create.TableClass ?? "STANDARD",
    DeletionProtectionEnabled: create.DeletionProtectionEnabled ?? false,
    PointInTimeRecoverySpecification: recovery(one),
    ...(key !== undefined && { SSESpecification: { KMSMasterKeyId: key } }),
    Tags: tags,
  };
}
