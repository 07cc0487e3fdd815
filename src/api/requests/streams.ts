import { integer, oneOf, string, struct } from "../shape.ts";
import { namePattern } from "./shared.ts";

/** Requests of DynamoDB Streams, a service of its own. */

export interface ListStreamsRequest {
  readonly TableName?: string;
  readonly Limit?: number;
  readonly ExclusiveStartStreamArn?: string;
}

export interface ShardFilter {
  readonly Type?: "CHILD_SHARDS";
  readonly ShardId?: string;
}

export interface DescribeStreamRequest {
  readonly StreamArn: string;
  readonly Limit?: number;
  readonly ExclusiveStartShardId?: string;
  readonly ShardFilter?: ShardFilter;
}

export type ShardIteratorType =
  | "TRIM_HORIZON"
  | "LATEST"
  | "AT_SEQUENCE_NUMBER"
  | "AFTER_SEQUENCE_NUMBER";

export interface GetShardIteratorRequest {
  readonly StreamArn: string;
  readonly ShardId: string;
  readonly ShardIteratorType: ShardIteratorType;
  readonly SequenceNumber?: string;
}

export interface GetRecordsRequest {
  readonly ShardIterator: string;
  readonly Limit?: number;
}

const arnLength = { min: 37, max: 1_024 };
const shardIdLength = { min: 28, max: 65 };

export const listStreamsShape = struct<ListStreamsRequest>("ListStreamsInput", {
  TableName: string({ pattern: namePattern, min: 3, max: 255 }),
  Limit: integer({ min: 1, max: 100 }),
  ExclusiveStartStreamArn: string(arnLength),
});

export const describeStreamShape = struct<DescribeStreamRequest>("DescribeStreamInput", {
  StreamArn: string({ required: true, ...arnLength }),
  Limit: integer({ min: 1, max: 100 }),
  ExclusiveStartShardId: string(shardIdLength),
  ShardFilter: struct<ShardFilter>("ShardFilter", {
    Type: oneOf(["CHILD_SHARDS"]),
    ShardId: string(shardIdLength),
  }),
});

export const getShardIteratorShape = struct<GetShardIteratorRequest>("GetShardIteratorInput", {
  StreamArn: string({ required: true, ...arnLength }),
  ShardId: string({ required: true, ...shardIdLength }),
  ShardIteratorType: oneOf(
    ["AFTER_SEQUENCE_NUMBER", "LATEST", "AT_SEQUENCE_NUMBER", "TRIM_HORIZON"],
    { required: true },
  ),
  SequenceNumber: string({ min: 21, max: 40 }),
});

export const getRecordsShape = struct<GetRecordsRequest>("GetRecordsInput", {
  ShardIterator: string({ required: true, min: 1, max: 2_048 }),
  Limit: integer({ min: 1, max: 1_000 }),
});
