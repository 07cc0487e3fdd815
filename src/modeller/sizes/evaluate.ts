import {
  convolve,
  type Dense,
  type Moments,
  mergePoints,
  type Part,
  type Point,
  sumOfPoints,
} from "./convolution.ts";
import { largeOnes, twoHumps } from "./humps.ts";
import { normalAbove } from "./normal.ts";

export interface Term {
  readonly part: Part;
  readonly moments: Moments;
  /** So many independent ones of it. */
  readonly times: number;
}

/** A size as a few points and something smooth; both are independent, their sum is meant. */
export interface Evaluated {
  readonly points: readonly Point[];
  readonly rest: Rest;
}

export type Rest =
  | { readonly kind: "none" }
  | {
      readonly kind: "dense";
      readonly dense: Dense;
      /** At i: the likelihood of more than min + i. */
      readonly above: Float64Array;
    }
  /** By the law of large numbers: many parts, or ranges that are wide against any unit. */
  | ({ readonly kind: "normal" } & Moments);

const pointsMax = 2_048;
/** What happens less often does not count. */
const shareMin = 1e-12;
/** Above so many steps sums are taken as normal; the ranges are then far wider than a unit. */
export const exactWorkMax = 2_000_000;
/** So many of one kind are taken as normal even if they could be counted out: it saves milliseconds a request. */
const manyTimes = 16;
const manyPointTimes = 64;
const repeatedWorkMax = 200_000;

export function evaluate(base: number, terms: readonly Term[]): Evaluated {
  let points: readonly Point[] = [{ bytes: base, share: 1 }];
  const smooth: Term[] = [];
  for (const term of terms) {
    const { part, times } = term;
    const sum = part.kind === "points" ? repeatPoints(points, part.points, times) : undefined;
    if (sum === undefined) smooth.push(term);
    else points = sum;
  }
  return withRest(points, smooth);
}

/** Nothing if there would be too many points. */
function repeatPoints(
  start: readonly Point[],
  points: readonly Point[],
  times: number,
): readonly Point[] | undefined {
  const [only] = points;
  if (points.length === 1 && only !== undefined) {
    return start.map(({ bytes, share }) => ({ bytes: bytes + times * only.bytes, share }));
  }
  const [low, high] = points;
  if (points.length === 2 && low !== undefined && high !== undefined) {
    const large = largeOnes(times, high.share, high.bytes - low.bytes);
    return large && fewSums(start, large, times * low.bytes);
  }
  if (times > manyPointTimes) return undefined;
  let sum = start;
  for (let i = 0; i < times; i += 1) {
    if (sum.length * points.length > pointsMax * 8) return undefined;
    sum = sumOfPoints(sum, points);
    if (sum.length > pointsMax) return undefined;
  }
  return sum;
}

/** Nothing if there would be too many. */
function fewSums(
  a: readonly Point[],
  b: readonly Point[],
  more: number,
): readonly Point[] | undefined {
  if (a.length * b.length > pointsMax * 8) return undefined;
  const sums = sumOfPoints(a, b).filter(({ share }) => share > shareMin);
  if (sums.length > pointsMax) return undefined;
  return mergePoints(sums.map(({ bytes, share }) => ({ bytes: bytes + more, share })));
}

function withRest(points: readonly Point[], terms: readonly Term[]): Evaluated {
  if (terms.length === 0) return { points, rest: { kind: "none" } };
  const range = total(terms, ({ min, max }) => max - min);
  // The widest array is where the sums begin; it takes no work.
  const widest = terms.reduce<Term | undefined>(
    (best, term) => (denseLength(term) > denseLength(best) ? term : best),
    undefined,
  );
  const start = widest?.part.kind === "dense" ? widest.part : undefined;
  const left = terms.map((term) => {
    const { part, times } = term;
    const isStart = start !== undefined && term === widest;
    const often = isStart ? times - 1 : times;
    const slow = part.kind === "dense" && part.weights.length * range * often > exactWorkMax / 4;
    return { ...term, times: often, part: slow ? coarse(part) : part };
  });
  const work = left.reduce((sum, { part, times }) => sum + times * range * pointsOf(part), 0);
  const most = terms.reduce((max, { times }) => Math.max(max, times), 1);
  if (work > (most === 1 ? exactWorkMax : repeatedWorkMax) || most > manyTimes) {
    return withNormal(points, terms);
  }
  // The narrow first, so that the array grows late.
  left.sort((a, b) => a.moments.max - a.moments.min - (b.moments.max - b.moments.min));
  let dense: Dense = start ?? one;
  for (const { part, times } of left) {
    for (let i = 0; i < times; i += 1) dense = convolve(dense, part);
  }
  return { points, rest: { kind: "dense", dense, above: aboveOf(dense) } };
}

/**
 * Sums that are taken as normal. What is seldom there and large then makes a sum with several
 * humps, so how often it is there is counted out, the widest first.
 */
