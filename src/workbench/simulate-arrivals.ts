import type { SeededRandom } from "../base/random.ts";
import type { RatePoint } from "./simulate-workload.ts";

/**
 * When the requests of a stream come, in milliseconds from the beginning. Evenly spaced ones are counted
 * from the start of each piece of the rate, so that a thousand a second are a thousand in every second.
 */
export class Arrivals {
  readonly #points: readonly RatePoint[];
  readonly #random: SeededRandom | undefined;
  #piece = 0;
  /** Requests that the piece has brought so far, or should have: the integral of its rate. */
  #due = 0;
  /** What the next request waits for, in requests. */
  #next = 0;

  /** With a random generator they come as from many independent clients. */
  constructor(points: readonly RatePoint[], random: SeededRandom | undefined) {
    this.#points = points;
    this.#random = random;
    this.#next = random?.exponential() ?? 0;
  }

  /** The time of the next request; infinite after the last. */
  next(): number {
    for (;;) {
      const from = this.#points[this.#piece];
      const to = this.#points[this.#piece + 1];
      if (from === undefined || to === undefined) return Number.POSITIVE_INFINITY;
      const at = timeOf(this.#next, from, to);
      if (at < to.atMs) {
        this.#next += this.#random?.exponential() ?? 1;
        return at;
      }
      // What the piece did not bring any more is still to come.
      const brought = ((from.rate + from.endRate) / 2) * ((to.atMs - from.atMs) / 1_000);
      this.#due = Math.max(0, this.#next - brought);
      this.#next = this.#random === undefined ? Math.max(0, roundOff(this.#due)) : this.#due;
      this.#piece += 1;
    }
  }
}

/** When a piece with an evenly changing rate has brought so many requests. */
function timeOf(count: number, from: RatePoint, to: RatePoint): number {
  const change = from.endRate - from.rate;
  if (change === 0) {
    if (from.rate === 0) return Number.POSITIVE_INFINITY;
    return from.atMs + (count * 1_000) / from.rate;
  }
  const seconds = (to.atMs - from.atMs) / 1_000;
  const slope = change / seconds;
  const square = from.rate ** 2 + 2 * slope * count;
  if (square < 0) return Number.POSITIVE_INFINITY;
  return from.atMs + ((Math.sqrt(square) - from.rate) / slope) * 1_000;
}

function roundOff(number: number): number {
  return Math.abs(number - Math.round(number)) < 1e-6 ? Math.round(number) : number;
}
