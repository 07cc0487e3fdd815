import { struct } from "../shape.ts";
import * as shared from "./shared.ts";

export interface PutItemRequest {
  readonly TableName: string;
  readonly Item: shared.Item;
  readonly Expected?: Readonly<Record<string, shared.ExpectedAttributeValue>>;
  readonly ReturnValues?: shared.ReturnValue;
  readonly ReturnConsumedCapacity?: shared.ReturnConsumedCapacity;
  readonly ReturnItemCollectionMetrics?: shared.ReturnItemCollectionMetrics;
  readonly ConditionalOperator?: shared.ConditionalOperator;
  readonly ConditionExpression?: string;
  readonly ExpressionAttributeNames?: shared.ExpressionAttributeNames;
  readonly ExpressionAttributeValues?: shared.ExpressionAttributeValues;
  readonly ReturnValuesOnConditionCheckFailure?: shared.ReturnValuesOnConditionCheckFailure;
}

export const putItemShape = struct<PutItemRequest>("PutItemInput", {
  ReturnConsumedCapacity: shared.returnConsumedCapacity,
  ReturnValues: shared.returnValues,
  TableName: shared.tableName,
  ReturnItemCollectionMetrics: shared.returnItemCollectionMetrics,
  Item: shared.requiredAttributes,
  ConditionalOperator: shared.conditionalOperator,
  Expected: shared.expected,
  ReturnValuesOnConditionCheckFailure: shared.returnValuesOnConditionCheckFailure,
  ConditionExpression: shared.expression,
  ExpressionAttributeValues: shared.expressionAttributeValues,
  ExpressionAttributeNames: shared.expressionAttributeNames,
});
