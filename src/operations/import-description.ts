import type { ImportRecord } from "../transfers/transfer-records.ts";
import type { Context } from "./operation.ts";
import { seconds } from "./table-description.ts";
import { tableArn } from "./table-name.ts";
import { transferArn } from "./transfer-arn.ts";

/** What is known of an import. What it has read is told when it has ended, as the service does. */
export function importDescription(context: Context, record: ImportRecord): object {
  const { result } = record;
  return {
    ...common(context, record),
    TableId: record.table.uuid,
    ClientToken: record.token,
    ErrorCount: result?.errors ?? 0,
    InputFormatOptions: record.request.InputFormatOptions,
    InputCompressionType: record.compression,
    TableCreationParameters: record.request.TableCreationParameters,
    ProcessedSizeBytes: result?.bytes,
    ProcessedItemCount: result?.processed ?? 0,
    ImportedItemCount: result?.imported ?? 0,
    FailureCode: record.failure?.code,
    FailureMessage: record.failure?.message,
  };
}

export const importSummary = (context: Context, record: ImportRecord): object =>
  common(context, record);

function common(context: Context, record: ImportRecord): object {
  const { account, region } = context;
  return {
    ImportArn: transferArn(context, "import", record.table.name, record.id),
    ImportStatus: record.status,
    TableArn: tableArn(context, record.table.name),
    S3BucketSource: {
      S3BucketOwner: account,
      ...(record.request.S3BucketSource as object),
    },
    CloudWatchLogGroupArn: `arn:aws:logs:${region}:${account}:log-group:/aws-dynamodb/imports:*`,
    InputFormat: record.format,
    StartTime: seconds(record.startedAt),
    ...(record.endedAt !== undefined && { EndTime: seconds(record.endedAt) }),
  };
}
