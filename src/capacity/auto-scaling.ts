import type { DecreaseBudget } from "./decrease-budget.ts";

export interface ScalingPolicy {
  /** Units per second. */
  readonly min: number;
  readonly max: number;
  /** The share of what is provisioned that should be in use, in per cent. */
  readonly targetPercent: number;
  /** The one way that it may go; both if undefined. */
  readonly only?: "up" | "down" | undefined;
  /** How long after a step the next one the same way has to wait; not at all if undefined. */
  readonly cooldownMs?: { readonly up: number; readonly down: number } | undefined;
}

/** Consecutive minutes above the target before it scales up, or well below it before it scales down. */
const minutesUp = 2;
const minutesDown = 15;
/** Well below: this many percentage points under the target. */
const slackPercent = 20;
/** From the decision until the new throughput is there: an assumption. */
const delayMs = 60_000;

/**
 * Target tracking for one direction of a table or index: looks once a minute at what was consumed and
 * moves what is provisioned so that the target share of it is in use.
 */
export class AutoScaling {
  readonly policy: ScalingPolicy;
  readonly #budget: DecreaseBudget;
  #above = 0;
  #below = 0;
  #nextUp = 0;
  #nextDown = 0;
  #pending: { readonly units: number; readonly at: number } | undefined;

  constructor(policy: ScalingPolicy, budget: DecreaseBudget) {
    this.policy = policy;
    this.#budget = budget;
  }

  /** A minute has passed in which so many units per second were consumed on average. */
  minute(consumed: number, provisioned: number, now: number): void {
    const { targetPercent } = this.policy;
    const percent = (100 * consumed) / provisioned;
    this.#above = percent > targetPercent ? this.#above + 1 : 0;
    // A table without any traffic sends no figures, and is not scaled down.
    const isBelow = consumed > 0 && percent <= targetPercent - slackPercent;
    this.#below = isBelow ? this.#below + 1 : 0;
    if (this.#pending !== undefined) return;
    const wanted = this.within(Math.ceil((100 * consumed) / targetPercent - 1e-9));
    if (this.#above >= minutesUp && wanted > provisioned && this.#mayGoUp(now)) {
      this.#decide(wanted, now);
      this.#nextUp = now + delayMs + (this.policy.cooldownMs?.up ?? 0);
    } else if (this.#below >= minutesDown && wanted < provisioned && this.#mayGoDown(now)) {
      this.#decide(wanted, now);
      this.#nextDown = now + delayMs + (this.policy.cooldownMs?.down ?? 0);
    }
  }

  /** What is to be provisioned from now on, once, when a decision has taken effect. */
  due(provisioned: number, now: number): number | undefined {
    const pending = this.#pending;
    if (pending === undefined || now < pending.at) return undefined;
    this.#pending = undefined;
    if (pending.units === provisioned) return undefined;
    if (pending.units < provisioned) {
      // The other direction may have spent what was left.
      if (!this.#budget.allows(now)) return undefined;
      this.#budget.spend(now);
    }
    return pending.units;
  }

  /** Units as the policy's bounds allow them. */
  within(units: number): number {
    return Math.min(this.policy.max, Math.max(this.policy.min, units));
  }

  #mayGoUp(now: number): boolean {
    return this.policy.only !== "down" && now >= this.#nextUp;
  }

  #mayGoDown(now: number): boolean {
    return this.policy.only !== "up" && now >= this.#nextDown && this.#budget.allows(now);
  }

  #decide(units: number, now: number): void {
    this.#above = 0;
    this.#below = 0;
    this.#pending = { units, at: now + delayMs };
  }
}
