import { transferPageMax } from "../limits.ts";
import { integer, list, oneOf, required, string, struct, timestamp } from "../shape.ts";
import {
  type GlobalSecondaryIndex,
  globalIndexes,
  type VectorIndex,
  vectorIndexMembers,
} from "./create-table.ts";
import * as shared from "./shared.ts";

/** Exports to and imports from what stands for Amazon S3. */

export interface ExportTableToPointInTimeRequest {
  readonly TableArn: string;
  readonly ExportTime?: number;
  readonly ClientToken?: string;
  readonly S3Bucket: string;
  readonly S3BucketOwner?: string;
  readonly S3Prefix?: string;
  readonly S3SseAlgorithm?: "AES256" | "KMS";
  readonly S3SseKmsKeyId?: string;
  readonly ExportFormat?: "DYNAMODB_JSON" | "ION";
  readonly ExportType?: "FULL_EXPORT" | "INCREMENTAL_EXPORT";
  readonly IncrementalExportSpecification?: IncrementalExportSpecification;
  readonly FilterSpecification?: FilterSpecification;
}

export interface IncrementalExportSpecification {
  readonly ExportFromTime?: number;
  readonly ExportToTime?: number;
  readonly ExportViewType?: "NEW_IMAGE" | "NEW_AND_OLD_IMAGES";
}

export interface FilterSpecification {
  readonly FilterExpression?: string;
  readonly ProjectionExpression?: string;
  readonly KeyConditionExpression?: string;
  readonly ExpressionAttributeNames?: shared.ExpressionAttributeNames;
  readonly ExpressionAttributeValues?: shared.ExpressionAttributeValues;
}

export interface DescribeExportRequest {
  readonly ExportArn: string;
}

export interface ListExportsRequest {
  readonly TableArn?: string;
  readonly MaxResults?: number;
  readonly NextToken?: string;
}

export interface ImportTableRequest {
  readonly ClientToken: string;
  readonly S3BucketSource: S3BucketSource;
  readonly InputFormat: "DYNAMODB_JSON" | "ION" | "CSV";
  readonly InputFormatOptions?: InputFormatOptions;
  readonly InputCompressionType?: "GZIP" | "ZSTD" | "NONE";
  readonly TableCreationParameters: TableCreationParameters;
}

export interface S3BucketSource {
  readonly S3BucketOwner?: string;
  readonly S3Bucket: string;
  readonly S3KeyPrefix?: string;
}

export interface InputFormatOptions {
  readonly Csv?: { readonly Delimiter?: string; readonly HeaderList?: readonly string[] };
}

export interface TableCreationParameters {
  readonly TableName: string;
  readonly AttributeDefinitions: readonly shared.AttributeDefinition[];
  readonly KeySchema: readonly shared.KeySchemaElement[];
  readonly BillingMode?: shared.BillingMode;
  readonly ProvisionedThroughput?: shared.ProvisionedThroughput;
  readonly OnDemandThroughput?: shared.OnDemandThroughput;
  readonly SSESpecification?: shared.SSESpecification;
  readonly GlobalSecondaryIndexes?: readonly GlobalSecondaryIndex[];
  readonly VectorIndexes?: readonly VectorIndex[];
}

export interface DescribeImportRequest {
  readonly ImportArn: string;
}

export interface ListImportsRequest {
  readonly TableArn?: string;
  readonly PageSize?: number;
  readonly NextToken?: string;
}

const clientToken = { pattern: "[^\\$]+" };
const bucket = string({
  required: true,
  max: 255,
  pattern: "[a-z0-9A-Z]+[\\.\\-\\w]*[a-z0-9A-Z]+",
});
const bucketOwner = string({ pattern: "[0-9]{12}" });
const tableArn = string({ min: 1, max: shared.arnLengthMax });
const page = integer({ min: 1, max: transferPageMax });

