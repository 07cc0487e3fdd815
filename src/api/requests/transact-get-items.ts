import { list, required, struct } from "../shape.ts";
import * as shared from "./shared.ts";

export interface TransactGetItemsRequest {
  readonly TransactItems: readonly TransactGetItem[];
  readonly ReturnConsumedCapacity?: shared.ReturnConsumedCapacity;
}

export interface TransactGetItem {
  readonly Get: TransactGet;
}

export interface TransactGet {
  readonly Key: shared.Item;
  readonly TableName: string;
  readonly ProjectionExpression?: string;
  readonly ExpressionAttributeNames?: shared.ExpressionAttributeNames;
}

const get = struct<TransactGet>("Get", {
  Key: shared.requiredAttributes,
  TableName: shared.tableName,
  ProjectionExpression: shared.expression,
  ExpressionAttributeNames: shared.expressionAttributeNames,
});

export const transactGetItemsShape = struct<TransactGetItemsRequest>("TransactGetItemsInput", {
  TransactItems: list(struct<TransactGetItem>("TransactGetItem", { Get: required(get) }), {
    required: true,
    min: 1,
    max: 100,
  }),
  ReturnConsumedCapacity: shared.returnConsumedCapacity,
});
