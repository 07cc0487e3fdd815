/** What went wrong, as programs want to know it. The SDK's errors are told by their names: no class of it is imported. */

/** The root of the errors below. */
export class PatternError extends Error {
  override readonly name: string = "PatternError";
}

/** There is an item already where a new one was to be. */
export class AlreadyExistsError extends PatternError {
  override readonly name = "AlreadyExistsError";
}

/** The item that was to be changed is not there. */
export class NotFoundError extends PatternError {
  override readonly name = "NotFoundError";
}

/** Somebody else changed the item meanwhile. */
export class VersionConflictError extends PatternError {
  override readonly name = "VersionConflictError";
}

/** A value that only one item may have belongs to another one. */
export class NotUniqueError extends PatternError {
  override readonly name = "NotUniqueError";
}

/** A condition that was asked for does not hold. */
export class ConditionFailedError extends PatternError {
  override readonly name = "ConditionFailedError";
}

/** Why a member of a transaction was refused. */
export interface CancellationReason {
  readonly Code?: string | undefined;
  readonly Message?: string | undefined;
  readonly Item?: Readonly<Record<string, unknown>> | undefined;
}

function errorName(error: unknown): string {
  const isNamed = typeof error === "object" && error !== null && "name" in error;
  return isNamed && typeof error.name === "string" ? error.name : "";
}

/** A condition of a single write did not hold. */
export function isConditionFailed(error: unknown): boolean {
  return errorName(error) === "ConditionalCheckFailedException";
}

/** Why each member of a transaction was refused, in their order; nothing if this is no cancelled transaction. */
export function cancellationReasons(error: unknown): readonly CancellationReason[] {
  if (errorName(error) !== "TransactionCanceledException") return [];
  const reasons = (error as { readonly CancellationReasons?: unknown }).CancellationReasons;
  return Array.isArray(reasons) ? (reasons as readonly CancellationReason[]) : [];
}

/** The places of a transaction's members whose condition did not hold. */
export function failedMembers(error: unknown): readonly number[] {
  return cancellationReasons(error).flatMap(({ Code: code }, place) =>
    code === "ConditionalCheckFailed" ? [place] : [],
  );
}

const throttlingNames: ReadonlySet<string> = new Set([
  "ProvisionedThroughputExceededException",
  "ProvisionedThroughputExceeded",
  "ThrottlingException",
  "ThrottlingError",
  "ThrottledException",
  "RequestLimitExceeded",
]);

/** More was asked than there is capacity for; later it will work. */
export function isThrottled(error: unknown): boolean {
  return throttlingNames.has(errorName(error));
}

const passingReasons: ReadonlySet<string> = new Set([
  ...throttlingNames,
  "None",
  "TransactionConflict",
]);

/** Other requests were in the way, and nothing else: the same request can work later. */
export function isPassing(error: unknown): boolean {
  const name = errorName(error);
  if (isThrottled(error)) return true;
  if (name === "TransactionConflictException" || name === "TransactionInProgressException") {
    return true;
  }
  const reasons = cancellationReasons(error);
  return (
    reasons.length > 0 && reasons.every(({ Code: code }) => passingReasons.has(code ?? "None"))
  );
}