export const exportTableToPointInTimeShape = struct<ExportTableToPointInTimeRequest>(
  "ExportTableToPointInTimeInput",
  {
    TableArn: string({ required: true, min: 1, max: shared.arnLengthMax }),
    ExportTime: timestamp(),
    ClientToken: string(clientToken),
    S3Bucket: bucket,
    S3BucketOwner: bucketOwner,
    S3Prefix: string({ min: 1, max: 1_024 }),
    S3SseAlgorithm: oneOf(["KMS", "AES256"]),
    S3SseKmsKeyId: string({ min: 1, max: 2_048 }),
    ExportFormat: oneOf(["ION", "DYNAMODB_JSON"]),
    ExportType: oneOf(["INCREMENTAL_EXPORT", "FULL_EXPORT"]),
    IncrementalExportSpecification: struct<IncrementalExportSpecification>(
      "IncrementalExportSpecification",
      {
        ExportFromTime: timestamp(),
        ExportToTime: timestamp(),
        ExportViewType: oneOf(["NEW_AND_OLD_IMAGES", "NEW_IMAGE"]),
      },
    ),
    FilterSpecification: struct<FilterSpecification>("FilterSpecification", {
      FilterExpression: shared.expression,
      ProjectionExpression: shared.expression,
      KeyConditionExpression: shared.expression,
      ExpressionAttributeNames: shared.expressionAttributeNames,
      ExpressionAttributeValues: shared.expressionAttributeValues,
    }),
  },
);

const jobArn = string({ required: true, min: 37, max: shared.arnLengthMax });

export const describeExportShape = struct<DescribeExportRequest>("DescribeExportInput", {
  ExportArn: jobArn,
});

export const listExportsShape = struct<ListExportsRequest>("ListExportsInput", {
  TableArn: tableArn,
  MaxResults: page,
  NextToken: string(),
});

export const importTableShape = struct<ImportTableRequest>("ImportTableInput", {
  ClientToken: string({ ...clientToken, required: true }),
  S3BucketSource: required(
    struct<S3BucketSource>("S3BucketSource", {
      S3BucketOwner: bucketOwner,
      S3Bucket: bucket,
      S3KeyPrefix: string({ max: 1_024 }),
    }),
  ),
  InputFormat: oneOf(["ION", "CSV", "DYNAMODB_JSON"], { required: true }),
  InputFormatOptions: struct<InputFormatOptions>("InputFormatOptions", {
    Csv: struct<NonNullable<InputFormatOptions["Csv"]>>("CsvOptions", {
      Delimiter: string({ min: 1, max: 1, pattern: "[,;:|\\t ]" }),
      HeaderList: list(
        string({ min: 1, max: 65_536, pattern: "[\\x20-\\x21\\x23-\\x2B\\x2D-\\x7E]*" }),
        {
          min: 1,
          max: 255,
        },
      ),
    }),
  }),
  InputCompressionType: oneOf(["ZSTD", "NONE", "GZIP"]),
  TableCreationParameters: required(
    struct<TableCreationParameters>("TableCreationParameters", {
      TableName: shared.newTableName,
      AttributeDefinitions: list(shared.attributeDefinition, { required: true }),
      KeySchema: shared.keySchema,
      BillingMode: shared.billingMode,
      ProvisionedThroughput: shared.provisionedThroughput,
      OnDemandThroughput: shared.onDemandThroughput,
      SSESpecification: shared.sseSpecification,
      GlobalSecondaryIndexes: globalIndexes,
      VectorIndexes: list(struct<VectorIndex>("VectorIndex", vectorIndexMembers)),
    }),
  ),
});

export const describeImportShape = struct<DescribeImportRequest>("DescribeImportInput", {
  ImportArn: jobArn,
});

export const listImportsShape = struct<ListImportsRequest>("ListImportsInput", {
  TableArn: tableArn,
  PageSize: page,
  NextToken: string({ min: 112, max: 1_024, pattern: "([0-9a-f]{16})+" }),
});
