import type { Dialect } from "../api/dialect.ts";
import { constraintsFailed } from "../api/errors/request.ts";
import { ServiceError } from "../api/errors/service-error.ts";
import type { ValueLayer } from "../api/errors/value.ts";
import { isTooDeepForNewerLayer } from "../api/shape-constraints.ts";

/**
 * Since 2026-10 PutItem, UpdateItem and DeleteItem count whatever is wrong with the request by itself as
 * one validation error. What is found wrong by looking at the table stays bare, and so does what is wrong
 * with a request that is too deep for the newer layer.
 */
export function enveloped<T>(dialect: Dialect, request: object, check: () => T): T {
  if (dialect === "2026-05") return check();
  try {
    return check();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.type !== "ValidationException") throw error;
    throw isTooDeepForNewerLayer(request) ? error : constraintsFailed([error.message]);
  }
}

/** The operations whose values are still checked, and complained of, the older way. */
const olderValueLayer = new Set(["BatchWriteItem", "Scan"]);

export function valueLayer(dialect: Dialect, operation: string): ValueLayer {
  return dialect === "2026-05" || olderValueLayer.has(operation) ? "older" : "current";
}
