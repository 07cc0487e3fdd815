import { alarm, type Clock } from "../base/clock.ts";

/**
 * What one loop waits on: that something happened, or that it is time. What happens while nobody waits is
 * not lost.
 */
export class Signal {
  readonly #clock: Clock;
  #isPending = false;
  #wake: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  notify(): void {
    if (this.#wake === undefined) this.#isPending = true;
    else this.#wake();
  }

  /** Until it is notified, or until that time on the clock. */
  wait(until?: number): Promise<void> {
    if (this.#isPending) {
      this.#isPending = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      let callOff: (() => void) | undefined;
      const wake = (): void => {
        this.#wake = undefined;
        callOff?.();
        resolve();
      };
      this.#wake = wake;
      if (until !== undefined) callOff = alarm(this.#clock, until, wake);
    });
  }
}
