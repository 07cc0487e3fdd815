import type { ServiceError } from "../api/errors/service-error.ts";
import { throttlingCode } from "../api/errors/throttling.ts";
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

/** A lack of throughput, action by action. An account's limit is no matter of single actions. */
export function throttlingReasons(
  refusals: readonly (ServiceError | undefined)[],
): CancellationReason[] {
  return refusals.map((refusal) => {
    if (refusal === undefined) return none;
    const code = throttlingCode(refusal);
    if (code === undefined) throw refusal;
    return { Code: code, Message: refusal.message };
  });
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
        // An INSERT fails on what is there already.
        Code:
          refusal.type === "DuplicateItemException" ? "DuplicateItem" : "ConditionalCheckFailed",
        Message: refusal.message,
        ...(wantsItem(i) && before !== undefined && { Item: before.item }),
      };
    }
    const throttling = throttlingCode(refusal);
    if (throttling !== undefined) return { Code: throttling, Message: refusal.message };
    if (refusal.type === "ItemCollectionSizeLimitExceededException") {
      return { Code: "ItemCollectionSizeLimitExceeded", Message: refusal.message };
    }
    invalid = true;
    return { Code: "ValidationError", Message: refusal.message };
  });
}
