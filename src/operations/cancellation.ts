import type { ServiceError } from "../api/errors/service-error.ts";
import type { CancellationReason } from "../api/errors/transaction.ts";
import type { WriteOutcome } from "../engine/write.ts";

const none: CancellationReason = { Code: "None" };

/** One action is invalid: the others are not looked at. */
export function validationReasons(
  actions: number,
  invalid: number,
  error: ServiceError,
): CancellationReason[] {
  return Array.from({ length: actions }, (_, i) =>
    i === invalid ? { Code: "ValidationError", Message: error.message } : none,
  );
}

/** Why a transaction was not carried out; nothing if it was. */
export function reasonsOf(
  outcomes: readonly WriteOutcome[],
  wantsItem: (action: number) => boolean,
): CancellationReason[] | undefined {
  if (!outcomes.some(({ refusal }) => refusal !== undefined)) return undefined;
  let invalid = false;
  return outcomes.map(({ refusal, conditionFailed, before }, i) => {
    if (refusal === undefined || invalid) return none;
    if (conditionFailed === true) {
      return {
        Code: "ConditionalCheckFailed",
        Message: refusal.message,
        ...(wantsItem(i) && before !== undefined && { Item: before.item }),
      };
    }
    if (refusal.type === "ItemCollectionSizeLimitExceededException") {
      return { Code: "ItemCollectionSizeLimitExceeded", Message: refusal.message };
    }
    invalid = true;
    return { Code: "ValidationError", Message: refusal.message };
  });
}
