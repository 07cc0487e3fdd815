import { boolean, integer, struct } from "../shape.ts";
import * as shared from "./shared.ts";

export interface ScanRequest {
  readonly TableName: string;
  readonly IndexName?: string;
  readonly AttributesToGet?: readonly string[];
  readonly Limit?: number;
  readonly Select?: shared.Select;
  readonly ScanFilter?: Readonly<Record<string, shared.Condition>>;
  readonly ConditionalOperator?: shared.ConditionalOperator;
  readonly ExclusiveStartKey?: shared.Item;
  readonly ReturnConsumedCapacity?: shared.ReturnConsumedCapacity;
  readonly TotalSegments?: number;
  readonly Segment?: number;
  readonly ProjectionExpression?: string;
  readonly FilterExpression?: string;
  readonly ExpressionAttributeNames?: shared.ExpressionAttributeNames;
  readonly ExpressionAttributeValues?: shared.ExpressionAttributeValues;
  readonly ConsistentRead?: boolean;
}

export const scanShape = struct<ScanRequest>("ScanInput", {
  Select: shared.select,
  IndexName: shared.indexName,
  TotalSegments: integer({ min: 1, max: 1_000_000 }),
  ReturnConsumedCapacity: shared.returnConsumedCapacity,
  TableName: shared.tableName,
  ConditionalOperator: shared.conditionalOperator,
  ScanFilter: shared.conditions,
  Segment: integer({ min: 0, max: 999_999 }),
  Limit: integer({ min: 1 }),
  AttributesToGet: shared.attributesToGet,
  ExclusiveStartKey: shared.attributes,
  ConsistentRead: boolean(),
  FilterExpression: shared.expression,
  ProjectionExpression: shared.expression,
  ExpressionAttributeValues: shared.expressionAttributeValues,
  ExpressionAttributeNames: shared.expressionAttributeNames,
});
