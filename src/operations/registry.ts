import { batchExecuteStatement } from "./batch-execute-statement.ts";
import { batchGetItem } from "./batch-get-item.ts";
import { batchWriteItem } from "./batch-write-item.ts";
import { createBackup } from "./create-backup.ts";
import { createTable } from "./create-table.ts";
import { deleteBackup } from "./delete-backup.ts";
import { deleteItem } from "./delete-item.ts";
import { deleteResourcePolicy } from "./delete-resource-policy.ts";
import { deleteTable } from "./delete-table.ts";
import { describeBackup } from "./describe-backup.ts";
import { describeContinuousBackups } from "./describe-continuous-backups.ts";
import { describeContributorInsights } from "./describe-contributor-insights.ts";
import { describeEndpoints } from "./describe-endpoints.ts";
import { describeExport } from "./describe-export.ts";
import { describeImport } from "./describe-import.ts";
import { describeKinesisStreamingDestination } from "./describe-kinesis-streaming-destination.ts";
import { describeLimits } from "./describe-limits.ts";
import { describeStream } from "./describe-stream.ts";
import { describeTable } from "./describe-table.ts";
import { describeTimeToLive } from "./describe-time-to-live.ts";
import { disableKinesisStreamingDestination } from "./disable-kinesis-streaming-destination.ts";
import { enableKinesisStreamingDestination } from "./enable-kinesis-streaming-destination.ts";
import { executeStatement } from "./execute-statement.ts";
import { executeTransaction } from "./execute-transaction.ts";
import { exportTableToPointInTime } from "./export-table-to-point-in-time.ts";
import { getItem } from "./get-item.ts";
import { getRecords } from "./get-records.ts";
import { getResourcePolicy } from "./get-resource-policy.ts";
import { getShardIterator } from "./get-shard-iterator.ts";
import { importTable } from "./import-table.ts";
import {
  createGlobalTable,
  describeGlobalTable,
  describeGlobalTableSettings,
  listGlobalTables,
  updateGlobalTable,
  updateGlobalTableSettings,
} from "./legacy-global-tables.ts";
import { listBackups } from "./list-backups.ts";
import { listContributorInsights } from "./list-contributor-insights.ts";
import { listExports } from "./list-exports.ts";
import { listImports } from "./list-imports.ts";
import { listStreams } from "./list-streams.ts";
import { listTables } from "./list-tables.ts";
import { listTagsOfResource } from "./list-tags-of-resource.ts";
import type { Operation } from "./operation.ts";
import { putItem } from "./put-item.ts";
import { putResourcePolicy } from "./put-resource-policy.ts";
import { query } from "./query.ts";
import { restoreTableFromBackup } from "./restore-table-from-backup.ts";
import { restoreTableToPointInTime } from "./restore-table-to-point-in-time.ts";
import { scan } from "./scan.ts";
import { tagResource } from "./tag-resource.ts";
import { transactGetItems } from "./transact-get-items.ts";
import { transactWriteItems } from "./transact-write-items.ts";
import { untagResource } from "./untag-resource.ts";
import { updateContinuousBackups } from "./update-continuous-backups.ts";
import { updateContributorInsights } from "./update-contributor-insights.ts";
import { updateItem } from "./update-item.ts";
import { updateKinesisStreamingDestination } from "./update-kinesis-streaming-destination.ts";
import { updateTable } from "./update-table.ts";
import { updateTimeToLive } from "./update-time-to-live.ts";

/** A request of any operation: its shape has been checked before `run` sees it. */
export type AnyOperation = Operation<unknown>;

const supported: readonly AnyOperation[] = [
  batchExecuteStatement,
  batchGetItem,
  batchWriteItem,
  createBackup,
  createGlobalTable,
  createTable,
  deleteBackup,
  deleteItem,
  deleteResourcePolicy,
  deleteTable,
  describeBackup,
  describeContinuousBackups,
  describeContributorInsights,
  describeEndpoints,
  describeGlobalTable,
  describeGlobalTableSettings,
  describeImport,
  describeKinesisStreamingDestination,
  describeLimits,
  describeTable,
  describeTimeToLive,
  disableKinesisStreamingDestination,
  enableKinesisStreamingDestination,
  executeStatement,
  executeTransaction,
  getItem,
  getResourcePolicy,
  importTable,
  listBackups,
  listContributorInsights,
  listGlobalTables,
  listImports,
  listTables,
  listTagsOfResource,
  putItem,
  putResourcePolicy,
  query,
  restoreTableFromBackup,
  restoreTableToPointInTime,
  scan,
  tagResource,
  transactGetItems,
  transactWriteItems,
  untagResource,
  updateContinuousBackups,
  updateContributorInsights,
  updateGlobalTable,
  updateGlobalTableSettings,
  updateItem,
  updateKinesisStreamingDestination,
  updateTable,
  exportTableToPointInTime,
  describeExport,
  listExports,
  updateTimeToLive,
];

/** The rest of the API: known by name, answered with what is missing. */
const unsupported: readonly string[] = [
  "CancelBulkOperation",
  "DescribeBulkOperation",
  "DescribeTableReplicaAutoScaling",
  "ListBulkOperations",
  "SearchVectors",
  "StartBulkPutItems",
  "UpdateTableReplicaAutoScaling",
];

/** Every operation of the API by name; those without an entry to run are known but not supported. */
export const registry: ReadonlyMap<string, AnyOperation | undefined> = new Map([
  ...supported.map((operation): [string, AnyOperation] => [operation.name, operation]),
  ...unsupported.map((name): [string, undefined] => [name, undefined]),
]);

/** The operations of the streams API, a service of its own. */
export const streamRegistry: ReadonlyMap<string, AnyOperation> = new Map(
  [describeStream, getRecords, getShardIterator, listStreams].map(
    (operation: AnyOperation): [string, AnyOperation] => [operation.name, operation],
  ),
);
