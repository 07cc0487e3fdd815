import { struct } from "../shape.ts";
import * as shared from "./shared.ts";

export interface DeleteItemRequest {
  readonly TableName: string;
  readonly Key: shared.Item;
  readonly Expected?: Readonly<Record<string, shared.ExpectedAttributeValue>>;
  readonly ConditionalOperator?: shared.ConditionalOperator;
  readonly ReturnValues?: shared.ReturnValue;
  readonly ReturnConsumedCapacity?: shared.ReturnConsumedCapacity;
  readonly ReturnItemCollectionMetrics?: shared.ReturnItemCollectionMetrics;
  readonly ConditionExpression?: string;
  readonly ExpressionAttributeNames?: shared.ExpressionAttributeNames;
  readonly ExpressionAttributeValues?: shared.ExpressionAttributeValues;
  readonly ReturnValuesOnConditionCheckFailure?: shared.ReturnValuesOnConditionCheckFailure;
}

export const deleteItemShape = struct<DeleteItemRequest>("DeleteItemInput", {
  ReturnConsumedCapacity: shared.returnConsumedCapacity,
  TableName: shared.tableName,
  ReturnValues: shared.returnValues,
  ReturnItemCollectionMetrics: shared.returnItemCollectionMetrics,
  ConditionalOperator: shared.conditionalOperator,
  Key: shared.requiredAttributes,
  Expected: shared.expected,
  ReturnValuesOnConditionCheckFailure: shared.returnValuesOnConditionCheckFailure,
  ConditionExpression: shared.expression,
  ExpressionAttributeValues: shared.expressionAttributeValues,
  ExpressionAttributeNames: shared.expressionAttributeNames,
});
