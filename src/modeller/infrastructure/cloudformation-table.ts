import type { GlobalSecondaryIndex } from "../../api/requests/create-table.ts";
import type { SSESpecification } from "../../api/requests/shared.ts";
import type { TableDescription } from "./describe.ts";
import type { Data } from "./yaml.ts";

export type Properties = Readonly<Record<string, Data>>;

/** What is said of a table, whether it has replicas or not. */
export function sharedProperties({ now }: TableDescription, name: Data): Properties {
  const { create } = now;
  return {
    TableName: name,
    AttributeDefinitions: create.AttributeDefinitions.map((one) => ({ ...one })),
    KeySchema: create.KeySchema.map((one) => ({ ...one })),
    ...(create.LocalSecondaryIndexes !== undefined && {
      LocalSecondaryIndexes: create.LocalSecondaryIndexes.map(
        ({ IndexName, KeySchema, Projection }) => ({
          IndexName,
          KeySchema: KeySchema.map((one) => ({ ...one })),
          Projection: { ...Projection },
        }),
      ),
    }),
    BillingMode: create.BillingMode ?? "PROVISIONED",
    ...(create.StreamSpecification !== undefined && {
      StreamSpecification: { StreamViewType: create.StreamSpecification.StreamViewType ?? "" },
    }),
    ...(create.WarmThroughput !== undefined && { WarmThroughput: { ...create.WarmThroughput } }),
    ...(now.ttl !== undefined && {
      TimeToLiveSpecification: { AttributeName: now.ttl, Enabled: true },
    }),
  };
}

export function tableProperties(
  one: TableDescription,
  name: Data,
  tags: readonly Data[],
): Properties {
  const { create } = one.now;
  const indexes = create.GlobalSecondaryIndexes;
  return {
    ...sharedProperties(one, name),
    ...(indexes !== undefined && { GlobalSecondaryIndexes: indexes.map(globalIndex) }),
    ...(create.ProvisionedThroughput !== undefined && {
      ProvisionedThroughput: { ...create.ProvisionedThroughput },
    }),
    ...(create.OnDemandThroughput !== undefined && {
      OnDemandThroughput: { ...create.OnDemandThroughput },
    }),
    TableClass: create.TableClass ?? "STANDARD",
    ...(create.SSESpecification !== undefined && {
      SSESpecification: encryption(create.SSESpecification),
    }),
    DeletionProtectionEnabled: create.DeletionProtectionEnabled ?? false,
    PointInTimeRecoverySpecification: recovery(one),
    Tags: tags,
  };
}

function globalIndex({
  IndexName,
  KeySchema,
  Projection,
  ProvisionedThroughput,
  OnDemandThroughput,
  WarmThroughput,
}: GlobalSecondaryIndex): Data {
  return {
    IndexName,
    KeySchema: KeySchema.map((one) => ({ ...one })),
    Projection: { ...Projection },
    ...(ProvisionedThroughput !== undefined && {
      ProvisionedThroughput: { ...ProvisionedThroughput },
    }),
    ...(OnDemandThroughput !== undefined && { OnDemandThroughput: { ...OnDemandThroughput } }),
    ...(WarmThroughput !== undefined && { WarmThroughput: { ...WarmThroughput } }),
  };
}

function encryption({ SSEType, KMSMasterKeyId }: SSESpecification): Data {
  return {
    SSEEnabled: true,
    SSEType: SSEType ?? "KMS",
    ...(KMSMasterKeyId !== undefined && { KMSMasterKeyId }),
  };
}

export function recovery({ table: { pitrDays } }: TableDescription): Data {
  return pitrDays === undefined
    ? { PointInTimeRecoveryEnabled: false }
    : { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: pitrDays };
}
