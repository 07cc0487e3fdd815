import type { Model } from "../../model/model.ts";
import type { Entity } from "../../model/requirements.ts";
import type { Reference, References } from "./references.ts";

/** What a sample is for. */
export interface About {
  /** There are many of them, and few of the others. */
  readonly entities: ReadonlySet<string>;
  /** They have at most so many children: so there are many owners. */
  readonly fanOutMax: number;
  /** Of those that few owners have, each owner has so many nevertheless. */
  readonly fanOutMin?: number;
}

/** How many of each entity a sample has. */
export interface SampleCounts {
  /** How many there are of entities that stand alone. */
  readonly roots: ReadonlyMap<string, number>;
  /** How many there are for one of the owner, on average. */
  readonly fanOuts: ReadonlyMap<string, FanOut>;
  /** How many there are of every entity, up to rounding. */
  readonly expected: ReadonlyMap<string, number>;
}

export interface FanOut {
  readonly owner: string;
  readonly stated: number;
  readonly made: number;
}

/** Where the document does not say how many there are. */
const unknownCount = 100;
const unknownFanOut = 3;
/** So many parents make a sample worth looking at; fewer are taken only if there is no room. */
const rootsWanted = [20, 10, 5, 2, 1];
/** A parent should have so many children, if the document says so many, before there are more parents. */
const fanOutWanted = 3;

/**
 * Makes the model small: all counts by one factor, and fan-outs as they are. Where a fan-out alone is too large
 * for the sample it is cut, so that there are several parents nevertheless.
 */
export function sampleCounts(
  model: Model,
  references: ReadonlyMap<string, References>,
  itemsMax: number,
  about?: About,
): SampleCounts {
  const isAbout = aboutOf(references, about?.entities);
  const fanOutMin = (entity: string): number =>
    about?.entities.has(entity) ? (about.fanOutMin ?? 0) : 0;
  const entities = ownersFirst(model, references);
  const weights = new Map(entities.map((entity) => [entity.name, itemsPerEntity(model, entity)]));
  const total = ({ expected }: SampleCounts): number =>
    entities.reduce(
      (sum, { name }) => sum + (expected.get(name) ?? 0) * (weights.get(name) ?? 1),
      0,
    );
  const counts = (rootsMin: number, factor: number, fanOutMax: number): SampleCounts =>
    countsOf(model, entities, references, rootsMin, factor, fanOutMax, isAbout, fanOutMin);
  const fanOutsMax = about?.fanOutMax ?? Number.POSITIVE_INFINITY;
  for (const rootsMin of rootsWanted) {
    const fits = (factor: number, fanOutMax: number): boolean =>
      total(counts(rootsMin, factor, fanOutMax)) <= itemsMax;
    if (fits(0, fanOutsMax)) {
      const factor = largest(0, 1, (one) => fits(one, fanOutsMax));
      return counts(rootsMin, factor, fanOutsMax);
    }
    if (fits(0, fanOutWanted) || rootsMin === rootsWanted.at(-1)) {
      const highest = largest(Math.min(1, itemsMax), itemsMax, (one) => fits(0, one));
      return counts(rootsMin, 0, highest < fanOutWanted ? highest : Math.floor(highest));
    }
  }
  return counts(1, 0, 1);
}

/** Of those that a sample is not about there are few; whom they belong to is needed for those that it is about. */
function aboutOf(
  references: ReadonlyMap<string, References>,
  about: ReadonlySet<string> | undefined,
): (entity: string) => boolean {
  if (about === undefined) return () => true;
  const all = new Set<string>();
  for (const name of about) {
    let next: string | undefined = name;
    while (next !== undefined && !all.has(next)) {
      all.add(next);
      next = references.get(next)?.owner?.target;
    }
  }
  return (entity) => all.has(entity);
}

function countsOf(
  model: Model,
  entities: readonly Entity[],
  references: ReadonlyMap<string, References>,
  rootsMin: number,
  factor: number,
  fanOutMax: number,
  isAbout: (entity: string) => boolean,
  fanOutMin: (entity: string) => number,
): SampleCounts {
  const roots = new Map<string, number>();
  const fanOuts = new Map<string, FanOut>();
  const expected = new Map<string, number>();
  for (const entity of entities) {
    const owner = references.get(entity.name)?.owner;
    if (owner === undefined) {
      const count = entity.count?.value ?? unknownCount;
      const more = isAbout(entity.name) ? Math.round(count * factor) : 0;
      // An entity of which there are none yet has one, too: its patterns are tried with it.
      const made = Math.max(1, Math.min(rootsMin, count), more);
      roots.set(entity.name, made);
      expected.set(entity.name, made);
    } else {
      const stated = owner.average ?? ratio(model, entity, owner);
      const least = Math.max(stated, fanOutMin(entity.name));
      const made = Math.min(least, isAbout(entity.name) ? fanOutMax : 1);
      fanOuts.set(entity.name, { owner: owner.target, stated, made });
      expected.set(entity.name, (expected.get(owner.target) ?? 0) * made);
    }
  }
  return { roots, fanOuts, expected };
}

function ratio(model: Model, { count }: Entity, { target, relation }: Reference): number {
  const owners = model.entities.get(target)?.count?.value;
  const isOne = relation?.kind === "one-to-one";
  if (count === undefined || owners === undefined || owners === 0) {
    return isOne ? 1 : unknownFanOut;
  }
  return isOne ? Math.min(1, count.value / owners) : count.value / owners;
}

/** The largest number between two for which something holds, to a thousandth of the whole. */
function largest(low: number, high: number, holds: (one: number) => boolean): number {
  if (holds(high)) return high;
  let [yes, no] = [low, high];
  for (let step = 0; step < 60; step += 1) {
    const middle = (yes + no) / 2;
    if (holds(middle)) yes = middle;
    else no = middle;
  }
  return yes;
}

/** How many items are stored for one of an entity, on average. */
function itemsPerEntity(model: Model, entity: Entity): number {
  if (model.design === undefined) return 1;
  let items = 0;
  for (const table of model.design?.tables.values() ?? []) {
    const placement = table.placements.get(entity.name);
    if (placement !== undefined) {
      items += 1;
      if (table.versioning?.entity === entity.name && table.versioning.latest === "copy")
        items += 1;
      for (const { attributes } of placement.splits) {
        const absent = attributes.map(
          (name) => 1 - (entity.attributes.get(name)?.present.value ?? 1),
        );
        items += 1 - absent.reduce((product, one) => product * one, 1);
      }
    }
    items += table.unique.filter(({ entity: name }) => name === entity.name).length;
  }
  return items;
}

/** Every entity after the one that it belongs to, and after those that it refers to where that is possible. */
export function ownersFirst(
  model: Model,
  references: ReadonlyMap<string, References>,
): readonly Entity[] {
  const sorted = new Map<string, Entity>();
  const visiting = new Set<string>();
  const waits = (name: string | undefined): boolean =>
    name !== undefined && (visiting.has(name) || waits(references.get(name)?.owner?.target));
  const visit = (name: string): void => {
    const entity = model.entities.get(name);
    if (entity === undefined || sorted.has(name)) return;
    visiting.add(name);
    const { owner, all = [] } = references.get(name) ?? {};
    if (owner !== undefined && !waits(owner.target)) visit(owner.target);
    // Who belongs to somebody that is waiting cannot come before them.
    for (const { target } of all) if (!waits(target)) visit(target);
    visiting.delete(name);
    sorted.set(name, entity);
  };
  for (const name of model.entities.keys()) visit(name);
  return [...sorted.values()];
}
