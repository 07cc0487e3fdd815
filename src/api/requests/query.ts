import { boolean, integer, struct } from "../shape.ts";
import * as shared from "./shared.ts";

export interface QueryRequest {
  readonly TableName: string;
  readonly IndexName?: string;
  readonly Select?: shared.Select;
  readonly AttributesToGet?: readonly string[];
  readonly Limit?: number;
  readonly ConsistentRead?: boolean;
  readonly KeyConditions?: Readonly<Record<string, shared.Condition>>;
  readonly QueryFilter?: Readonly<Record<string, shared.Condition>>;
  readonly ConditionalOperator?: shared.ConditionalOperator;
  readonly ScanIndexForward?: boolean;
  readonly ExclusiveStartKey?: shared.Item;
  readonly ReturnConsumedCapacity?: shared.ReturnConsumedCapacity;
  readonly ProjectionExpression?: string;
  readonly FilterExpression?: string;
  readonly KeyConditionExpression?: string;
  readonly ExpressionAttributeNames?: shared.ExpressionAttributeNames;
  readonly ExpressionAttributeValues?: shared.ExpressionAttributeValues;
}

export const queryShape = struct<QueryRequest>("QueryInput", {
  Select: shared.select,
  IndexName: shared.indexName,
  ReturnConsumedCapacity: shared.returnConsumedCapacity,
  QueryFilter: shared.conditions,
  TableName: shared.tableName,
  ConditionalOperator: shared.conditionalOperator,
  AttributesToGet: shared.attributesToGet,
  Limit: integer({ min: 1 }),
  KeyConditions: shared.conditions,
  ExclusiveStartKey: shared.attributes,
  ConsistentRead: boolean(),
  ScanIndexForward: boolean(),
  KeyConditionExpression: shared.expression,
  FilterExpression: shared.expression,
  ProjectionExpression: shared.expression,
  ExpressionAttributeValues: shared.expressionAttributeValues,
  ExpressionAttributeNames: shared.expressionAttributeNames,
});
