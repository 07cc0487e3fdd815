import * as limits from "../limits.ts";
import { boolean, integer, list, oneOf, required, string, struct, timestamp } from "../shape.ts";
import {
  type GlobalSecondaryIndex,
  globalIndexShape,
  type LocalSecondaryIndex,
  localIndexShape,
  type VectorIndex,
  vectorIndexShape,
} from "./create-table.ts";
import * as shared from "./shared.ts";

export interface CreateBackupRequest {
  readonly TableName: string;
  readonly BackupName: string;
}

export interface BackupRequest {
  readonly BackupArn: string;
}

export interface ListBackupsRequest {
  readonly TableName?: string;
  readonly Limit?: number;
  /** Seconds since the epoch. */
  readonly TimeRangeLowerBound?: number;
  readonly TimeRangeUpperBound?: number;
  readonly ExclusiveStartBackupArn?: string;
  readonly BackupType?: "USER" | "SYSTEM" | "AWS_BACKUP" | "ALL";
}

/** How a restored table is to differ from its source. */
export interface RestoreOverrides {
  readonly BillingModeOverride?: shared.BillingMode;
  readonly GlobalSecondaryIndexOverride?: readonly GlobalSecondaryIndex[];
  readonly LocalSecondaryIndexOverride?: readonly LocalSecondaryIndex[];
  readonly ProvisionedThroughputOverride?: shared.ProvisionedThroughput;
  readonly OnDemandThroughputOverride?: shared.OnDemandThroughput;
  readonly SSESpecificationOverride?: shared.SSESpecification;
  readonly VectorIndexOverride?: readonly VectorIndex[];
}

export interface RestoreTableFromBackupRequest extends RestoreOverrides, BackupRequest {
  readonly TargetTableName: string;
}

export interface RestoreTableToPointInTimeRequest extends RestoreOverrides {
  readonly SourceTableArn?: string;
  readonly SourceTableName?: string;
  readonly TargetTableName: string;
  readonly UseLatestRestorableTime?: boolean;
  readonly RestoreDateTime?: number;
}

export interface DescribeContinuousBackupsRequest {
  readonly TableName: string;
}

export interface UpdateContinuousBackupsRequest {
  readonly TableName: string;
  readonly PointInTimeRecoverySpecification: {
    readonly PointInTimeRecoveryEnabled: boolean;
    readonly RecoveryPeriodInDays?: number;
  };
}

const arnBounds = { min: limits.backupArnCharactersMin, max: limits.backupArnCharactersMax };
const backupArn = string({ required: true, ...arnBounds });

export const createBackupShape = struct<CreateBackupRequest>("CreateBackupInput", {
  TableName: shared.tableName,
  BackupName: string({
    required: true,
    pattern: shared.namePattern,
    min: limits.backupNameCharactersMin,
    max: limits.backupNameCharactersMax,
  }),
});

export const describeBackupShape = struct<BackupRequest>("DescribeBackupInput", {
  BackupArn: backupArn,
});

export const deleteBackupShape = struct<BackupRequest>("DeleteBackupInput", {
  BackupArn: backupArn,
});

export const listBackupsShape = struct<ListBackupsRequest>("ListBackupsInput", {
  TableName: string({
    pattern: shared.namePattern,
    min: 1,
    max: limits.tableNameCharactersMax,
    arnMax: shared.arnLengthMax,
  }),
  Limit: integer({ min: 1, max: limits.listBackupsPageMax }),
  TimeRangeLowerBound: timestamp(),
  TimeRangeUpperBound: timestamp(),
  ExclusiveStartBackupArn: string(arnBounds),
  BackupType: oneOf(["USER", "SYSTEM", "AWS_BACKUP", "ALL"]),
});

const overrides = {
  BillingModeOverride: shared.billingMode,
  GlobalSecondaryIndexOverride: list(globalIndexShape),
  LocalSecondaryIndexOverride: list(localIndexShape),
  ProvisionedThroughputOverride: shared.provisionedThroughput,
  OnDemandThroughputOverride: shared.onDemandThroughput,
  SSESpecificationOverride: shared.sseSpecification,
  VectorIndexOverride: list(vectorIndexShape),
};

export const restoreTableFromBackupShape = struct<RestoreTableFromBackupRequest>(
  "RestoreTableFromBackupInput",
  { TargetTableName: shared.newTableName, BackupArn: backupArn, ...overrides },
);

export const restoreTableToPointInTimeShape = struct<RestoreTableToPointInTimeRequest>(
  "RestoreTableToPointInTimeInput",
  {
    SourceTableArn: string({ min: 1, max: shared.arnLengthMax }),
    SourceTableName: string({
      pattern: shared.namePattern,
      min: limits.tableNameCharactersMin,
      max: limits.tableNameCharactersMax,
    }),
    TargetTableName: shared.newTableName,
    UseLatestRestorableTime: boolean(),
    RestoreDateTime: timestamp(),
    ...overrides,
  },
);

export const describeContinuousBackupsShape = struct<DescribeContinuousBackupsRequest>(
  "DescribeContinuousBackupsInput",
  { TableName: shared.tableName },
);

export const updateContinuousBackupsShape = struct<UpdateContinuousBackupsRequest>(
  "UpdateContinuousBackupsInput",
  {
    TableName: shared.tableName,
    PointInTimeRecoverySpecification: required(
      struct<UpdateContinuousBackupsRequest["PointInTimeRecoverySpecification"]>(
        "PointInTimeRecoverySpecification",
        {
          PointInTimeRecoveryEnabled: boolean({ required: true }),
          RecoveryPeriodInDays: integer({
            min: limits.recoveryDaysMin,
            max: limits.recoveryDaysMax,
          }),
        },
      ),
    ),
  },
);