function withNormal(start: readonly Point[], terms: readonly Term[]): Evaluated {
  let points = start;
  let [mean, variance, min, max] = [0, 0, 0, 0];
  const byWidth = terms.toSorted(
    (a, b) => b.moments.variance * b.times - a.moments.variance * a.times,
  );
  for (const { part, moments, times } of byWidth) {
    const humps = twoHumps(part, moments);
    const large = humps && largeOnes(times, humps.share, humps.gap);
    const sums = large && fewSums(points, large, 0);
    const isCounted = humps !== undefined && sums !== undefined;
    if (isCounted) points = sums;
    mean += times * (isCounted ? humps.low : moments.mean);
    variance += times * (isCounted ? humps.within : moments.variance);
    // Where the humps end is not kept; nearly nothing lies beyond the reach of a normal sum.
    min += isCounted ? Number.NEGATIVE_INFINITY : times * moments.min;
    max += isCounted ? Number.POSITIVE_INFINITY : times * moments.max;
  }
  if (variance < 1) {
    const shift = Math.round(mean);
    const moved = points.map(({ bytes, share }) => ({ bytes: bytes + shift, share }));
    return { points: moved, rest: { kind: "none" } };
  }
  return { points, rest: { kind: "normal", min, max, mean, variance } };
}

function total(terms: readonly Term[], pick: (moments: Moments) => number): number {
  return terms.reduce((sum, { moments, times }) => sum + pick(moments) * times, 0);
}

function denseLength(term: Term | undefined): number {
  return term?.part.kind === "dense" ? term.part.weights.length : 0;
}

function pointsOf(part: Part): number {
  if (part.kind === "even") return 1;
  return part.kind === "points" ? part.points.length : part.weights.length;
}

const coarsePoints = 64;

/** Fewer sizes with the same mean: what lies between two is shared by them. */
function coarse({ min, weights }: Dense): Part {
  const step = (weights.length - 1) / coarsePoints;
  const places = Array.from({ length: coarsePoints + 1 }, (_, i) => min + Math.round(i * step));
  const points: Point[] = [];
  let at = 0;
  for (let i = 0; i < weights.length; i += 1) {
    const share = weights[i] as number;
    while (at + 2 < places.length && min + i > (places[at + 1] as number)) at += 1;
    const [low, high] = [places[at] as number, places[at + 1] as number];
    const upper = (min + i - low) / (high - low);
    points.push({ bytes: low, share: share * (1 - upper) }, { bytes: high, share: share * upper });
  }
  return { kind: "points", points: mergePoints(points) };
}

function aboveOf({ weights }: Dense): Float64Array {
  const above = new Float64Array(weights.length);
  let sum = 0;
  for (let i = weights.length - 1; i >= 0; i -= 1) {
    above[i] = sum;
    sum += weights[i] as number;
  }
  // What rounding has added or taken is spread over all.
  for (let i = 0; i < above.length; i += 1) above[i] = (above[i] as number) / sum;
  return above;
}

/** The likelihood of more than so many bytes. */
export function aboveBytes({ points, rest }: Evaluated, bytes: number): number {
  let sum = 0;
  for (const point of points) sum += point.share * restAbove(rest, bytes - point.bytes);
  return Math.min(1, sum);
}

function restAbove(rest: Rest, bytes: number): number {
  if (rest.kind === "none") return bytes < 0 ? 1 : 0;
  if (rest.kind === "dense") {
    const at = Math.floor(bytes) - rest.dense.min;
    if (at < 0) return 1;
    return at < rest.above.length ? (rest.above[at] as number) : 0;
  }
  if (bytes < rest.min) return 1;
  if (bytes >= rest.max) return 0;
  // Sizes are whole: more than 10 begins in the middle between 10 and 11.
  return normalAbove((Math.floor(bytes) + 0.5 - rest.mean) / Math.sqrt(rest.variance));
}

const stepsMax = 4_096;
const deviationsMax = 8;

/** The mean of the units, each size rounded up to whole ones, at least one. */
export function meanUnits(evaluated: Evaluated, unit: number): number {
  let sum = 0;
  for (const { bytes, share } of evaluated.points) {
    sum += share * restUnits(evaluated.rest, bytes, unit);
  }
  return sum;
}

/** 1 and the likelihood of more than each number of whole units. */
function restUnits(rest: Rest, bytes: number, unit: number): number {
  if (rest.kind === "none") return Math.max(1, Math.ceil(bytes / unit));
  const [min, max] =
    rest.kind === "dense"
      ? [rest.dense.min, rest.dense.min + rest.dense.weights.length - 1]
      : normalRange(rest);
  const certain = Math.max(0, Math.ceil((bytes + min) / unit) - 1);
  const last = Math.ceil((bytes + max) / unit) - 1;
  if (rest.kind === "normal" && last - certain > stepsMax) {
    // So wide that all sizes within a unit are as likely.
    return (bytes + rest.mean) / unit + (unit - 1) / (2 * unit);
  }
  let units = 1 + certain;
  for (let k = certain + 1; k <= last; k += 1) units += restAbove(rest, k * unit - bytes);
  return units;
}

function normalRange({ min, max, mean, variance }: Moments): readonly [number, number] {
  const reach = deviationsMax * Math.sqrt(variance);
  return [Math.max(min, Math.floor(mean - reach)), Math.min(max, Math.ceil(mean + reach))];
}

/** All of it as one array; a normal part is cut into whole bytes. */
export function flatten({ points, rest }: Evaluated): Dense {
  const smooth = rest.kind === "dense" ? rest.dense : rest.kind === "none" ? one : discrete(rest);
  return convolve(smooth, { kind: "points", points });
}

const one: Dense = { min: 0, weights: Float64Array.of(1) };

function discrete(normal: Rest & { readonly kind: "normal" }): Dense {
  const [min, max] = normalRange(normal);
  const weights = new Float64Array(max - min + 1);
  let before = 1;
  for (let i = 0; i < weights.length; i += 1) {
    const above = i === weights.length - 1 ? 0 : restAbove(normal, min + i);
    weights[i] = before - above;
    before = above;
  }
  return { min, weights };
}
