import type { SeededRandom } from "../../base/random.ts";
import type { Distribution } from "../../model/quantities.ts";

/**
 * Draws without luck: a sample is small, so shares are dealt out like cards instead of being thrown like dice.
 * The order is random, the sums are those of the document as near as whole numbers allow.
 */

/** The places 0, 1, … of the shares, each as often as its share of `count` says, shuffled. */
export function deal(shares: readonly number[], count: number, random: SeededRandom): number[] {
  const total = shares.reduce((sum, share) => sum + share, 0);
  const exact = shares.map((share) => (total === 0 ? 0 : (share / total) * count));
  const dealt = exact.map(Math.floor);
  const missing = count - dealt.reduce((sum, one) => sum + one, 0);
  const byRest = exact
    .map((share, place) => ({ place, rest: share - Math.floor(share) }))
    .toSorted((a, b) => b.rest - a.rest);
  for (const { place } of byRest.slice(0, missing)) dealt[place] = (dealt[place] ?? 0) + 1;
  return shuffled(
    dealt.flatMap((times, place) => new Array<number>(times).fill(place)),
    random,
  );
}

/** Whether each of `count` has what a share of them has. */
export function dealPresence(share: number, count: number, random: SeededRandom): boolean[] {
  if (share >= 1) return new Array<boolean>(count).fill(true);
  return deal([share, 1 - share], count, random).map((place) => place === 0);
}

/** Whole numbers around an average: a mix of the two next to it. */
export function dealAround(average: number, count: number, random: SeededRandom): number[] {
  const floor = Math.floor(average);
  return deal([1 - (average - floor), average - floor], count, random).map(
    (place) => floor + place,
  );
}

/** Sizes in bytes as a distribution says. */
export function dealSizes(
  distribution: Distribution,
  count: number,
  random: SeededRandom,
): number[] {
  if (distribution.kind === "fixed") return new Array<number>(count).fill(distribution.bytes);
  if (distribution.kind === "shares") {
    const { shares } = distribution;
    const places = deal(
      shares.map(({ share }) => share),
      count,
      random,
    );
    return places.map((place) => shares[place]?.bytes ?? 0);
  }
  const { min, max } = distribution;
  const sizes = Array.from({ length: count }, (_, i) =>
    Math.floor(min + ((i + random.unit()) / count) * (max - min + 1)),
  );
  return shuffled(sizes, random);
}

export function shuffled<T>(list: readonly T[], random: SeededRandom): T[] {
  const cards = [...list];
  for (let end = cards.length - 1; end > 0; end -= 1) {
    const other = random.below(end + 1);
    [cards[end], cards[other]] = [cards[other] as T, cards[end] as T];
  }
  return cards;
}
