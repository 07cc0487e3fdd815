import { boolean, list, long, oneOf, string, struct } from "../shape.ts";
import { type VectorIndex, vectorIndexMembers } from "./create-table.ts";
import * as shared from "./shared.ts";

export interface UpdateTableRequest {
  readonly AttributeDefinitions?: readonly shared.AttributeDefinition[];
  readonly TableName: string;
  readonly BillingMode?: shared.BillingMode;
  readonly ProvisionedThroughput?: shared.ProvisionedThroughput;
  readonly GlobalSecondaryIndexUpdates?: readonly GlobalSecondaryIndexUpdate[];
  readonly StreamSpecification?: shared.StreamSpecification;
  readonly SSESpecification?: shared.SSESpecification;
  readonly ReplicaUpdates?: readonly ReplicationGroupUpdate[];
  readonly TableClass?: shared.TableClass;
  readonly DeletionProtectionEnabled?: boolean;
  readonly MultiRegionConsistency?: "EVENTUAL" | "STRONG";
  readonly GlobalTableWitnessUpdates?: readonly GlobalTableWitnessGroupUpdate[];
  readonly OnDemandThroughput?: shared.OnDemandThroughput;
  readonly WarmThroughput?: shared.WarmThroughput;
  readonly GlobalTableSettingsReplicationMode?: shared.GlobalTableSettingsReplicationMode;
  readonly DisassociationProtectionEnabled?: boolean;
  readonly VectorIndexUpdates?: readonly VectorIndexUpdate[];
}

export interface UpdateGlobalSecondaryIndexAction {
  readonly IndexName: string;
  readonly ProvisionedThroughput?: shared.ProvisionedThroughput;
  readonly OnDemandThroughput?: shared.OnDemandThroughput;
  readonly WarmThroughput?: shared.WarmThroughput;
}

export interface CreateGlobalSecondaryIndexAction extends UpdateGlobalSecondaryIndexAction {
  readonly KeySchema: readonly shared.KeySchemaElement[];
  readonly Projection: shared.Projection;
}

export interface DeleteIndexAction {
  readonly IndexName: string;
}

export interface GlobalSecondaryIndexUpdate {
  readonly Update?: UpdateGlobalSecondaryIndexAction;
  readonly Create?: CreateGlobalSecondaryIndexAction;
  readonly Delete?: DeleteIndexAction;
}

export interface VectorIndexUpdate {
  readonly Create?: VectorIndex;
  readonly Delete?: DeleteIndexAction;
}

export interface RegionAction {
  readonly RegionName: string;
}

export interface DisassociateAction extends RegionAction {
  readonly DisassociationMode: "WAIT_FOR_REPLICATION";
}

interface ThroughputOverrides {
  readonly ProvisionedThroughputOverride?: { readonly ReadCapacityUnits?: number };
  readonly OnDemandThroughputOverride?: { readonly MaxReadRequestUnits?: number };
}

export interface ReplicaGlobalSecondaryIndex extends ThroughputOverrides {
  readonly IndexName: string;
}

export interface ReplicationGroupMemberAction extends RegionAction, ThroughputOverrides {
  readonly KMSMasterKeyId?: string;
  readonly GlobalSecondaryIndexes?: readonly ReplicaGlobalSecondaryIndex[];
  readonly TableClassOverride?: shared.TableClass;
}

export interface ReplicationGroupUpdate {
  readonly Create?: ReplicationGroupMemberAction;
  readonly Update?: ReplicationGroupMemberAction;
  readonly Delete?: RegionAction;
  readonly Disassociate?: DisassociateAction;
}

export interface GlobalTableWitnessGroupUpdate {
  readonly Create?: RegionAction;
  readonly Delete?: RegionAction;
}

const region = { RegionName: string({ required: true }) };

const overrides = {
  ProvisionedThroughputOverride: struct<{ readonly ReadCapacityUnits?: number }>(
    "ProvisionedThroughputOverride",
    { ReadCapacityUnits: long({ min: 1 }) },
  ),
  OnDemandThroughputOverride: struct<{ readonly MaxReadRequestUnits?: number }>(
    "OnDemandThroughputOverride",
    { MaxReadRequestUnits: long() },
  ),
};

