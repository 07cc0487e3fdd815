/** One of a few sizes, and how likely it is. */
export interface Point {
  readonly bytes: number;
  readonly share: number;
}

/** How likely each size is, from a first one on. */
export interface Dense {
  readonly min: number;
  readonly weights: Float64Array;
}

/** What a size is made of; parts are independent of each other. */
export type Part =
  /** A few sizes, ascending, with shares that make 1. */
  | { readonly kind: "points"; readonly points: readonly Point[] }
  /** `count` sizes from `start` in steps, all as likely, `share` together; otherwise nothing. */
  | {
      readonly kind: "even";
      readonly start: number;
      readonly step: number;
      readonly count: number;
      readonly share: number;
    }
  | ({ readonly kind: "dense" } & Dense);

export interface Moments {
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly variance: number;
}

export function momentsOf(part: Part): Moments {
  if (part.kind === "even") return evenMoments(part);
  const points = part.kind === "points" ? part.points : densePoints(part);
  let [mean, variance] = [0, 0];
  for (const { bytes, share } of points) mean += bytes * share;
  for (const { bytes, share } of points) variance += (bytes - mean) ** 2 * share;
  return { min: points[0]?.bytes ?? 0, max: points.at(-1)?.bytes ?? 0, mean, variance };
}

function evenMoments({ start, step, count, share }: Part & { readonly kind: "even" }): Moments {
  const last = start + step * (count - 1);
  const middle = (start + last) / 2;
  const within = (step ** 2 * (count ** 2 - 1)) / 12;
  return {
    min: share < 1 ? Math.min(0, start) : start,
    max: last,
    mean: share * middle,
    variance: share * within + share * (1 - share) * middle ** 2,
  };
}

export function densePoints({ min, weights }: Dense): Point[] {
  const points: Point[] = [];
  for (let i = 0; i < weights.length; i += 1) {
    const share = weights[i] as number;
    if (share > 0) points.push({ bytes: min + i, share });
  }
  return points;
}

/** Ascending, each size once, shares that make 1 exactly. */
export function mergePoints(points: Iterable<Point>): readonly Point[] {
  const list = Array.isArray(points) ? (points as readonly Point[]) : [...points];
  return isMerged(list) ? withShares(list) : merged(list);
}

/** Most are ascending already: nothing has to be put together. */
function isMerged(points: readonly Point[]): boolean {
  let before = Number.NEGATIVE_INFINITY;
  for (const point of points) {
    if (point.share <= 0 || point.bytes <= before) return false;
    before = point.bytes;
  }
  return true;
}

function withShares(points: readonly Point[]): readonly Point[] {
  let sum = 0;
  for (const point of points) sum += point.share;
  return points.map(({ bytes, share }) => ({ bytes, share: share / sum }));
}

function merged(points: readonly Point[]): readonly Point[] {
  const shares = new Map<number, number>();
  let sum = 0;
  for (const { bytes, share } of points) {
    if (share <= 0) continue;
    shares.set(bytes, (shares.get(bytes) ?? 0) + share);
    sum += share;
  }
  return [...shares]
    .map(([bytes, share]) => ({ bytes, share: share / sum }))
    .sort((a, b) => a.bytes - b.bytes);
}

export function sumOfPoints(a: readonly Point[], b: readonly Point[]): readonly Point[] {
  const sums: Point[] = [];
  for (const one of a) {
    for (const other of b) {
      sums.push({ bytes: one.bytes + other.bytes, share: one.share * other.share });
    }
  }
  return mergePoints(sums);
}

/** The sum of a size with another part; time is that of the longer of the two times a few points. */
export function convolve(dense: Dense, part: Part): Dense {
  if (part.kind === "even") return convolveEven(dense, part);
  return convolvePoints(dense, part.kind === "points" ? part.points : densePoints(part));
}

function convolvePoints({ min, weights }: Dense, points: readonly Point[]): Dense {
  const [first, last] = [points[0]?.bytes ?? 0, points.at(-1)?.bytes ?? 0];
  const sums = new Float64Array(weights.length + last - first);
  for (const { bytes, share } of points) {
    const by = bytes - first;
    for (let i = 0; i < weights.length; i += 1) {
      sums[by + i] = (sums[by + i] as number) + share * (weights[i] as number);
    }
  }
  return { min: min + first, weights: sums };
}

/** A window slides over the sizes, so that its length does not matter. */
function convolveEven(
  { min, weights }: Dense,
  { start, step, count, share }: Part & { readonly kind: "even" },
): Dense {
  const first = share < 1 ? Math.min(0, start) : start;
  const last = start + step * (count - 1);
  const length = weights.length + last - first;
  const sums = new Float64Array(length);
  // For each place the sum of the sizes that are steps before it.
  const running = new Float64Array(weights.length + step * (count - 1));
  for (let i = 0; i < running.length; i += 1) {
    const before = i >= step ? (running[i - step] as number) : 0;
    const leaving = i - step * count;
    const gone = leaving >= 0 && leaving < weights.length ? (weights[leaving] as number) : 0;
    const come = i < weights.length ? (weights[i] as number) : 0;
    running[i] = Math.max(0, before + come - gone);
  }
  const each = share / count;
  const shift = start - first;
  for (let i = 0; i < running.length; i += 1) sums[i + shift] = each * (running[i] as number);
  if (share < 1) {
    for (let i = 0; i < weights.length; i += 1) {
      const at = i - first;
      sums[at] = (sums[at] as number) + (1 - share) * (weights[i] as number);
    }
  }
  return { min: min + first, weights: sums };
}
