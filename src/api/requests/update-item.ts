import { attributeValue, map, oneOf, struct } from "../shape.ts";
import * as shared from "./shared.ts";

export interface UpdateItemRequest {
  readonly TableName: string;
  readonly Key: shared.Item;
  readonly AttributeUpdates?: Readonly<Record<string, AttributeValueUpdate>>;
  readonly Expected?: Readonly<Record<string, shared.ExpectedAttributeValue>>;
  readonly ConditionalOperator?: shared.ConditionalOperator;
  readonly ReturnValues?: shared.ReturnValue;
  readonly ReturnConsumedCapacity?: shared.ReturnConsumedCapacity;
  readonly ReturnItemCollectionMetrics?: shared.ReturnItemCollectionMetrics;
  readonly UpdateExpression?: string;
  readonly ConditionExpression?: string;
  readonly ExpressionAttributeNames?: shared.ExpressionAttributeNames;
  readonly ExpressionAttributeValues?: shared.ExpressionAttributeValues;
  readonly ReturnValuesOnConditionCheckFailure?: shared.ReturnValuesOnConditionCheckFailure;
}

export interface AttributeValueUpdate {
  readonly Value?: shared.AttributeValue;
  readonly Action?: "ADD" | "PUT" | "DELETE";
}

export const updateItemShape = struct<UpdateItemRequest>("UpdateItemInput", {
  ReturnConsumedCapacity: shared.returnConsumedCapacity,
  TableName: shared.tableName,
  ReturnItemCollectionMetrics: shared.returnItemCollectionMetrics,
  ReturnValues: shared.returnValues,
  ConditionalOperator: shared.conditionalOperator,
  Key: shared.requiredAttributes,
  Expected: shared.expected,
  AttributeUpdates: map(
    struct<AttributeValueUpdate>("AttributeValueUpdate", {
      Value: attributeValue(),
      Action: oneOf(["ADD", "PUT", "DELETE"]),
    }),
  ),
  ReturnValuesOnConditionCheckFailure: shared.returnValuesOnConditionCheckFailure,
  ConditionExpression: shared.expression,
  UpdateExpression: shared.expression,
  ExpressionAttributeValues: shared.expressionAttributeValues,
  ExpressionAttributeNames: shared.expressionAttributeNames,
});
