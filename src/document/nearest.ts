/** Longer names are not compared: nobody mistypes them, and comparing takes the square of the length. */
const lengthMax = 64;

/** The known name that was probably meant, if one is near enough. */
export function nearest(given: string, known: Iterable<string>): string | undefined {
  if (given.length > lengthMax) return undefined;
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const name of known) {
    const limit = Math.max(1, Math.ceil(Math.min(given.length, name.length) / 3));
    if (name.length > lengthMax || Math.abs(name.length - given.length) > limit) continue;
    const distance = Math.min(
      editDistance(given, name),
      editDistance(given.toLowerCase(), name.toLowerCase()) + 0.5,
    );
    if (distance > limit + 0.5 || distance >= name.length || distance >= bestDistance) continue;
    best = name;
    bestDistance = distance;
  }
  return best;
}

/** " Did you mean …?" to put behind a complaint, or nothing. */
export function didYouMean(given: string, known: Iterable<string>): string {
  const found = nearest(given, known);
  return found === undefined ? "" : `; did you mean '${found}'?`;
}

/** How many characters must be added, dropped, changed or swapped with their neighbour. */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