const replica = {
  ...region,
  KMSMasterKeyId: string(),
  ...overrides,
  GlobalSecondaryIndexes: list(
    struct<ReplicaGlobalSecondaryIndex>("ReplicaGlobalSecondaryIndex", {
      IndexName: shared.requiredIndexName,
      ...overrides,
    }),
    { min: 1 },
  ),
  TableClassOverride: shared.tableClass,
};

const throughput = {
  ProvisionedThroughput: shared.provisionedThroughput,
  OnDemandThroughput: shared.onDemandThroughput,
  WarmThroughput: shared.warmThroughput,
};

const indexUpdate = struct<GlobalSecondaryIndexUpdate>("GlobalSecondaryIndexUpdate", {
  Update: struct<UpdateGlobalSecondaryIndexAction>("UpdateGlobalSecondaryIndexAction", {
    IndexName: shared.requiredIndexName,
    ...throughput,
  }),
  Create: struct<CreateGlobalSecondaryIndexAction>("CreateGlobalSecondaryIndexAction", {
    Projection: shared.projection,
    IndexName: shared.requiredIndexName,
    ...throughput,
    KeySchema: shared.globalKeySchema,
  }),
  Delete: struct<DeleteIndexAction>("DeleteGlobalSecondaryIndexAction", {
    IndexName: shared.requiredIndexName,
  }),
});

const replicaUpdate = struct<ReplicationGroupUpdate>("ReplicationGroupUpdate", {
  Create: struct<ReplicationGroupMemberAction>("CreateReplicationGroupMemberAction", replica),
  Update: struct<ReplicationGroupMemberAction>("UpdateReplicationGroupMemberAction", replica),
  Delete: struct<RegionAction>("DeleteReplicationGroupMemberAction", region),
  Disassociate: struct<DisassociateAction>("DisassociateReplicationGroupMemberAction", {
    ...region,
    DisassociationMode: oneOf(["WAIT_FOR_REPLICATION"], { required: true }),
  }),
});

const witnessUpdate = struct<GlobalTableWitnessGroupUpdate>("GlobalTableWitnessGroupUpdate", {
  Create: struct<RegionAction>("CreateGlobalTableWitnessGroupMemberAction", region),
  Delete: struct<RegionAction>("DeleteGlobalTableWitnessGroupMemberAction", region),
});

const vectorUpdate = struct<VectorIndexUpdate>("VectorIndexUpdate", {
  Create: struct<VectorIndex>("CreateVectorIndexAction", vectorIndexMembers),
  Delete: struct<DeleteIndexAction>("DeleteVectorIndexAction", {
    IndexName: shared.requiredIndexName,
  }),
});

export const updateTableShape = struct<UpdateTableRequest>("UpdateTableInput", {
  TableName: shared.managedTableName,
  ProvisionedThroughput: shared.provisionedThroughput,
  BillingMode: shared.billingMode,
  AttributeDefinitions: list(shared.attributeDefinition),
  GlobalSecondaryIndexUpdates: list(indexUpdate),
  StreamSpecification: shared.streamSpecification,
  SSESpecification: shared.sseSpecification,
  ReplicaUpdates: list(replicaUpdate, { min: 1 }),
  TableClass: shared.tableClass,
  DeletionProtectionEnabled: boolean(),
  MultiRegionConsistency: oneOf(["EVENTUAL", "STRONG"]),
  GlobalTableWitnessUpdates: list(witnessUpdate, { min: 1, max: 1 }),
  OnDemandThroughput: shared.onDemandThroughput,
  WarmThroughput: shared.warmThroughput,
  GlobalTableSettingsReplicationMode: shared.globalTableSettingsReplicationMode,
  DisassociationProtectionEnabled: boolean(),
  VectorIndexUpdates: list(vectorUpdate),
});
