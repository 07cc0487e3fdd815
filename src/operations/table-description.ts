import { createHash } from "node:crypto";
import {
  type IndexDescriptor,
  type IndexProjection,
  type KeyAttribute,
  type KeySchema,
  keyAttributes,
  type OnDemandLimits,
  type TableDescriptor,
  type TableStatus,
  type Throughput,
  tableStatus,
  type WarmThroughput,
} from "../engine/descriptor.ts";
import type { Totals } from "../storage/store.ts";
import { backupArnOf } from "./backup-arn.ts";
import type { Context } from "./operation.ts";
import { streamArn } from "./stream-arn.ts";
import { tableArn } from "./table-name.ts";
import { decreasesToday, noThroughput, warmThroughput } from "./table-throughput.ts";

export type IndexStatus = "CREATING" | "UPDATING" | "DELETING" | "ACTIVE";

/**
 * How the answer to a request differs from what a later DescribeTable says: the service answers
 * before the work is done.
 */
export interface Announced {
  readonly status?: TableStatus;
  readonly indexStatus?: (index: IndexDescriptor) => IndexStatus | undefined;
  /** What is warm is told as it was before the request. */
  readonly before?: TableDescriptor;
  /** Whether the table (undefined) or the index of that name is being warmed up. */
  readonly warms?: (index: string | undefined) => boolean;
}

export async function tableDescription(
  context: Context,
  table: TableDescriptor,
  announced: Announced = {},
): Promise<Record<string, unknown>> {
  const { database } = context;
  const now = database.clock.now();
  const status = announced.status ?? tableStatus(table, now);
  const arn = tableArn(context, table.name);
  const size = await database.totals(table.id);
  const local: object[] = [];
  const global: object[] = [];
  for (const index of table.indexes) {
    const common = describeIndex(index, arn, await database.totals(index.id));
    if (index.kind === "local") local.push(common);
    else {
      const indexStatus =
        announced.indexStatus?.(index) ?? globalIndexStatus(index, status === "CREATING");
      global.push({ ...common, ...describeGlobal(table, index, indexStatus, announced, now) });
    }
  }
  return {
    AttributeDefinitions: attributeDefinitions(table),
    TableName: table.name,
    KeySchema: describeKey(table.key),
    TableStatus: status,
    CreationDateTime: seconds(table.createdAt),
    ProvisionedThroughput: describeThroughput(table.throughput, now),
    TableSizeBytes: size.bytes,
    ItemCount: size.count,
    TableArn: arn,
    TableId: table.uuid,
    ...describeBilling(table, status),
    ...(local.length > 0 && { LocalSecondaryIndexes: local }),
    // The indexes of a table that is being deleted are gone before it is.
    ...(global.length > 0 && status !== "DELETING" && { GlobalSecondaryIndexes: global }),
    ...describeTableStream(table, arn),
    ...describeRestore(context, table),
    ...describeEncryption(context, table),
    ...(table.tableClass !== undefined && {
      TableClassSummary: {
        TableClass: table.tableClass,
        ...(table.tableClassChangedAt !== undefined && {
          LastUpdateDateTime: seconds(table.tableClassChangedAt),
        }),
      },
    }),
    DeletionProtectionEnabled: table.deletionProtection,
    ...(table.onDemand !== undefined && { OnDemandThroughput: describeOnDemand(table.onDemand) }),
    ...(announced.status === "CREATING" && table.warm === undefined
      ? {}
      : { WarmThroughput: describeTableWarm(table, status, announced) }),
  };
}

export const seconds = (milliseconds: number): number => milliseconds / 1_000;

/** Every attribute of a key, by name. */
function attributeDefinitions(table: TableDescriptor): object[] {
  const types = new Map<string, KeyAttribute>();
  for (const { key } of [table, ...table.indexes]) {
    for (const attribute of keyAttributes(key)) types.set(attribute.name, attribute);
  }
  return [...types.values()]
    .sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)))
    .map(({ name, type }) => ({ AttributeName: name, AttributeType: type }));
}

export function describeKey(key: KeySchema): object[] {
  return [
    ...key.hash.map(({ name }) => ({ AttributeName: name, KeyType: "HASH" })),
    ...key.range.map(({ name }) => ({ AttributeName: name, KeyType: "RANGE" })),
  ];
}

function describeThroughput(throughput: Throughput, now: number): object {
  return {
    ...(throughput.lastIncreaseAt !== undefined && {
      LastIncreaseDateTime: seconds(throughput.lastIncreaseAt),
    }),
    ...(throughput.lastDecreaseAt !== undefined && {
      LastDecreaseDateTime: seconds(throughput.lastDecreaseAt),
    }),
    NumberOfDecreasesToday: decreasesToday(throughput, now),
    ReadCapacityUnits: throughput.read,
    WriteCapacityUnits: throughput.write,
  };
}

