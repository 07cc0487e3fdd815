import { matches } from "./wildcards.ts";

/** Actions that the policy of a table can speak of, without `dynamodb:`. */
const tableActions = [
  "AssociateTableReplica",
  "BatchGetItem",
  "BatchWriteItem",
  "ConditionCheckItem",
  "CreateBackup",
  "CreateTableReplica",
  "DeleteItem",
  "DeleteResourcePolicy",
  "DeleteTable",
  "DeleteTableReplica",
  "DescribeContinuousBackups",
  "DescribeContributorInsights",
  "DescribeKinesisStreamingDestination",
  "DescribeTable",
  "DescribeTableReplicaAutoScaling",
  "DescribeTimeToLive",
  "DisableKinesisStreamingDestination",
  "EnableKinesisStreamingDestination",
  "ExportTableToPointInTime",
  "GetItem",
  "GetResourcePolicy",
  "ListTagsOfResource",
  "PartiQLDelete",
  "PartiQLInsert",
  "PartiQLSelect",
  "PartiQLUpdate",
  "PutItem",
  "PutResourcePolicy",
  "Query",
  "ReadDataForReplication",
  "ReplicateSettings",
  "RestoreTableToPointInTime",
  "Scan",
  "SearchVectors",
  "TagResource",
  "UntagResource",
  "UpdateContinuousBackups",
  "UpdateContributorInsights",
  "UpdateItem",
  "UpdateKinesisStreamingDestination",
  "UpdateTable",
  "UpdateTableReplicaAutoScaling",
  "UpdateTimeToLive",
  "WriteDataForReplication",
];

const streamActions = [
  "DeleteResourcePolicy",
  "DescribeStream",
  "GetRecords",
  "GetResourcePolicy",
  "GetShardIterator",
  "PutResourcePolicy",
];

const prefix = "dynamodb:";

/** Whether an action, which may hold `*` and `?`, stands for one that the policy can speak of. */
export function isAction(action: string, kind: "table" | "stream"): boolean {
  const known = kind === "table" ? tableActions : streamActions;
  return known.some((name) => isActionOf(action, name));
}

/** The case of letters does not matter. */
export function isActionOf(action: string, name: string): boolean {
  return matches(action.toLowerCase(), (prefix + name).toLowerCase());
}
