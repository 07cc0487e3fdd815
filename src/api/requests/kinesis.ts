import { oneOf, string, struct } from "../shape.ts";
import * as shared from "./shared.ts";

export type TimePrecision = "MILLISECOND" | "MICROSECOND";

export interface StreamingConfiguration {
  readonly ApproximateCreationDateTimePrecision?: TimePrecision;
}

export interface DescribeKinesisRequest {
  readonly TableName: string;
}

/** To enable or to disable. */
export interface KinesisRequest {
  readonly TableName: string;
  readonly StreamArn: string;
  readonly EnableKinesisStreamingConfiguration?: StreamingConfiguration;
}

export interface UpdateKinesisRequest {
  readonly TableName: string;
  readonly StreamArn: string;
  readonly UpdateKinesisStreamingConfiguration?: StreamingConfiguration;
}

const precision = {
  ApproximateCreationDateTimePrecision: oneOf(["MILLISECOND", "MICROSECOND"]),
};

const enabling = struct<StreamingConfiguration>("EnableKinesisStreamingConfiguration", precision);
const updating = struct<StreamingConfiguration>("UpdateKinesisStreamingConfiguration", precision);

export const describeKinesisShape = struct<DescribeKinesisRequest>(
  "DescribeKinesisStreamingDestinationInput",
  { TableName: shared.tableName },
);

export const enableKinesisShape = struct<KinesisRequest>("KinesisStreamingDestinationInput", {
  TableName: shared.tableName,
  StreamArn: string({ required: true, min: 37, max: 1_024 }),
  EnableKinesisStreamingConfiguration: enabling,
});

/** Any text is taken for the ARN of a stream: there is nothing to disable under a bad one. */
export const disableKinesisShape = struct<KinesisRequest>("KinesisStreamingDestinationInput", {
  TableName: shared.tableName,
  StreamArn: string({ required: true }),
  EnableKinesisStreamingConfiguration: enabling,
});

export const updateKinesisShape = struct<UpdateKinesisRequest>(
  "UpdateKinesisStreamingDestinationInput",
  {
    TableName: shared.tableName,
    StreamArn: string({ required: true }),
    UpdateKinesisStreamingConfiguration: updating,
  },
);
