import { boolean, double, integer, list, long, required, string, struct } from "../shape.ts";
import * as shared from "./shared.ts";

/** Requests about global tables of version 2017.11.29, which no longer exist. */

export interface GlobalTableRequest {
  readonly GlobalTableName: string;
}

export interface Replica {
  readonly RegionName?: string;
}

export interface CreateGlobalTableRequest extends GlobalTableRequest {
  readonly ReplicationGroup: readonly Replica[];
}

export interface ReplicaUpdate {
  readonly Create?: { readonly RegionName: string };
  readonly Delete?: { readonly RegionName: string };
}

export interface UpdateGlobalTableRequest extends GlobalTableRequest {
  readonly ReplicaUpdates: readonly ReplicaUpdate[];
}

export interface ListGlobalTablesRequest {
  readonly ExclusiveStartGlobalTableName?: string;
  readonly Limit?: number;
  readonly RegionName?: string;
}

interface AutoScalingSettings {
  readonly MinimumUnits?: number;
  readonly MaximumUnits?: number;
  readonly AutoScalingDisabled?: boolean;
  readonly AutoScalingRoleArn?: string;
  readonly ScalingPolicyUpdate?: AutoScalingPolicy;
}

interface AutoScalingPolicy {
  readonly PolicyName?: string;
  readonly TargetTrackingScalingPolicyConfiguration: {
    readonly DisableScaleIn?: boolean;
    readonly ScaleInCooldown?: number;
    readonly ScaleOutCooldown?: number;
    readonly TargetValue: number;
  };
}

interface IndexSettings {
  readonly IndexName: string;
  readonly ProvisionedWriteCapacityUnits?: number;
  readonly ProvisionedWriteCapacityAutoScalingSettingsUpdate?: AutoScalingSettings;
}

interface ReplicaIndexSettings {
  readonly IndexName: string;
  readonly ProvisionedReadCapacityUnits?: number;
  readonly ProvisionedReadCapacityAutoScalingSettingsUpdate?: AutoScalingSettings;
}

interface ReplicaSettings {
  readonly RegionName: string;
  readonly ReplicaProvisionedReadCapacityUnits?: number;
  readonly ReplicaProvisionedReadCapacityAutoScalingSettingsUpdate?: AutoScalingSettings;
  readonly ReplicaGlobalSecondaryIndexSettingsUpdate?: readonly ReplicaIndexSettings[];
  readonly ReplicaTableClass?: shared.TableClass;
}

export interface UpdateGlobalTableSettingsRequest extends GlobalTableRequest {
  readonly GlobalTableBillingMode?: shared.BillingMode;
  readonly GlobalTableProvisionedWriteCapacityUnits?: number;
  readonly GlobalTableProvisionedWriteCapacityAutoScalingSettingsUpdate?: AutoScalingSettings;
  readonly GlobalTableGlobalSecondaryIndexSettingsUpdate?: readonly IndexSettings[];
  readonly ReplicaSettingsUpdate?: readonly ReplicaSettings[];
}

const named = { GlobalTableName: shared.newTableName };
const region = { RegionName: string({ required: true }) };
const units = long({ min: 1 });

const autoScaling = struct<AutoScalingSettings>("AutoScalingSettingsUpdate", {
  MinimumUnits: units,
  MaximumUnits: units,
  AutoScalingDisabled: boolean(),
  AutoScalingRoleArn: string({ min: 1, max: 1_600 }),
  ScalingPolicyUpdate: struct<AutoScalingPolicy>("AutoScalingPolicyUpdate", {
    PolicyName: string({ min: 1, max: 256 }),
    TargetTrackingScalingPolicyConfiguration: required(
      struct<AutoScalingPolicy["TargetTrackingScalingPolicyConfiguration"]>(
        "AutoScalingTargetTrackingScalingPolicyConfigurationUpdate",
        {
          DisableScaleIn: boolean(),
          ScaleInCooldown: integer(),
          ScaleOutCooldown: integer(),
          TargetValue: double({ required: true }),
        },
      ),
    ),
  }),
});

export const describeGlobalTableShape = struct<GlobalTableRequest>(
  "DescribeGlobalTableInput",
  named,
);

export const describeGlobalTableSettingsShape = struct<GlobalTableRequest>(
  "DescribeGlobalTableSettingsInput",
  named,
);

export const createGlobalTableShape = struct<CreateGlobalTableRequest>("CreateGlobalTableInput", {
  ...named,
  ReplicationGroup: list(struct<Replica>("Replica", { RegionName: string() }), { required: true }),
});

export const updateGlobalTableShape = struct<UpdateGlobalTableRequest>("UpdateGlobalTableInput", {
  ...named,
  ReplicaUpdates: list(
    struct<ReplicaUpdate>("ReplicaUpdate", {
      Create: struct<{ readonly RegionName: string }>("CreateReplicaAction", region),
      Delete: struct<{ readonly RegionName: string }>("DeleteReplicaAction", region),
    }),
    { required: true },
  ),
});

export const listGlobalTablesShape = struct<ListGlobalTablesRequest>("ListGlobalTablesInput", {
  ExclusiveStartGlobalTableName: { ...shared.newTableName, required: false },
  Limit: integer({ min: 1 }),
  RegionName: string(),
});

export const updateGlobalTableSettingsShape = struct<UpdateGlobalTableSettingsRequest>(
  "UpdateGlobalTableSettingsInput",
  {
    ...named,
    GlobalTableBillingMode: shared.billingMode,
    GlobalTableProvisionedWriteCapacityUnits: units,
    GlobalTableProvisionedWriteCapacityAutoScalingSettingsUpdate: autoScaling,
    GlobalTableGlobalSecondaryIndexSettingsUpdate: list(
      struct<IndexSettings>("GlobalTableGlobalSecondaryIndexSettingsUpdate", {
        IndexName: shared.requiredIndexName,
        ProvisionedWriteCapacityUnits: units,
        ProvisionedWriteCapacityAutoScalingSettingsUpdate: autoScaling,
      }),
      { min: 1, max: 20 },
    ),
    ReplicaSettingsUpdate: list(
      struct<ReplicaSettings>("ReplicaSettingsUpdate", {
        ...region,
        ReplicaProvisionedReadCapacityUnits: units,
        ReplicaProvisionedReadCapacityAutoScalingSettingsUpdate: autoScaling,
        ReplicaGlobalSecondaryIndexSettingsUpdate: list(
          struct<ReplicaIndexSettings>("ReplicaGlobalSecondaryIndexSettingsUpdate", {
            IndexName: shared.requiredIndexName,
            ProvisionedReadCapacityUnits: units,
            ProvisionedReadCapacityAutoScalingSettingsUpdate: autoScaling,
          }),
          { min: 1, max: 20 },
        ),
        ReplicaTableClass: shared.tableClass,
      }),
      { min: 1, max: 50 },
    ),
  },
);
