import { struct } from "../shape.ts";
import * as shared from "./shared.ts";

export interface DescribeTableRequest {
  readonly TableName: string;
}

export const describeTableShape = struct<DescribeTableRequest>("DescribeTableInput", {
  TableName: shared.managedTableName,
});
