import { alarm, type Clock } from "../base/clock.ts";

/** Work behind the answers that is seen to from time to time, one round at a time. */
export class Rounds {
  readonly #clock: Clock;
  readonly #everyMs: number;
  readonly #round: () => Promise<void>;
  #running: Promise<void> | undefined;
  #callOff: (() => void) | undefined;
  #stopped = false;

  constructor(clock: Clock, everyMs: number, round: () => Promise<void>) {
    this.#clock = clock;
    this.#everyMs = everyMs;
    this.#round = round;
  }

  /** A round is to end soon. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /** From now on, until it is stopped. */
  start(): void {
    if (this.#stopped) return;
    this.#callOff = alarm(this.#clock, this.#clock.now() + this.#everyMs, () => {
      // A failure is one of the store, which requests meet as well; the next round tries again.
      this.run()
        .catch(() => {})
        .finally(() => this.start());
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#callOff?.();
    await this.settled();
  }

  /** Waits for the round that is under way. */
  async settled(): Promise<void> {
    await this.#running?.catch(() => {});
  }

  /** The round that is under way, or a new one. */
  run(): Promise<void> {
    this.#running ??= this.#round().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }
}
