import { performance } from "node:perf_hooks";
import type { Clock } from "../base/clock.ts";
import type { Store } from "../storage/store.ts";
import { Rounds } from "./rounds.ts";

const roundMs = 60_000;
/** Who has less to do than this share of the time is quiet. */
const busyShare = 0.05;

/**
 * What requests have looked at stays in memory as long as they come, for they may look at it again. After a minute
 * in which hardly any came, the store may forget it.
 */
export class QuietTimes {
  readonly #store: Store;
  readonly #share: () => number;
  readonly #rounds: Rounds;

  /** `share` answers how much of the time since it was asked last there was something to do. */
  constructor(store: Store, clock: Clock, share = shareOfThread()) {
    this.#store = store;
    this.#share = share;
    this.#rounds = new Rounds(clock, roundMs, () => this.#look());
  }

  start(): void {
    if (this.#store.stepDone !== undefined) this.#rounds.start();
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  async #look(): Promise<void> {
    if (this.#share() < busyShare) this.#store.stepDone?.();
  }
}

function shareOfThread(): () => number {
  let last = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization;
  };
}
