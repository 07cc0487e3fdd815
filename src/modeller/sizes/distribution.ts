import { BoundedCache } from "../../base/bounded-cache.ts";
import type { Distribution as Stated } from "../../model/quantities.ts";
import { mergePoints, momentsOf, type Part, type Point } from "./convolution.ts";
import { aboveBytes, type Evaluated, evaluate, flatten, meanUnits, type Term } from "./evaluate.ts";

/**
 * How large something is, in whole bytes, when it is not always as large. It is a sum of
 * independent parts; what they make together is worked out when it is asked for.
 */
export class ByteDistribution {
  private readonly base: number;
  private readonly terms: readonly Term[];
  private evaluated: Evaluated | undefined;
  private keyText: string | undefined;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly variance: number;

  private constructor(base: number, terms: readonly Term[]) {
    this.base = base;
    this.terms = terms;
    let [min, max, mean, variance] = [base, base, base, 0];
    for (const { moments, times } of terms) {
      min += times * moments.min;
      max += times * moments.max;
      mean += times * moments.mean;
      variance += times * moments.variance;
    }
    this.min = min;
    this.max = max;
    this.mean = mean;
    this.variance = variance;
  }

  static fixed(bytes: number): ByteDistribution {
    return new ByteDistribution(bytes, []);
  }

  /** All whole sizes from min to max are as likely. */
  static uniform(min: number, max: number): ByteDistribution {
    if (min === max) return ByteDistribution.fixed(min);
    const part = { kind: "even", start: min, step: 1, count: max - min + 1, share: 1 } as const;
    return new ByteDistribution(0, [termOf(part)]);
  }

  static shares(points: Iterable<Point>): ByteDistribution {
    const merged = mergePoints(points);
    const [only] = merged;
    if (merged.length === 1 && only !== undefined) return ByteDistribution.fixed(only.bytes);
    return new ByteDistribution(0, [termOf({ kind: "points", points: merged })]);
  }

  static stated(stated: Stated): ByteDistribution {
    if (stated.kind === "fixed") return ByteDistribution.fixed(stated.bytes);
    if (stated.kind === "uniform") return ByteDistribution.uniform(stated.min, stated.max);
    return ByteDistribution.shares(stated.shares);
  }

  /** One of several, with their shares. */
  static mixture(
    choices: readonly { readonly distribution: ByteDistribution; readonly share: number }[],
  ): ByteDistribution {
    const total = choices.reduce((sum, { share }) => sum + share, 0);
    const chosen = choices.filter(({ share }) => share > 0);
    const [only] = chosen;
    if (chosen.length === 1 && only !== undefined) return only.distribution;
    if (chosen.every(({ distribution }) => distribution.fewPoints() !== undefined)) {
      return ByteDistribution.shares(
        chosen.flatMap(({ distribution, share }) =>
          (distribution.fewPoints() ?? []).map((point) => ({
            bytes: point.bytes,
            share: (point.share * share) / total,
          })),
        ),
      );
    }
    const key = chosen
      .map(({ distribution, share }) => `${share / total} ${distribution.key()}`)
      .join(";");
    const known = mixtures.get(key);
    if (known !== undefined) return known;
    const mixed = ByteDistribution.mixedDense(chosen, total);
    mixtures.set(key, mixed);
    return mixed;
  }

  private static mixedDense(
    chosen: readonly { readonly distribution: ByteDistribution; readonly share: number }[],
    total: number,
  ): ByteDistribution {
    const flat = chosen.map(({ distribution, share }) => ({
      dense: flatten(distribution.evaluate()),
      share: share / total,
    }));
    const min = Math.min(...flat.map(({ dense }) => dense.min));
    const end = Math.max(...flat.map(({ dense }) => dense.min + dense.weights.length));
    const weights = new Float64Array(end - min);
    for (const { dense, share } of flat) {
      for (let i = 0; i < dense.weights.length; i += 1) {
        const at = dense.min - min + i;
        weights[at] = (weights[at] as number) + share * (dense.weights[i] as number);
      }
    }
    return new ByteDistribution(0, [termOf({ kind: "dense", min, weights })]);
  }

