import { list, map, struct } from "../shape.ts";
import * as shared from "./shared.ts";

export interface BatchWriteItemRequest {
  readonly RequestItems: Readonly<Record<string, readonly WriteRequest[]>>;
  readonly ReturnConsumedCapacity?: shared.ReturnConsumedCapacity;
  readonly ReturnItemCollectionMetrics?: shared.ReturnItemCollectionMetrics;
}

export interface WriteRequest {
  readonly PutRequest?: { readonly Item: shared.Item };
  readonly DeleteRequest?: { readonly Key: shared.Item };
}

const writeRequest = struct<WriteRequest>(
  "WriteRequest",
  {
    DeleteRequest: struct<{ readonly Key: shared.Item }>("DeleteRequest", {
      Key: shared.requiredAttributes,
    }),
    PutRequest: struct<{ readonly Item: shared.Item }>(
      "PutRequest",
      { Item: shared.requiredAttributes },
      { echo: ["Item", "WorkloadProfileName"] },
    ),
  },
  { echo: ["PutRequest", "DeleteRequest"] },
);

export const batchWriteItemShape = struct<BatchWriteItemRequest>("BatchWriteItemInput", {
  ReturnConsumedCapacity: shared.returnConsumedCapacity,
  ReturnItemCollectionMetrics: shared.returnItemCollectionMetrics,
  RequestItems: map(list(writeRequest, { min: 1, max: 25 }), {
    required: true,
    min: 1,
    key: shared.batchTableName,
  }),
});