/** A table that was never on-demand says nothing of its mode. */
function describeBilling(table: TableDescriptor, status: TableStatus): object {
  const { billingMode, onDemandSince } = table;
  if (billingMode === "PROVISIONED" && onDemandSince === undefined) return {};
  const since =
    onDemandSince === undefined || status === "CREATING"
      ? {}
      : { LastUpdateToPayPerRequestDateTime: seconds(onDemandSince) };
  return {
    BillingModeSummary: { BillingMode: billingMode, ...since },
    TableThroughputModeSummary: { TableThroughputMode: billingMode, ...since },
  };
}

export function describeProjection({ type, attributes }: IndexProjection): object {
  return {
    ProjectionType: type,
    ...(type === "INCLUDE" && { NonKeyAttributes: attributes }),
  };
}

function describeIndex(index: IndexDescriptor, arn: string, size: Totals): object {
  return {
    IndexName: index.name,
    KeySchema: describeKey(index.key),
    Projection: describeProjection(index.projection),
    IndexSizeBytes: size.bytes,
    ItemCount: size.count,
    IndexArn: `${arn}/index/${index.name}`,
  };
}

function globalIndexStatus(index: IndexDescriptor, tableIsNew: boolean): IndexStatus {
  return tableIsNew || !index.ready ? "CREATING" : "ACTIVE";
}

function describeGlobal(
  table: TableDescriptor,
  index: IndexDescriptor,
  status: IndexStatus,
  announced: Announced,
  now: number,
): object {
  return {
    // The service does not tell it of a table that is being restored.
    ...(table.restore === undefined && { IndexStatus: status }),
    // Room is made first and filled then: the request that adds an index sees the former.
    ...(!index.ready && { Backfilling: announced.status === undefined }),
    ProvisionedThroughput: describeThroughput(index.throughput ?? noThroughput, now),
    ...(index.onDemand !== undefined && { OnDemandThroughput: describeOnDemand(index.onDemand) }),
    ...(announced.status === "CREATING"
      ? {}
      : { WarmThroughput: describeIndexWarm(table, index, status, announced) }),
  };
}

export function describeOnDemand(limits: OnDemandLimits): object {
  return {
    ...(limits.read !== undefined && { MaxReadRequestUnits: limits.read }),
    ...(limits.write !== undefined && { MaxWriteRequestUnits: limits.write }),
  };
}

function describeTableWarm(
  table: TableDescriptor,
  status: TableStatus,
  { before, warms }: Announced,
): object {
  const { billingMode } = before ?? table;
  const warm = warmThroughput(billingMode, before ?? table);
  return describeWarm(warm, status, warms?.(undefined) ?? false);
}

function describeIndexWarm(
  table: TableDescriptor,
  index: IndexDescriptor,
  status: IndexStatus,
  { before, warms }: Announced,
): object {
  const known = before?.indexes.find((one) => one.id === index.id);
  const warm =
    before === undefined || known === undefined
      ? warmThroughput(table.billingMode, index)
      : warmThroughput(before.billingMode, known);
  return describeWarm(warm, status, warms?.(index.name) ?? false);
}

/** To make room for a new table or index is to warm it up; no other change cools it. */
function describeWarm(warm: WarmThroughput, status: string, warms: boolean): object {
  const warming = warms || status === "CREATING";
  return {
    ReadUnitsPerSecond: warm.read,
    WriteUnitsPerSecond: warm.write,
    Status: warming ? "UPDATING" : status === "DELETING" ? "DELETING" : "ACTIVE",
  };
}

/** The last stream is named for as long as there is no other. */
function describeTableStream({ stream, formerStreamLabel }: TableDescriptor, arn: string): object {
  const label = stream?.label ?? formerStreamLabel;
  if (label === undefined) return {};
  return {
    ...(stream !== undefined && {
      StreamSpecification: { StreamEnabled: true, StreamViewType: stream.viewType },
    }),
    LatestStreamLabel: label,
    LatestStreamArn: streamArn(arn, label),
  };
}

/** Only as long as it goes on: later nothing tells a restored table from others. */
function describeRestore(context: Context, { restore }: TableDescriptor): object {
  if (restore === undefined) return {};
  const { table, backup, at } = restore;
  return {
    RestoreSummary: {
      ...(backup !== undefined && { SourceBackupArn: backupArnOf(context, table, backup) }),
      SourceTableArn: tableArn(context, table),
      RestoreDateTime: seconds(at),
      RestoreInProgress: true,
    },
  };
}

export function describeEncryption(context: Context, table: TableDescriptor): object {
  if (table.encryption === undefined) return {};
  const key = table.encryption.keyId ?? managedKeyId(context);
  return {
    SSEDescription: {
      Status: "ENABLED",
      SSEType: "KMS",
      KMSMasterKeyArn: key.startsWith("arn:")
        ? key
        : `arn:aws:kms:${context.region}:${context.account}:${
            key.startsWith("alias/") ? key : `key/${key}`
          }`,
    },
  };
}

/** The key that the service keeps for an account and Region; always the same for the same two. */
function managedKeyId({ account, region }: Context): string {
  const hex = createHash("sha256").update(`${account}/${region}/aws/dynamodb`).digest("hex");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}
