import { integer, struct } from "../shape.ts";
import * as shared from "./shared.ts";

export interface ListTablesRequest {
  readonly ExclusiveStartTableName?: string;
  readonly Limit?: number;
}

export const listTablesShape = struct<ListTablesRequest>("ListTablesInput", {
  ExclusiveStartTableName: shared.indexName,
  Limit: integer({ min: 1, max: 100 }),
});
