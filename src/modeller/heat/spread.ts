/** How requests are spread over the values of one part of a key. */
export type Spread =
  /** All values are used as often. */
  | { readonly kind: "even"; readonly count: number }
  /** The value of rank k is used as often as 1 / k^exponent. */
  | { readonly kind: "zipf"; readonly count: number; readonly exponent: number }
  /** One value has this share, the others share the rest. */
  | { readonly kind: "hottest"; readonly count: number | undefined; readonly share: number }
  /** Values that are known by name. */
  | { readonly kind: "values"; readonly shares: ReadonlyMap<string, number> }
  /** All on one value: a constant, the time that it is now, or nobody said how many there are. */
  | {
      readonly kind: "single";
      readonly value: string | undefined;
      readonly why: "constant" | "now" | "unknown";
    };

/** The share of the value that is used most. */
export function hottestShare(spread: Spread): number {
  switch (spread.kind) {
    case "even":
      return 1 / Math.max(1, spread.count);
    case "zipf":
      return 1 / harmonic(spread.count, spread.exponent);
    case "hottest":
      return spread.share;
    case "values":
      return Math.max(0, ...spread.shares.values());
    case "single":
      return 1;
  }
}

/**
 * The share of one value. Where values have no names, the hottest of one pattern is taken to be the hottest of all,
 * so the share is that of the hottest.
 */
export function shareAt(spread: Spread, value: string | undefined): number {
  if (value === undefined) return hottestShare(spread);
  if (spread.kind === "values") return spread.shares.get(value) ?? 0;
  if (spread.kind === "single" && spread.value !== undefined) return spread.value === value ? 1 : 0;
  return hottestShare(spread);
}

/** The values that a spread knows by name. */
export function namedValues(spread: Spread): readonly string[] {
  if (spread.kind === "values") return [...spread.shares.keys()];
  return spread.kind === "single" && spread.value !== undefined ? [spread.value] : [];
}

/** So many terms are added one by one; the rest of the sum is as good as an integral. */
const termsMax = 10_000;

/** 1 + 1/2^s + … + 1/n^s, by Euler and Maclaurin beyond the first terms. */
export function harmonic(count: number, exponent: number): number {
  const n = Math.max(1, Math.floor(count));
  const terms = Math.min(n, termsMax);
  let sum = 0;
  for (let k = 1; k <= terms; k += 1) sum += k ** -exponent;
  if (n === terms) return sum;
  const integral =
    exponent === 1
      ? Math.log(n / terms)
      : (n ** (1 - exponent) - terms ** (1 - exponent)) / (1 - exponent);
  return sum + integral + (n ** -exponent - terms ** -exponent) / 2;
}
