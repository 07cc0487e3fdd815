import type { ExportRecord } from "../transfers/transfer-records.ts";
import type { Context } from "./operation.ts";
import { seconds } from "./table-description.ts";
import { tableArn } from "./table-name.ts";
import { transferArn } from "./transfer-arn.ts";

/** What is known of an export. The type is told only if it was asked for, as the service does. */
export function exportDescription(context: Context, record: ExportRecord): object {
  const { time, result } = record;
  return {
    ...exportSummary(context, record),
    ExportType: record.request.ExportType,
    // Of which no SDK knows yet.
    DestinationType: "S3",
    StartTime: seconds(record.startedAt),
    ...(record.endedAt !== undefined && { EndTime: seconds(record.endedAt) }),
    ExportManifest: result?.manifest,
    TableArn: tableArn(context, record.tableName),
    TableId: record.tableUuid,
    ClientToken: record.token,
    S3Bucket: record.bucket,
    S3BucketOwner: record.bucketOwner,
    S3Prefix: record.prefix,
    S3SseAlgorithm: record.encryption,
    S3SseKmsKeyId: record.encryptionKey,
    FailureCode: record.failure?.code,
    FailureMessage: record.failure?.message,
    ExportFormat: record.format,
    BilledSizeBytes: result?.billedBytes,
    ItemCount: result?.items,
    FilterSpecification: record.filter,
    ...(time.kind === "full"
      ? { ExportTime: seconds(time.at) }
      : {
          IncrementalExportSpecification: {
            ExportFromTime: seconds(time.from),
            ExportToTime: seconds(time.to),
            ExportViewType: time.view,
          },
        }),
  };
}

export function exportSummary(context: Context, record: ExportRecord): object {
  return {
    ExportArn: transferArn(context, "export", record.tableName, record.id),
    ExportStatus: record.status,
    ExportType: record.time.kind === "full" ? "FULL_EXPORT" : "INCREMENTAL_EXPORT",
  };
}
