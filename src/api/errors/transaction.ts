import type { Item } from "../../item/attribute-value.ts";
import { ServiceError, validationError } from "./service-error.ts";

export interface CancellationReason {
  readonly Code: string;
  readonly Message?: string;
  readonly Item?: Item;
}

export function transactionCanceled(reasons: readonly CancellationReason[]): ServiceError {
  const codes = reasons.map(({ Code }) => Code).join(", ");
  return new ServiceError(
    "TransactionCanceledException",
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    { fields: { CancellationReasons: reasons } },
  );
}

export const idempotentParameterMismatch = (): ServiceError =>
  new ServiceError(
    "IdempotentParameterMismatchException",
    "The provided idempotency token was used with different input parameters",
  );

export const transactionTargetsRepeated = (): ServiceError =>
  validationError("Transaction request cannot include multiple operations on one item");

export const keysRepeated = (): ServiceError =>
  validationError("Provided list of item keys contains duplicates");

export const tooManyItems = (operation: string): ServiceError =>
  validationError(`Too many items requested for the ${operation} call`);

export const writeRequestAmbiguous = (): ServiceError =>
  validationError(
    "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes",
  );

export const transactionTooLarge = (): ServiceError =>
  validationError("Transaction payload size cannot exceed 4 MB");

/** Since 2026-10 an empty action is a failed constraint. */
export const actionEmpty = (asConstraint: boolean): ServiceError =>
  validationError(
    asConstraint
      ? "1 validation error detected: Value '' at 'transactItems' failed to satisfy constraint: TransactWriteRequest should contain Delete or Put or Update or ConditionCheck"
      : "Invalid Request: TransactWriteRequest should contain Delete or Put or Update request",
  );

export const actionAmbiguous = (): ServiceError =>
  validationError("TransactItems can only contain one of Check, Put, Update or Delete");
