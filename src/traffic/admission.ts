import type { ServiceError } from "../api/errors/service-error.ts";
import type { Throttle } from "../capacity/throttling.ts";
import type { IndexChange } from "../engine/index-entries.ts";
import type { WriteAction, WriteOutcome } from "../engine/write.ts";
import type { Item } from "../item/attribute-value.ts";
import { priceOf, writeCharges } from "./charges.ts";
import type { Enforcement, Part } from "./enforcement.ts";
import type { Requester, Traffic } from "./traffic.ts";

/** Why actions must not go on, one entry for each; nothing if all may. */
export type Verdict = readonly (ServiceError | undefined)[] | undefined;

/**
 * The verdict on the writes of one request. It is reached in the midst of a commit, when it is known
 * what they would do, and only once: a commit may be tried again, a request pays once.
 */
export class WriteAdmission {
  readonly #traffic: Traffic;
  readonly #enforcement: Enforcement;
  readonly #who: Requester;
  readonly #together: boolean;
  readonly #factor: number;
  #reached = false;
  #verdict: Verdict;

  constructor(
    traffic: Traffic,
    enforcement: Enforcement,
    who: Requester,
    together: boolean,
    factor: number,
  ) {
    this.#traffic = traffic;
    this.#enforcement = enforcement;
    this.#who = who;
    this.#together = together;
    this.#factor = factor;
  }

  readonly admit = (
    actions: readonly WriteAction[],
    outcomes: readonly WriteOutcome[],
  ): Verdict => {
    if (!this.#reached) {
      this.#reached = true;
      this.#verdict =
        this.#together && actions.length > 1
          ? this.#judgeAll(actions, outcomes)
          : this.#judgeEach(actions, outcomes);
    }
    return this.#verdict;
  };

  #judgeAll(actions: readonly WriteAction[], outcomes: readonly WriteOutcome[]): Verdict {
    const price = priceOf(outcomes, this.#factor);
    if (price === undefined) return undefined;
    const parts = actions.map((action, i): Part => {
      const charges = writeCharges(action, outcomes[i] as WriteOutcome, price);
      return { table: action.table, charges };
    });
    const throttles = this.#enforcement.admitTogether("write", parts);
    return throttles?.map((throttle, i) =>
      throttle === undefined
        ? undefined
        : this.#refuse(actions[i] as WriteAction, outcomes[i] as WriteOutcome, throttle),
    );
  }

  #judgeEach(actions: readonly WriteAction[], outcomes: readonly WriteOutcome[]): Verdict {
    let verdict: (ServiceError | undefined)[] | undefined;
    for (let i = 0; i < actions.length; i += 1) {
      const action = actions[i] as WriteAction;
      const outcome = outcomes[i] as WriteOutcome;
      const price = priceOf([outcome], this.#factor);
      if (price === undefined) continue;
      const charges = writeCharges(action, outcome, price);
      const throttle = this.#enforcement.admit(action.table, "write", charges);
      if (throttle === undefined) continue;
      verdict ??= actions.map(() => undefined);
      verdict[i] = this.#refuse(action, outcome, throttle);
    }
    return verdict;
  }

  #refuse(action: WriteAction, outcome: WriteOutcome, throttle: Throttle): ServiceError {
    return this.#traffic.refuse(
      this.#who,
      action.table,
      throttle,
      keyOf(action, outcome, throttle),
    );
  }
}

/** The key that was throttled: of the item, or of its entry in the index. */
function keyOf(
  action: WriteAction,
  { before, after, indexes }: WriteOutcome,
  { index }: Throttle,
): Item {
  if (index !== undefined) {
    const change = indexes.find((one: IndexChange) => one.index.name === index);
    return (change?.after ?? change?.before)?.item ?? {};
  }
  if (action.kind === "update") return action.key;
  return (after ?? before)?.item ?? {};
}
