import { indexKeyAttributesPerTypeMax } from "../../api/limits.ts";
import type { Attribute, Entity } from "../../model/requirements.ts";
import { fitsKey } from "../sizes/key-limits.ts";
import { isKeyType, lookedAt, type Need, unique } from "./needs.ts";

/**
 * All orders of sort attributes that somebody can use behind a partition key: values that are known, then what is
 * asked for in order or between bounds. Every beginning of a useful order is useful, too.
 */
export function sortSequences(
  entity: Entity,
  partition: readonly string[],
  needs: readonly Need[],
  most = indexKeyAttributesPerTypeMax,
): readonly (readonly string[])[] {
  const users = needs.filter(
    (one) => partition.every((name) => one.equal.includes(name)) && one.entity === entity.name,
  );
  const found: (readonly string[])[] = [];
  const visit = (sequence: readonly string[], alive: readonly Progress[]): void => {
    found.push(sequence);
    if (sequence.length >= most) return;
    const next = unique(alive.flatMap(({ need, stage }) => nextOf(need, stage, partition)));
    const seen = new Set<string>();
    for (const name of next) {
      const attribute = entity.attributes.get(name);
      if (attribute === undefined || !isKeyType(attribute)) continue;
      if (sequence.includes(name) || partition.includes(name)) continue;
      if (!fitsKey(attributesIn(entity, [...sequence, name]), "sort")) continue;
      // Which of two comes first does not matter if both are known to the same and nobody else.
      const known = alive.map(({ need, stage }) => stage === 0 && need.equal.includes(name));
      const alike = alive.every(({ need }, i) => known[i] || !lookedAt(need).includes(name))
        ? known.join()
        : name;
      if (seen.has(alike)) continue;
      seen.add(alike);
      const still = alive.flatMap(({ need, stage }) => {
        const after = advance(need, stage, name, entity);
        return after === undefined ? [] : [{ need, stage: after }];
      });
      if (still.length > 0) visit([...sequence, name], still);
    }
  };
  visit(
    [],
    users.map((need) => ({ need, stage: 0 })),
  );
  return found;
}

/** Of so few all choices are tried. */
const fewKnown = 3;

/**
 * Partition keys that are worth a thought: what several needs know alike. Of many attributes that all who use a key
 * know, all are in its partition key: a smaller one makes hardly a difference, except for what changes, which makes a key
 * dear and may be left to a filter. Of few all choices are tried; those that find the same are put together later.
 */
export function commonKnown(
  entity: Entity,
  needs: readonly Need[],
  changing: ReadonlySet<string>,
  most = indexKeyAttributesPerTypeMax,
): readonly (readonly string[])[] {
  const known = needs.map(({ equal }) =>
    equal.filter((name) => {
      const attribute = entity.attributes.get(name);
      return attribute !== undefined && isKeyType(attribute) && fitsKey([attribute], "partition");
    }),
  );
  const isFew = ({ length }: readonly string[], name: string): boolean =>
    length <= fewKnown || changing.has(name);
  return closed(known, most, isFew, (names) => fitsKey(attributesIn(entity, names), "partition"));
}

function attributesIn({ attributes }: Entity, names: readonly string[]): readonly Attribute[] {
  return names.flatMap((name) => attributes.get(name) ?? []);
}

/** Sets of names, what any of them have in common, and all that without what may be left out. */
function closed(
  sets: readonly (readonly string[])[],
  most: number,
  mayGo: (names: readonly string[], name: string) => boolean,
  /** Names of a set that do not fit beside those before them are left out. */
  fits: (names: readonly string[]) => boolean,
): readonly (readonly string[])[] {
  const found = new Map<string, readonly string[]>();
  const add = (names: readonly string[]): boolean => {
    const fitting: string[] = [];
    for (const name of names.toSorted()) {
      if (fitting.length < most && fits([...fitting, name])) fitting.push(name);
    }
    const key = JSON.stringify(fitting);
    if (fitting.length === 0 || found.has(key)) return false;
    found.set(key, fitting);
    return true;
  };
  for (const one of sets) add(one);
  for (let grown = true; grown; ) {
    grown = false;
    for (const one of [...found.values()]) {
      const smaller = [
        ...sets.map((other) => one.filter((name) => other.includes(name))),
        ...one
          .filter((name) => mayGo(one, name))
          .map((gone) => one.filter((name) => name !== gone)),
      ];
      for (const names of smaller) if (add(names)) grown = true;
    }
  }
  return [...found.values()];
}

/**
 * Sort keys that keep items out of a copy which is read as a whole: what some readers ask about and not all items have.
 * What changes makes a key dear, and may be left to a filter. Everybody reads the copy without any.
 */
export function sparseSorts(
  entity: Entity,
  needs: readonly Need[],
  changing: ReadonlySet<string>,
): readonly { readonly sort: readonly string[]; readonly users: readonly Need[] }[] {
  const rare = needs.map(({ asked }) =>
    asked.filter((name) => {
      const attribute = entity.attributes.get(name);
      return attribute !== undefined && isKeyType(attribute) && attribute.present.value < 1;
    }),
  );
  const isChanging = (_: readonly string[], name: string): boolean => changing.has(name);
  const fits = (names: readonly string[]): boolean => fitsKey(attributesIn(entity, names), "sort");
  return [[], ...closed(rare, indexKeyAttributesPerTypeMax, isChanging, fits)].map((sort) => ({
    sort,
    users: needs.filter((_, i) => sort.every((one) => rare[i]?.includes(one))),
  }));
}

/** How far a need has got: known values, so many of its order, or the end. */
type Stage = number | "done";

interface Progress {
  readonly need: Need;
  readonly stage: Stage;
}

function nextOf(need: Need, stage: Stage, partition: readonly string[]): readonly string[] {
  // What only lets items into an index is useful behind everything.
  const sparse = need.asked.filter((name) => !partition.includes(name));
  if (stage === "done") return sparse;
  const order = ordersOf(need);
  const wanted = order[stage];
  if (stage > 0) return [...(wanted === undefined ? [] : [wanted]), ...sparse];
  return [
    ...need.equal.filter((name) => !partition.includes(name)),
    ...(wanted === undefined ? [] : [wanted]),
    ...need.ranged,
    ...sparse,
  ];
}

/** What is left to be ordered by; what is equal is in any order. */
function ordersOf({ order, equal }: Need): readonly string[] {
  return order.map(({ attribute }) => attribute).filter((name) => !equal.includes(name));
}

function advance(need: Need, stage: Stage, name: string, entity: Entity): Stage | undefined {
  if (stage !== "done") {
    if (stage === 0 && need.equal.includes(name)) return 0;
    const order = ordersOf(need);
    if (order[stage] === name) return stage + 1;
    if (stage === 0 && need.ranged.includes(name)) return "done";
  }
  // A condition on something that not all have leaves the others out of the index.
  const present = entity.attributes.get(name)?.present.value ?? 1;
  return need.asked.includes(name) && present < 1 ? "done" : undefined;
}
