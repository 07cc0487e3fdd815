import { struct } from "../shape.ts";
import * as shared from "./shared.ts";

export interface DeleteTableRequest {
  readonly TableName: string;
}

export const deleteTableShape = struct<DeleteTableRequest>("DeleteTableInput", {
  TableName: shared.managedTableName,
});