  /** Parts that are independent of each other. */
  static sum(parts: Iterable<ByteDistribution>): ByteDistribution {
    let base = 0;
    const terms: Term[] = [];
    for (const part of parts) {
      base += part.base;
      terms.push(...part.terms);
    }
    return new ByteDistribution(base, terms);
  }

  /** The larger of two sizes that are independent of each other. */
  static larger(a: ByteDistribution, b: ByteDistribution): ByteDistribution {
    if (a.min >= b.max) return a;
    if (b.min >= a.max) return b;
    const key = `${a.key()};${b.key()}`;
    const known = largest.get(key);
    if (known !== undefined) return known;
    const found = ByteDistribution.largerOf(a.points(), b.points());
    largest.set(key, found);
    return found;
  }

  private static largerOf(one: readonly Point[], other: readonly Point[]): ByteDistribution {
    const sizes = [...new Set([...one, ...other].map(({ bytes }) => bytes))].sort((x, y) => x - y);
    const [below, belowOther] = [cumulative(one), cumulative(other)];
    let before = 0;
    const points = sizes.map((bytes) => {
      const upTo = below(bytes) * belowOther(bytes);
      const share = upTo - before;
      before = upTo;
      return { bytes, share };
    });
    return ByteDistribution.spread(points);
  }

  /** Few sizes as they are; many as one array, which sums are made of sooner. */
  private static spread(points: readonly Point[]): ByteDistribution {
    const [first, last] = [points[0]?.bytes ?? 0, points.at(-1)?.bytes ?? 0];
    if (points.length <= fewPointsMax) return ByteDistribution.shares(points);
    const weights = new Float64Array(last - first + 1);
    for (const { bytes, share } of points) weights[bytes - first] = share;
    return new ByteDistribution(0, [termOf({ kind: "dense", min: first, weights })]);
  }

  plus(other: ByteDistribution | number): ByteDistribution {
    if (typeof other === "number") return new ByteDistribution(this.base + other, this.terms);
    return ByteDistribution.sum([this, other]);
  }

  /** There in a share of all cases, and nothing in the others. */
  present(share: number): ByteDistribution {
    if (share >= 1) return this;
    if (share <= 0) return ByteDistribution.fixed(0);
    const [term] = this.terms;
    if (this.terms.length === 1 && term?.times === 1 && term.part.kind === "even") {
      const { part } = term;
      if (part.share === 1) {
        const there = { ...part, start: part.start + this.base, share };
        return new ByteDistribution(0, [termOf(there)]);
      }
    }
    return ByteDistribution.mixture([
      { distribution: this, share },
      { distribution: ByteDistribution.fixed(0), share: 1 - share },
    ]);
  }

  /** The same size so many times: not independent ones. */
  scaled(factor: number): ByteDistribution {
    if (factor === 1) return this;
    if (factor === 0) return ByteDistribution.fixed(0);
    const [term] = this.terms;
    if (term === undefined) return ByteDistribution.fixed(this.base * factor);
    if (this.terms.length === 1 && term.times === 1 && term.part.kind === "even") {
      const { start, step, count, share } = term.part;
      const part: Part = {
        kind: "even",
        start: start * factor,
        step: step * factor,
        count,
        share,
      };
      return new ByteDistribution(this.base * factor, [termOf(part)]);
    }
    return ByteDistribution.shares(
      this.points().map(({ bytes, share }) => ({ bytes: bytes * factor, share })),
    );
  }

  /** So many independent ones; a fraction is a mix of the whole numbers beside it. */
  times(count: number): ByteDistribution {
    const whole = Math.floor(count);
    const some = new ByteDistribution(
      this.base * whole,
      whole === 0 ? [] : this.terms.map((term) => ({ ...term, times: term.times * whole })),
    );
    // One more in as many cases as the fraction says.
    return count === whole ? some : some.plus(this.present(count - whole));
  }

