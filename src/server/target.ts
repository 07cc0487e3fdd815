/** Every operation of the service, known here or not: an unknown name is answered before the rest. */
const tableOperations =
  "BatchExecuteStatement BatchGetItem BatchWriteItem CancelBulkOperation CreateBackup " +
  "CreateGlobalTable CreateTable DeleteBackup DeleteItem DeleteResourcePolicy DeleteTable " +
  "DescribeBackup DescribeBulkOperation DescribeContinuousBackups DescribeContributorInsights " +
  "DescribeEndpoints DescribeExport DescribeGlobalTable DescribeGlobalTableSettings " +
  "DescribeImport DescribeKinesisStreamingDestination DescribeLimits DescribeTable " +
  "DescribeTableReplicaAutoScaling DescribeTimeToLive DisableKinesisStreamingDestination " +
  "EnableKinesisStreamingDestination ExecuteStatement ExecuteTransaction " +
  "ExportTableToPointInTime GetItem GetResourcePolicy ImportTable ListBackups " +
  "ListBulkOperations ListContributorInsights ListExports ListGlobalTables ListImports " +
  "ListTables ListTagsOfResource PutItem PutResourcePolicy Query RestoreTableFromBackup " +
  "RestoreTableToPointInTime Scan SearchVectors StartBulkPutItems TagResource " +
  "TransactGetItems TransactWriteItems UntagResource UpdateContinuousBackups " +
  "UpdateContributorInsights UpdateGlobalTable UpdateGlobalTableSettings UpdateItem " +
  "UpdateKinesisStreamingDestination UpdateTable UpdateTableReplicaAutoScaling UpdateTimeToLive";

const streamOperations = "DescribeStream GetRecords GetShardIterator ListStreams";

const operations = new Map<string, string>();
for (const name of tableOperations.split(" ")) operations.set(`DynamoDB_20120810.${name}`, name);
for (const name of streamOperations.split(" ")) {
  operations.set(`DynamoDBStreams_20120810.${name}`, name);
}

/** The operation that an `X-Amz-Target` header names, or undefined if there is no such operation. */
export function operationOf(target: string | undefined): string | undefined {
  return target === undefined ? undefined : operations.get(target);
}
