/** Every choice of one element from each list; the last list changes fastest. */
export function cartesianProduct<T>(lists: Iterable<readonly T[]>): readonly (readonly T[])[] {
  let all: readonly (readonly T[])[] = [[]];
  for (const list of lists) all = all.flatMap((before) => list.map((one) => [...before, one]));
  return all;
}