  /** E[max(1, ceil(X / unit))]. */
  expectedUnits(unit: number): number {
    const [least, most] = [this.min, this.max].map((b) => Math.max(1, Math.ceil(b / unit)));
    if (least === most) return least as number;
    const key = `${unit};${this.key()}`;
    const known = unitMeans.get(key);
    if (known !== undefined) return known;
    const mean = meanUnits(this.evaluate(), unit);
    unitMeans.set(key, mean);
    return mean;
  }

  probabilityAbove(bytes: number): number {
    if (bytes >= this.max) return 0;
    if (bytes < this.min) return 1;
    return aboveBytes(this.evaluate(), bytes);
  }

  /** Every size that there is, with its share. */
  points(): readonly Point[] {
    const few = this.fewPoints();
    if (few !== undefined) return few;
    const { min, weights } = flatten(this.evaluate());
    return mergePoints(Array.from(weights, (share, i) => ({ bytes: min + i, share })));
  }

  private fewPoints(): readonly Point[] | undefined {
    if (this.terms.some(({ part }) => part.kind !== "points")) return undefined;
    const { points, rest } = this.evaluate();
    return rest.kind === "none" ? points : undefined;
  }

  private evaluate(): Evaluated {
    this.evaluated ??= evaluateOnce(this.base, this.terms);
    return this.evaluated;
  }

  /** The same for what has the same parts. */
  private key(): string {
    this.keyText ??= [this.base, ...this.terms.map(termKey)].join(" ");
    return this.keyText;
  }
}

const fewPointsMax = 16;

/** How often a size is at most so large; to be asked in ascending order. */
function cumulative(points: readonly Point[]): (bytes: number) => number {
  let [next, sum] = [0, 0];
  return (bytes) => {
    for (; (points[next]?.bytes ?? Number.POSITIVE_INFINITY) <= bytes; next += 1) {
      sum += points[next]?.share ?? 0;
    }
    return Math.min(1, sum);
  };
}

function termOf(part: Part): Term {
  return { part, moments: momentsOf(part), times: 1 };
}

/** Many designs of one model have items of the same parts; what these make together is worked out once. */
const evaluations = new BoundedCache<Evaluated>(500);
const mixtures = new BoundedCache<ByteDistribution>(100);
const largest = new BoundedCache<ByteDistribution>(100);
const unitMeans = new BoundedCache<number>(20_000);

function evaluateOnce(base: number, terms: readonly Term[]): Evaluated {
  const keyed = terms.map((term) => ({ term, key: termKey(term) }));
  if (terms.length === 0) return evaluate(base, terms);
  // In one order, so that it does not matter who asks first.
  keyed.sort((a, b) => (a.key < b.key ? -1 : 1));
  const key = keyed.map((one) => one.key).join(" ");
  const found =
    evaluations.get(key) ??
    evaluate(
      0,
      keyed.map(({ term }) => term),
    );
  evaluations.set(key, found);
  return {
    ...found,
    points: found.points.map(({ bytes, share }) => ({ bytes: bytes + base, share })),
  };
}

function termKey({ part, times }: Term): string {
  const known = partKeys.get(part) ?? partKey(part);
  partKeys.set(part, known);
  return `${times}${known}`;
}

/** What tells a part from others; a long one is told by itself. */
function partKey(part: Part): string {
  if (part.kind === "even") {
    const { start, step, count, share } = part;
    return `e${start},${step},${count},${share}`;
  }
  if (part.kind === "points" && part.points.length <= pointsInKeyMax) {
    return `p${part.points.map(({ bytes, share }) => `${bytes}:${share}`).join()}`;
  }
  return `d${longCount++}`;
}

const pointsInKeyMax = 32;
const partKeys = new WeakMap<Part, string>();
let longCount = 0;

/** What several kinds of things weigh together: so many of each. */
export function sumOf(
  kinds: readonly { readonly distribution: ByteDistribution; readonly count: number }[],
): ByteDistribution {
  return ByteDistribution.sum(kinds.map(({ distribution, count }) => distribution.times(count)));
}

/** The mean of the units of so many independent things that are rounded up together. */
export function expectedUnitsOfSum(
  distribution: ByteDistribution,
  count: number,
  unit: number,
): number {
  return distribution.times(count).expectedUnits(unit);
}
