/** Upper bounds in milliseconds; what is above the last falls into one more. */
export const latencyBounds: readonly number[] = [
  0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000,
];

/** How long requests took. */
export class LatencyHistogram {
  readonly counts = new Float64Array(latencyBounds.length + 1);
  /** Of all times, in milliseconds. */
  sum = 0;

  add(milliseconds: number): void {
    let at = 0;
    while (at < latencyBounds.length && milliseconds > (latencyBounds[at] as number)) at += 1;
    this.counts[at] = (this.counts[at] as number) + 1;
    this.sum += milliseconds;
  }
}
