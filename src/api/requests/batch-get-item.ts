import { boolean, list, map, struct } from "../shape.ts";
import * as shared from "./shared.ts";

export interface BatchGetItemRequest {
  readonly RequestItems: Readonly<Record<string, KeysAndAttributes>>;
  readonly ReturnConsumedCapacity?: shared.ReturnConsumedCapacity;
}

export interface KeysAndAttributes {
  readonly Keys: readonly shared.Item[];
  readonly AttributesToGet?: readonly string[];
  readonly ConsistentRead?: boolean;
  readonly ProjectionExpression?: string;
  readonly ExpressionAttributeNames?: shared.ExpressionAttributeNames;
}

export const batchGetItemShape = struct<BatchGetItemRequest>("BatchGetItemInput", {
  RequestItems: map(
    struct<KeysAndAttributes>("KeysAndAttributes", {
      Keys: list(shared.attributes, { required: true, min: 1, max: 100 }),
      AttributesToGet: shared.attributesToGet,
      ConsistentRead: boolean(),
      ProjectionExpression: shared.expression,
      ExpressionAttributeNames: shared.expressionAttributeNames,
    }),
    { required: true, min: 1, key: shared.batchTableName },
  ),
  ReturnConsumedCapacity: shared.returnConsumedCapacity,
});
