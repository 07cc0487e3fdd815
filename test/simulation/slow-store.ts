import type { Store } from "../../src/storage/store.ts";
import { Random } from "../random.ts";

/**
 * A store that takes its time before and after every call, so that calls which otherwise follow each
 * other at once have others in between. It stays open: what it holds survives a reopening.
 */
export function slowStore(inner: Store, seed: number): Store {
  const random = new Random(seed);
  const pause = async (): Promise<void> => {
    // A few calls take so long that several others begin and end meanwhile.
    const longest = random.chance(0.1) ? 60 : 4;
    for (let turns = random.between(0, longest); turns > 0; turns -= 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const slowly = async <T>(call: () => T | Promise<T>): Promise<T> => {
    await pause();
    const result = await call();
    await pause();
    return result;
  };
  return {
    get: (keys) => slowly(() => inner.get(keys)),
    scan: (range, options) => slowly(() => inner.scan(range, options)),
    commit: (readKeys, decide) => slowly(() => inner.commit(readKeys, decide)),
    totals: (counter) => slowly(() => inner.totals(counter)),
    dropTotals: (counter) => slowly(() => inner.dropTotals(counter)),
    clear: (range) => slowly(() => inner.clear(range)),
    horizon: () => slowly(() => inner.horizon()),
    close: pause,
  };
}
