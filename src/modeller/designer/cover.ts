import { compareWorth, type Worth } from "./worth.ts";

/** Something that holds some of the entities. */
export interface Covering extends Worth {
  readonly covers: readonly string[];
  /** Among equals the smallest. */
  readonly preference: number;
}

export function compareCovering(a: Omit<Covering, "covers">, b: Omit<Covering, "covers">): number {
  return compareWorth(a, b) || a.preference - b.preference;
}

/** The best choice that holds each entity exactly once; nothing if there is none. */
export function cheapestCover<One extends Covering>(
  entities: readonly string[],
  all: readonly One[],
): readonly One[] | undefined {
  const found: One[] = [];
  for (const group of groupsOf(entities, all)) {
    const best = coverOf(group, all);
    if (best === undefined) return undefined;
    found.push(...best.chosen);
  }
  return found;
}

/** Entities that something holds together. */
function groupsOf(
  entities: readonly string[],
  all: readonly Covering[],
): readonly (readonly string[])[] {
  const left = new Set(entities);
  const groups: string[][] = [];
  for (const first of entities) {
    if (!left.delete(first)) continue;
    const group = [first];
    for (const name of group) {
      for (const { covers } of all) {
        if (!covers.includes(name)) continue;
        for (const other of covers) if (left.delete(other)) group.push(other);
      }
    }
    groups.push(group);
  }
  return groups;
}

interface Sum<One> extends Omit<Covering, "covers"> {
  readonly chosen: readonly One[];
}

/** The first entity that is left is in one of those that hold it and nothing that is held already. */
function coverOf<One extends Covering>(
  left: readonly string[],
  all: readonly One[],
): Sum<One> | undefined {
  const [first] = left;
  if (first === undefined) return { dollars: 0, trips: 0, indexes: 0, preference: 0, chosen: [] };
  let best: Sum<One> | undefined;
  for (const one of all) {
    if (!one.covers.includes(first) || !one.covers.every((name) => left.includes(name))) continue;
    const rest = coverOf(
      left.filter((name) => !one.covers.includes(name)),
      all,
    );
    if (rest === undefined) continue;
    const sum: Sum<One> = {
      dollars: one.dollars + rest.dollars,
      trips: one.trips + rest.trips,
      indexes: one.indexes + rest.indexes,
      preference: one.preference + rest.preference,
      chosen: [one, ...rest.chosen],
    };
    if (best === undefined || compareCovering(sum, best) < 0) best = sum;
  }
  return best;
}
