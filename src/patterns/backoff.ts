import { type RandomSource, type Sleep, systemRandom, systemSleep } from "./platform.ts";

/** How long to rest before another attempt. */
export interface BackoffOptions {
  /** Attempts in all before giving up; 8 if nothing is said. */
  readonly attempts?: number | undefined;
  /** The longest first rest in milliseconds, doubled with each attempt; 50 if nothing is said. */
  readonly base?: number | undefined;
  /** No rest is longer, in milliseconds; 5,000 if nothing is said. */
  readonly cap?: number | undefined;
  readonly random?: RandomSource | undefined;
  readonly sleep?: Sleep | undefined;
}

/**
 * Anything from nothing to twice the time of the attempt before: clients that collided once are spread out and do
 * not collide again. `attempt` counts from 0.
 */
export function fullJitter(attempt: number, options: BackoffOptions = {}): number {
  const { base = 50, cap = 5_000, random = systemRandom } = options;
  return random() * Math.min(cap, base * 2 ** attempt);
}

/** Rests before the next attempt; false if there is none. */
export async function restedFor(attempt: number, options: BackoffOptions = {}): Promise<boolean> {
  const { attempts = 8, sleep = systemSleep } = options;
  if (attempt + 1 >= attempts) return false;
  await sleep(fullJitter(attempt, options));
  return true;
}
