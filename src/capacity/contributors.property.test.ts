import fc from "fast-check";
import { expect, test } from "vitest";
import { HeavyKeys } from "./contributors.ts";

/** Few keys take most, as in real traffic; whole counts, so that sums are exact. */
const key = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("a", "b", "c") },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 60 }).map((n) => `key ${n}`) },
);
const additions = fc.array(fc.tuple(key, fc.integer({ min: 1, max: 20 })), { maxLength: 400 });

function exact(added: readonly (readonly [string, number])[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [name, count] of added) counts.set(name, (counts.get(name) ?? 0) + count);
  return counts;
}

function sketch(max: number, added: readonly (readonly [string, number])[]): HeavyKeys {
  const keys = new HeavyKeys(max);
  for (const [name, count] of added) keys.add(name, count);
  return keys;
}

test("bounds hold for every key, and no heavy key is missed", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), additions, (max, added) => {
      const counts = exact(added);
      const keys = sketch(max, added);
      const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
      expect(keys.total).toBe(total);
      const top = keys.top(max);
      expect(top.length).toBe(Math.min(max, counts.size));
      for (const { key: name, count, error } of top) {
        const real = counts.get(name) ?? 0;
        expect(count).toBeGreaterThanOrEqual(real);
        expect(count - error).toBeLessThanOrEqual(real);
        expect(error).toBeLessThanOrEqual(total / max);
      }
      const shown = new Set(top.map((one) => one.key));
      for (const [name, count] of counts) {
        if (count > total / max) expect(shown).toContain(name);
      }
    }),
  );
});

test("as many counters as keys: exact, the heaviest first", () => {
  fc.assert(
    fc.property(additions, fc.integer({ min: 1, max: 10 }), (added, limit) => {
      const counts = exact(added);
      const expected = [...counts]
        .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
        .slice(0, limit)
        .map(([name, count]) => ({ key: name, count, error: 0 }));
      expect(sketch(64, added).top(limit)).toEqual(expected);
    }),
  );
});
