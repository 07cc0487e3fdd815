import { availableParallelism } from "node:os";

/** A client that was so quick with its last request is waited for, and no longer than this. */
const patienceMs = 0.3;

/**
 * A process that has gone to sleep takes a while to be woken, longer than a read takes to be answered.
 * So after an answer to a client whose requests follow each other at once, the event loop is kept going
 * for a moment instead: it then finds the next request without having slept. With one processor that
 * would only be in the client's way. Clients that think longer than that are not waited for.
 */
export class Wakefulness {
  readonly #allowed = availableParallelism() > 1;
  #answeredAt = 0;
  #quick = false;
  #awake = false;
  readonly #look = (): void => this.#stay();

  /** A request has come. */
  asked(): void {
    this.#quick = performance.now() - this.#answeredAt < patienceMs;
    this.#awake = false;
  }

  /** The only request under way has been answered. */
  answered(): void {
    this.#answeredAt = performance.now();
    if (!this.#quick || !this.#allowed || this.#awake) return;
    this.#awake = true;
    setImmediate(this.#look);
  }

  #stay(): void {
    if (!this.#awake) return;
    if (performance.now() - this.#answeredAt < patienceMs) setImmediate(this.#look);
    else this.#awake = false;
  }
}
