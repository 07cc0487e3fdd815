import { list, string, struct } from "../shape.ts";
import * as shared from "./shared.ts";

export interface TransactWriteItemsRequest {
  readonly TransactItems: readonly TransactWriteItem[];
  readonly ReturnConsumedCapacity?: shared.ReturnConsumedCapacity;
  readonly ReturnItemCollectionMetrics?: shared.ReturnItemCollectionMetrics;
  readonly ClientRequestToken?: string;
}

export interface TransactWriteItem {
  readonly ConditionCheck?: TransactConditionCheck;
  readonly Put?: TransactPut;
  readonly Delete?: TransactDelete;
  readonly Update?: TransactUpdate;
}

/** What the four actions have in common. */
export interface TransactAction {
  readonly TableName: string;
  readonly ConditionExpression?: string;
  readonly ExpressionAttributeNames?: shared.ExpressionAttributeNames;
  readonly ExpressionAttributeValues?: shared.ExpressionAttributeValues;
  readonly ReturnValuesOnConditionCheckFailure?: shared.ReturnValuesOnConditionCheckFailure;
}

export interface TransactConditionCheck extends TransactAction {
  readonly Key: shared.Item;
  readonly ConditionExpression: string;
}

export interface TransactPut extends TransactAction {
  readonly Item: shared.Item;
}

export interface TransactDelete extends TransactAction {
  readonly Key: shared.Item;
}

export interface TransactUpdate extends TransactAction {
  readonly Key: shared.Item;
  readonly UpdateExpression: string;
}

const action = {
  TableName: shared.tableName,
  ConditionExpression: shared.expression,
  ExpressionAttributeNames: shared.expressionAttributeNames,
  ExpressionAttributeValues: shared.expressionAttributeValues,
  ReturnValuesOnConditionCheckFailure: shared.returnValuesOnConditionCheckFailure,
};
const key = { Key: shared.requiredAttributes };
const requiredExpression = string({ required: true });

export const transactWriteItemsShape = struct<TransactWriteItemsRequest>(
  "TransactWriteItemsInput",
  {
    ClientRequestToken: string({ min: 1, max: 36 }),
    ReturnConsumedCapacity: shared.returnConsumedCapacity,
    ReturnItemCollectionMetrics: shared.returnItemCollectionMetrics,
    TransactItems: list(
      struct<TransactWriteItem>("TransactWriteItem", {
        ConditionCheck: struct<TransactConditionCheck>("ConditionCheck", {
          ...key,
          ...action,
          ConditionExpression: requiredExpression,
        }),
        Put: struct<TransactPut>("Put", { Item: shared.requiredAttributes, ...action }),
        Delete: struct<TransactDelete>("Delete", { ...key, ...action }),
        Update: struct<TransactUpdate>("Update", {
          ...key,
          UpdateExpression: requiredExpression,
          ...action,
        }),
      }),
      { required: true, min: 1, max: 100 },
    ),
  },
);
