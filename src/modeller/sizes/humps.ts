import { densePoints, type Moments, mergePoints, type Part, type Point } from "./convolution.ts";

/** A size that is either small or large, and not much between: `share` of all are large. */
interface TwoHumps {
  readonly share: number;
  /** From the mean of the small ones to that of the large ones. */
  readonly gap: number;
  readonly low: number;
  /** What is left of the variance around each of the two. */
  readonly within: number;
}

/** Below this share of the variance, what lies around two means is little; it is a quarter of an even size. */
const withinMax = 0.2;

/** Nothing for a size with one hump. */
export function twoHumps(part: Part, moments: Moments): TwoHumps | undefined {
  if (part.kind === "even") {
    const { start, step, count, share } = part;
    return share >= 1 ? undefined : checked(share, start + (step * (count - 1)) / 2, moments);
  }
  const points = part.kind === "points" ? part.points : densePoints(part);
  let [best, between] = [{ share: 0, gap: 0 }, 0];
  let [below, sum] = [0, 0];
  for (const { bytes, share } of points.slice(0, -1)) {
    below += share;
    sum += share * bytes;
    const above = 1 - below;
    if (above <= 0) break;
    const gap = (moments.mean - sum) / above - sum / below;
    const spread = below * above * gap ** 2;
    if (spread <= between) continue;
    between = spread;
    best = { share: above, gap };
  }
  return checked(best.share, best.gap, moments);
}

function checked(
  share: number,
  distance: number,
  { mean, variance }: Moments,
): TwoHumps | undefined {
  // Whole, as all sizes are; what that changes goes to the small ones.
  const gap = Math.round(distance);
  const within = Math.max(0, variance - share * (1 - share) * gap ** 2);
  if (gap === 0 || within > withinMax * variance) return undefined;
  return { share, gap, low: mean - share * gap, within };
}

/** Beyond this variance a number of large ones is as good as normal. */
const varianceMax = 400;
const shareMin = 1e-12;

/**
 * How many of so many are large, times the gap; without what hardly ever happens. Nothing if that
 * is nearly normal anyway.
 */
export function largeOnes(times: number, share: number, gap: number): readonly Point[] | undefined {
  if (times * share * (1 - share) > varianceMax) return undefined;
  // Counted from the likeliest number to both sides: the chance of none can be too small to be written.
  const odds = share / (1 - share);
  const likeliest = Math.min(times, Math.floor((times + 1) * share));
  const chances = new Map([[likeliest, 1]]);
  for (let [count, chance] = [likeliest, 1]; count < times; count += 1) {
    chance *= (odds * (times - count)) / (count + 1);
    if (chance <= shareMin) break;
    chances.set(count + 1, chance);
  }
  for (let [count, chance] = [likeliest, 1]; count > 0; count -= 1) {
    chance *= count / (odds * (times - count + 1));
    if (chance <= shareMin) break;
    chances.set(count - 1, chance);
  }
  return mergePoints(
    [...chances].map(([count, chance]) => ({ bytes: count * gap, share: chance })),
  );
}
