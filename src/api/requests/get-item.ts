import { boolean, struct } from "../shape.ts";
import * as shared from "./shared.ts";

export interface GetItemRequest {
  readonly TableName: string;
  readonly Key: shared.Item;
  readonly AttributesToGet?: readonly string[];
  readonly ConsistentRead?: boolean;
  readonly ReturnConsumedCapacity?: shared.ReturnConsumedCapacity;
  readonly ProjectionExpression?: string;
  readonly ExpressionAttributeNames?: shared.ExpressionAttributeNames;
}

export const getItemShape = struct<GetItemRequest>("GetItemInput", {
  ReturnConsumedCapacity: shared.returnConsumedCapacity,
  AttributesToGet: shared.attributesToGet,
  Key: shared.requiredAttributes,
  TableName: shared.tableName,
  ConsistentRead: boolean(),
  ProjectionExpression: shared.expression,
  ExpressionAttributeNames: shared.expressionAttributeNames,
});
