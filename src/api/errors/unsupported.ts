import { ServiceError } from "./service-error.ts";

/** What is missing altogether, by the operations that are about it. */
const missing: ReadonlyMap<string, string> = new Map([
  ["SearchVectors", "vector indexes"],
  ["StartBulkPutItems", "bulk operations"],
  ["CancelBulkOperation", "bulk operations"],
  ["DescribeBulkOperation", "bulk operations"],
  ["ListBulkOperations", "bulk operations"],
  ["DescribeTableReplicaAutoScaling", "replicas of tables"],
  ["UpdateTableReplicaAutoScaling", "replicas of tables"],
]);

/**
 * An operation of the API that this program knows of but does not carry out. Programs that ask whether an
 * operation is there look for "is not supported".
 */
export function operationNotSupported(operation: string): ServiceError {
  const feature = missing.get(operation);
  const reason = feature === undefined ? "" : ` (it has no ${feature})`;
  return new ServiceError(
    "UnsupportedOperationException",
    `${operation} is not supported by Keywright yet${reason}; COMPATIBILITY.md lists what is.`,
  );
}
