import type { Writing } from "../values/render-key.ts";

/** What is loaded was written at so many moments. */
export const loadedMoments = 96;

/** An hour and a minute apart, so that every hour and every minute is among them. */
export function loadedAt(now: number, i: number): number {
  return now - (i % loadedMoments) * 3_660_000;
}

/** Most of what is loaded lies in the last shard, and something in all others. */
export function loading(now: number): Writing {
  let drawn = 0;
  const shard = (count: number): number => {
    drawn += 1;
    return drawn % 3 === 0 ? Math.floor(drawn / 3) % count : count - 1;
  };
  let written = 0;
  return {
    shard,
    get now() {
      written += 1;
      return loadedAt(now, written);
    },
  };
}

/** All that is loaded was written at one moment to the last shard: an entity has the same place in every state. */
export function stillAt(now: number): Writing {
  return { shard: (count) => count - 1, now };
}
