import type { BackupRow } from "../engine/backup-row.ts";
import type { IndexDescriptor, TableDescriptor } from "../engine/descriptor.ts";
import type { Totals } from "../storage/store.ts";
import { backupArn } from "./backup-arn.ts";
import type { Context } from "./operation.ts";
import {
  describeEncryption,
  describeKey,
  describeOnDemand,
  describeProjection,
  seconds,
} from "./table-description.ts";
import { tableArn } from "./table-name.ts";

export type BackupStatus = BackupRow["status"] | "DELETED";

async function sizeOf({ database }: Context, row: BackupRow): Promise<Totals> {
  if (row.status === "CREATING" && row.size !== undefined) return row.size;
  return database.totals(row.dataId);
}

/** `arn` is the one that the request gave, if it gave one. */
export async function backupDetails(
  context: Context,
  row: BackupRow,
  arn = backupArn(context, row),
  status: BackupStatus = row.status,
): Promise<object> {
  return {
    BackupArn: arn,
    BackupName: row.name,
    BackupSizeBytes: (await sizeOf(context, row)).bytes,
    BackupStatus: status,
    BackupType: row.type,
    BackupCreationDateTime: seconds(row.createdAt),
    ...(row.expiresAt !== undefined && { BackupExpiryDateTime: seconds(row.expiresAt) }),
  };
}

export async function backupSummary(context: Context, row: BackupRow): Promise<object> {
  const { name, uuid } = row.table;
  return {
    TableName: name,
    TableId: uuid,
    TableArn: tableArn(context, name),
    ...(await backupDetails(context, row)),
  };
}

export async function backupDescription(
  context: Context,
  row: BackupRow,
  arn: string,
  status?: BackupStatus,
): Promise<object> {
  const { table } = row;
  const size = await sizeOf(context, row);
  return {
    BackupDetails: await backupDetails(context, row, arn, status),
    SourceTableDetails: {
      TableName: table.name,
      TableId: table.uuid,
      TableArn: tableArn(context, table.name),
      TableSizeBytes: size.bytes,
      KeySchema: describeKey(table.key),
      TableCreationDateTime: seconds(table.createdAt),
      ProvisionedThroughput: units(table),
      ...(table.onDemand !== undefined && { OnDemandThroughput: describeOnDemand(table.onDemand) }),
      ItemCount: size.count,
      BillingMode: table.billingMode,
    },
    // The service tells nothing of the features of a table that is gone.
    SourceTableFeatureDetails: row.type === "SYSTEM" ? {} : features(context, table),
  };
}

function features(context: Context, table: TableDescriptor): object {
  const { stream, timeToLive } = table;
  const local = table.indexes.filter(({ kind }) => kind === "local").map(indexInfo);
  const global = table.indexes
    .filter(({ kind }) => kind === "global")
    .map((index) => ({
      ...indexInfo(index),
      ProvisionedThroughput: units(index),
      ...(index.onDemand !== undefined && { OnDemandThroughput: describeOnDemand(index.onDemand) }),
    }));
  return {
    ...(local.length > 0 && { LocalSecondaryIndexes: local }),
    ...(global.length > 0 && { GlobalSecondaryIndexes: global }),
    ...(stream !== undefined && {
      StreamDescription: { StreamEnabled: true, StreamViewType: stream.viewType },
    }),
    ...(timeToLive !== undefined && {
      TimeToLiveDescription: { TimeToLiveStatus: "ENABLED", AttributeName: timeToLive.attribute },
    }),
    ...describeEncryption(context, table),
  };
}

function indexInfo({ name, key, projection }: IndexDescriptor): object {
  return {
    IndexName: name,
    KeySchema: describeKey(key),
    Projection: describeProjection(projection),
  };
}

function units({ throughput }: Pick<IndexDescriptor, "throughput">): object {
  return {
    ReadCapacityUnits: throughput?.read ?? 0,
    WriteCapacityUnits: throughput?.write ?? 0,
  };
}
