import { ServiceError } from "../api/errors/service-error.ts";

/** One operation of the API, on whatever answers to it. */
export type Execute = (operation: string, body: object) => Promise<object>;

/** All that makes a table what it is, but for its items. */
export interface TableDefinition {
  /** As CreateTable takes it. */
  readonly create: { readonly TableName: string } & Readonly<Record<string, unknown>>;
  /** The attribute of the time to live. */
  readonly timeToLive?: string;
  /** Point-in-time recovery is enabled, for so many days. */
  readonly recoveryDays?: number;
}

interface Described {
  readonly TableName: string;
  readonly TableArn: string;
  readonly AttributeDefinitions: unknown;
  readonly KeySchema: unknown;
  readonly BillingModeSummary?: { readonly BillingMode?: string };
  readonly ProvisionedThroughput?: Units;
  readonly OnDemandThroughput?: object;
  readonly LocalSecondaryIndexes?: readonly DescribedIndex[];
  readonly GlobalSecondaryIndexes?: readonly DescribedIndex[];
  readonly StreamSpecification?: { readonly StreamEnabled?: boolean };
  readonly SSEDescription?: { readonly SSEType?: string; readonly KMSMasterKeyArn?: string };
  readonly TableClassSummary?: { readonly TableClass?: string };
  readonly DeletionProtectionEnabled?: boolean;
}

interface DescribedIndex {
  readonly IndexName: string;
  readonly KeySchema: unknown;
  readonly Projection: unknown;
  readonly ProvisionedThroughput?: Units;
  readonly OnDemandThroughput?: object;
}

interface Units {
  readonly ReadCapacityUnits: number;
  readonly WriteCapacityUnits: number;
}

export interface DescribedTable {
  readonly definition: TableDefinition;
  readonly arn: string;
  readonly itemCount: number;
}

export async function describeForExport(execute: Execute, name: string): Promise<DescribedTable> {
  const { Table } = (await execute("DescribeTable", { TableName: name })) as {
    Table: Described & { ItemCount?: number };
  };
  const timeToLive = await timeToLiveOf(execute, name);
  const recoveryDays = await recoveryDaysOf(execute, name);
  const tags = await tagsOf(execute, Table.TableArn);
  return {
    arn: Table.TableArn,
    itemCount: Table.ItemCount ?? 0,
    definition: {
      create: { ...createOf(Table), ...(tags.length > 0 && { Tags: tags }) },
      ...(timeToLive !== undefined && { timeToLive }),
      ...(recoveryDays !== undefined && { recoveryDays }),
    },
  };
}

function createOf(table: Described): TableDefinition["create"] {
  const billingMode = table.BillingModeSummary?.BillingMode ?? "PROVISIONED";
  const provisioned = billingMode === "PROVISIONED";
  const local = table.LocalSecondaryIndexes ?? [];
  const global = table.GlobalSecondaryIndexes ?? [];
  const { SSEDescription: encryption, StreamSpecification: stream } = table;
  return {
    TableName: table.TableName,
    AttributeDefinitions: table.AttributeDefinitions,
    KeySchema: table.KeySchema,
    BillingMode: billingMode,
    ...(provisioned && unitsOf(table)),
    ...limitsOf(table),
    ...(local.length > 0 && { LocalSecondaryIndexes: local.map(indexOf) }),
    ...(global.length > 0 && {
      GlobalSecondaryIndexes: global.map((index) => ({
        ...indexOf(index),
        ...(provisioned && unitsOf(index)),
        ...limitsOf(index),
      })),
    }),
    ...(stream?.StreamEnabled === true && { StreamSpecification: stream }),
    ...(encryption?.SSEType === "KMS" && {
      SSESpecification: {
        Enabled: true,
        SSEType: "KMS",
        ...(encryption.KMSMasterKeyArn !== undefined && {
          KMSMasterKeyId: encryption.KMSMasterKeyArn,
        }),
      },
    }),
    ...(table.TableClassSummary?.TableClass !== undefined && {
      TableClass: table.TableClassSummary.TableClass,
    }),
    ...(table.DeletionProtectionEnabled === true && { DeletionProtectionEnabled: true }),
  };
}

const indexOf = ({ IndexName, KeySchema, Projection }: DescribedIndex): object => ({
  IndexName,
  KeySchema,
  Projection,
});

function unitsOf({ ProvisionedThroughput: units }: { ProvisionedThroughput?: Units }): object {
  return {
    ProvisionedThroughput: {
      ReadCapacityUnits: units?.ReadCapacityUnits ?? 1,
      WriteCapacityUnits: units?.WriteCapacityUnits ?? 1,
    },
  };
}

const limitsOf = ({ OnDemandThroughput: limits }: { OnDemandThroughput?: object }): object =>
  limits === undefined ? {} : { OnDemandThroughput: limits };

async function timeToLiveOf(execute: Execute, name: string): Promise<string | undefined> {
  const answer = (await ifThere(() => execute("DescribeTimeToLive", { TableName: name }))) as
    | { TimeToLiveDescription?: { TimeToLiveStatus?: string; AttributeName?: string } }
    | undefined;
  const { TimeToLiveStatus: status, AttributeName: attribute } =
    answer?.TimeToLiveDescription ?? {};
  return status === "ENABLED" || status === "ENABLING" ? attribute : undefined;
}

async function recoveryDaysOf(execute: Execute, name: string): Promise<number | undefined> {
  const answer = (await ifThere(() => execute("DescribeContinuousBackups", { TableName: name }))) as
    | {
        ContinuousBackupsDescription?: {
          PointInTimeRecoveryDescription?: {
            PointInTimeRecoveryStatus?: string;
            RecoveryPeriodInDays?: number;
          };
        };
      }
    | undefined;
  const recovery = answer?.ContinuousBackupsDescription?.PointInTimeRecoveryDescription;
  if (recovery?.PointInTimeRecoveryStatus !== "ENABLED") return undefined;
  return recovery.RecoveryPeriodInDays ?? 35;
}

async function tagsOf(execute: Execute, arn: string): Promise<readonly unknown[]> {
  const answer = (await ifThere(() => execute("ListTagsOfResource", { ResourceArn: arn }))) as
    | { Tags?: readonly unknown[] }
    | undefined;
  return answer?.Tags ?? [];
}

/** Not everything that speaks the protocol knows all of it. */
async function ifThere(ask: () => Promise<object>): Promise<object | undefined> {
  try {
    return await ask();
  } catch (error) {
    const unknown = ["UnsupportedOperationException", "UnknownOperationException"];
    if (error instanceof ServiceError && unknown.includes(error.type)) return undefined;
    throw error;
  }
}
