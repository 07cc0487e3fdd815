/** Time is handed in, so that a test can advance it and nothing has to sleep. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /**
   * Calls once, soon after `now` has reached the time; the answer calls it off. A clock without alarms is
   * looked at from time to time.
   */
  alarm?(at: number, ring: () => void): () => void;
}

/** Timers lose time while a machine sleeps, and clocks are set: so often at least, the time is looked at. */
const lookEveryMs = 60_000;

/** Calls once, soon after the clock has reached the time; the answer calls it off. */
export function alarm(clock: Clock, at: number, ring: () => void): () => void {
  if (clock.alarm !== undefined) return clock.alarm(at, ring);
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    const left = at - clock.now();
    if (left <= 0 && timer !== undefined) ring();
    else {
      timer = setTimeout(look, Math.min(Math.max(left, 1), lookEveryMs));
      // Nobody is kept waiting for a process to end.
      timer.unref();
    }
  };
  look();
  return () => clearTimeout(timer);
}

export const systemClock: Clock = { now: () => Date.now() };

export class ManualClock implements Clock {
  #now: number;
  readonly #alarms = new Set<{ readonly at: number; readonly ring: () => void }>();

  constructor(start = Date.UTC(2026, 0, 1)) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds;
    for (const set of [...this.#alarms].sort((a, b) => a.at - b.at)) {
      if (set.at <= this.#now && this.#alarms.delete(set)) set.ring();
    }
  }

  alarm(at: number, ring: () => void): () => void {
    const set = { at, ring };
    this.#alarms.add(set);
    if (at <= this.#now) queueMicrotask(() => this.#alarms.delete(set) && ring());
    return () => this.#alarms.delete(set);
  }
}
