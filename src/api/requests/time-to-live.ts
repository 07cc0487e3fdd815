import { timeToLiveAttributeCharactersMax } from "../limits.ts";
import { boolean, string, struct } from "../shape.ts";
import * as shared from "./shared.ts";

export interface DescribeTimeToLiveRequest {
  readonly TableName: string;
}

export interface UpdateTimeToLiveRequest {
  readonly TableName: string;
  readonly TimeToLiveSpecification: {
    readonly Enabled: boolean;
    readonly AttributeName: string;
  };
}

export const describeTimeToLiveShape = struct<DescribeTimeToLiveRequest>(
  "DescribeTimeToLiveInput",
  { TableName: shared.tableName },
);

export const updateTimeToLiveShape = struct<UpdateTimeToLiveRequest>("UpdateTimeToLiveInput", {
  TableName: shared.tableName,
  TimeToLiveSpecification: struct(
    "TimeToLiveSpecification",
    {
      AttributeName: string({ required: true, min: 1, max: timeToLiveAttributeCharactersMax }),
      Enabled: boolean({ required: true }),
    },
    { required: true },
  ),
});
