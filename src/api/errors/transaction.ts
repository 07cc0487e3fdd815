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
