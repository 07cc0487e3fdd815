import type { SeededRandom } from "../../base/random.ts";
import type { AttributeValue } from "../../item/attribute-value.ts";
import type { Attribute, Entity, Skew } from "../../model/requirements.ts";
import { deal, dealAround, dealPresence, dealSizes, shuffled } from "./decks.ts";
import { drawValue, serialNumber } from "./draw-value.ts";
import type { Reference } from "./references.ts";
import type { Making, Row } from "./sample-making.ts";
import { earliest, momentBetween } from "./sample-times.ts";
import { isNumbered, serialText, textFor } from "./text-for.ts";

/** How often an id is drawn again until it differs from the others. */
const attemptsMax = 200;
/** How many versions there are of something if nothing says so. */
const usualVersions = 3;

/** The rows of one entity, with their ids and with whom they refer to. */
export function makeRows(making: Making, entity: Entity): Row[] {
  const random = making.random(entity.name, "");
  const rows = startRows(making, entity, random);
  const { owner, all } = making.references.get(entity.name) ?? { owner: undefined, all: [] };
  const others = all.filter((one) => one !== owner && one.target !== entity.name);
  const isInId = ({ decides }: Reference): boolean =>
    decides.some((name) => entity.id.includes(name));
  for (const reference of others.filter((one) => !isInId(one))) {
    referTo(making, rows, reference, random);
  }
  // Where ids go round in a circle, there is nothing yet that the first could name: it has an id of its own.
  const known = others.filter((one) => (making.rows.get(one.target)?.length ?? 0) > 0);
  return withIds(making, entity, rows, known.filter(isInId), random);
}

/** Later, when all rows are there: references to rows of the same entity, or of one that had to wait. */
export function referLate(making: Making, entity: Entity): void {
  const rows = making.rows.get(entity.name) ?? [];
  const random = making.random(entity.name, "late");
  for (const reference of making.references.get(entity.name)?.all ?? []) {
    const isInId = reference.decides.some((name) => entity.id.includes(name));
    const waited = rows.filter((row) => !row.targets.has(reference));
    if (isInId || waited.length < rows.length) continue;
    const back = referrers(making, reference);
    if (back.size === 0) referTo(making, rows, reference, random);
    for (const row of rows) {
      // Who has exactly one of something holds the id of that one.
      const own = back.get(row);
      if (own !== undefined) point(row, reference, own);
    }
  }
}

/** The first of the targets that refers to each row. */
function referrers(making: Making, { entity, target }: Reference): ReadonlyMap<Row, Row> {
  const found = new Map<Row, Row>();
  if (entity === target) return found;
  for (const row of making.rows.get(target) ?? []) {
    for (const one of row.targets.values()) {
      if (one.entity.name === entity && !found.has(one)) found.set(one, row);
    }
  }
  return found;
}

function startRows(making: Making, entity: Entity, random: SeededRandom): Row[] {
  const { model, counts, now } = making;
  const from = earliest(model, entity, now);
  const row = (begin: number): Row => ({
    entity,
    values: new Map(),
    targets: new Map(),
    born: momentBetween(begin, now, random),
  });
  const owner = making.references.get(entity.name)?.owner;
  if (owner === undefined) {
    return Array.from({ length: counts.roots.get(entity.name) ?? 0 }, () => row(from));
  }
  const owners = making.rows.get(owner.target) ?? [];
  const average = counts.fanOuts.get(entity.name)?.made ?? 0;
  const dealt = dealAround(average, owners.length, random);
  // Of something rare there is one nevertheless.
  const isNone = average > 0 && !dealt.some((count) => count > 0);
  const fanOuts = isNone ? [1, ...dealt.slice(1)] : dealt;
  return owners.flatMap((one, place) =>
    Array.from({ length: fanOuts[place] ?? 0 }, () => {
      const child = row(Math.max(from, one.born));
      point(child, owner, one);
      return child;
    }),
  );
}

function point(row: Row, reference: Reference, target: Row): void {
  row.targets.set(reference, target);
  for (const { own, id } of reference.attributes) {
    const value = target.values.get(id);
    if (value !== undefined) row.values.set(own, value);
  }
}

/** Points rows to targets, evenly or as the attribute's skew says; some of them to none. */
function referTo(
  making: Making,
  rows: readonly Row[],
  reference: Reference,
  random: SeededRandom,
): void {
  const [first = ""] = reference.decides;
  const attribute = making.model.entities.get(reference.entity)?.attributes.get(first);
  if (attribute === undefined) return;
  const present = dealPresence(attribute.present.value, rows.length, random);
  const targets = new Chooser(making.rows.get(reference.target) ?? [], attribute.skew, random);
  targets.expect(rows.length);
  for (const [place, row] of rows.entries()) {
    if (present[place] !== true) continue;
    const target = targets.next((one) => one !== row && agrees(row, reference, one));
    if (target !== undefined) point(row, reference, target);
  }
}

/** Whether what the row has of the id already is the target's. */
function agrees(row: Row, { attributes }: Reference, target: Row): boolean {
  return attributes.every(({ own, id }) => {
    const value = row.values.get(own);
    return value === undefined || textOf(value) === textOf(target.values.get(id));
  });
}

/** Deals out targets one after the other; one that does not fit waits for a row that it fits. */
class Chooser {
  readonly #targets: readonly Row[];
  readonly #skew: Skew | undefined;
  readonly #random: SeededRandom;
  #deck: Row[] = [];

  constructor(targets: readonly Row[], skew: Skew | undefined, random: SeededRandom) {
    this.#targets = shuffled(targets, random);
    this.#skew = skew;
    this.#random = random;
  }

  expect(count: number): void {
    const shares = skewShares(this.#skew, this.#targets.length);
    this.#deck = deal(shares, count, this.#random).map((place) => this.#targets[place] as Row);
  }

  next(fits: (target: Row) => boolean): Row | undefined {
    const depth = Math.max(0, this.#deck.length - attemptsMax);
    for (let place = this.#deck.length - 1; place >= depth; place -= 1) {
      const target = this.#deck[place] as Row;
      if (!fits(target)) continue;
      this.#deck.splice(place, 1);
      return target;
    }
    return this.#targets.find(fits);
  }
}

/** How the uses of so many values are shared out. */
export function skewShares(skew: Skew | undefined, count: number): number[] {
  const even = new Array<number>(count).fill(1 / Math.max(1, count));
  if (skew === undefined || count < 2) return even;
  const { kind, value } = skew;
  if (kind === "zipf") return even.map((_, place) => 1 / (place + 1) ** value.value);
  // The hottest has its share, the others have the rest evenly.
  const hottest = Math.max(value.value, 1 / count);
  return even.map((_, place) => (place === 0 ? hottest : (1 - hottest) / (count - 1)));
}

/** Gives every row an id that no other has. Rows for which there is none are left out. */
function withIds(
  making: Making,
  entity: Entity,
  rows: readonly Row[],
  references: readonly Reference[],
  random: SeededRandom,
): Row[] {
  const set = new Set(references.flatMap(({ attributes }) => attributes.map(({ own }) => own)));
  const free = entity.id.flatMap((name) => {
    const attribute = entity.attributes.get(name);
    const isSet = set.has(name) || rows.some(({ values }) => values.has(name));
    return attribute === undefined || isSet ? [] : [attribute];
  });
  const drawer = new IdDrawer(making, entity, free, rows.length, random);
  const choosers = references.map((reference) => {
    const [first = ""] = reference.decides;
    const skew = entity.attributes.get(first)?.skew;
    const chooser = new Chooser(making.rows.get(reference.target) ?? [], skew, random);
    chooser.expect(rows.length);
    return { reference, chooser };
  });
  const taken = new Set<string>();
  const isNew = (row: Row): boolean => !taken.has(idOf(row));
  const kept: Row[] = [];
  // An entity is linked with itself only if there is no other one.
  for (const isOther of [(row: Row, target: Row) => !isOwner(row, target), () => true]) {
    for (const row of kept.length === 0 ? rows : []) {
      if (!complete(row, choosers, drawer, isNew, isOther)) continue;
      taken.add(idOf(row));
      kept.push(row);
    }
  }
  return kept;
}

function complete(
  row: Row,
  choosers: readonly { readonly reference: Reference; readonly chooser: Chooser }[],
  drawer: IdDrawer,
  isNew: (row: Row) => boolean,
  isOther: (row: Row, target: Row) => boolean,
): boolean {
  const last = choosers.at(-1);
  for (const { reference, chooser } of choosers) {
    const isLast = reference === last?.reference;
    const target = chooser.next((one) => {
      if (!agrees(row, reference, one) || !isOther(row, one)) return false;
      if (!isLast || !drawer.isEmpty) return true;
      const trial = { ...row, values: new Map(row.values), targets: new Map() };
      point(trial, reference, one);
      return isNew(trial);
    });
    if (target === undefined) return false;
    point(row, reference, target);
  }
  if (drawer.isEmpty) return isNew(row);
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    drawer.draw(row, attempt);
    if (isNew(row)) return true;
  }
  return false;
}

const isOwner = (row: Row, target: Row): boolean => [...row.targets.values()].includes(target);

export function idOf({ entity, values }: Row): string {
  return JSON.stringify(entity.id.map((name) => textOf(values.get(name))));
}

export function textOf(value: AttributeValue | undefined): string {
  if (value === undefined) return "";
  if ("S" in value) return value.S;
  if ("N" in value) return value.N;
  return JSON.stringify(value);
}

const dayMs = 86_400_000;

/** Draws those parts of ids that refer to nothing. */
class IdDrawer {
  readonly #entity: Entity;
  readonly #free: readonly Attribute[];
  readonly #random: SeededRandom;
  readonly #sizes = new Map<string, number[]>();
  /** Values of which there are few, in the order in which they are used. */
  readonly #pools = new Map<string, readonly AttributeValue[]>();
  /** How many there are with the same other parts, to number them. */
  readonly #serials = new Map<string, number>();
  readonly #version: string | undefined;
  #drawn = -1;
  #group: readonly AttributeValue[] = [];

  constructor(
    making: Making,
    entity: Entity,
    free: readonly Attribute[],
    count: number,
    random: SeededRandom,
  ) {
    this.#entity = entity;
    this.#free = free;
    this.#random = random;
    this.#version = making.versionOf(entity);
    for (const attribute of free) {
      const { name, size, format, skew } = attribute;
      const pool = entity.id.length > 1 ? making.pool(entity, attribute) : undefined;
      if (pool !== undefined) {
        const places = deal(skewShares(skew, pool.length), count, random);
        this.#pools.set(
          name,
          places.map((place) => pool[place] as AttributeValue),
        );
      } else if (size !== undefined && format === undefined) {
        this.#sizes.set(name, dealSizes(size.distribution, count, random));
      }
    }
  }

  get isEmpty(): boolean {
    return this.#free.length === 0;
  }

  draw(row: Row, attempt: number): void {
    if (attempt === 0) this.#drawn += 1;
    const others = this.#free.filter(({ name }) => name !== this.#version);
    const isVersioned = others.length < this.#free.length;
    // Without an owner that says how many versions there are, some rows are versions of the same.
    const isAnother = isVersioned && this.#drawn % usualVersions !== 0 && attempt === 0;
    for (const [place, attribute] of others.entries()) {
      const again = isAnother ? this.#group[place] : undefined;
      row.values.set(attribute.name, again ?? this.#value(row, attribute, attempt));
    }
    this.#group = others.flatMap(({ name }) => row.values.get(name) ?? []);
    if (isVersioned && this.#version !== undefined) {
      row.values.delete(this.#version);
      row.values.set(this.#version, { N: String(this.#serial(idOf(row)) + 1) });
    }
  }

  #serial(group: string): number {
    const serial = this.#serials.get(group) ?? 0;
    this.#serials.set(group, serial + 1);
    return serial;
  }

  #value(row: Row, attribute: Attribute, attempt: number): AttributeValue {
    const { name, type, format, values, digits } = attribute;
    const pool = this.#pools.get(name);
    const [usual] = pool === undefined ? [] : [pool[(this.#drawn + attempt) % pool.length]];
    if (usual !== undefined) return usual;
    if (values !== undefined) {
      const { value } = values[(this.#serial(`values ${name}`) + attempt) % values.length] ?? {};
      return type === "N" ? { N: String(value) } : { S: String(value) };
    }
    if (type === "N" && format === undefined && this.#entity.id.length > 1) {
      row.values.delete(name);
      return { N: serialNumber(digits ?? 10, this.#serial(`${name} ${idOf(row)}`)) };
    }
    const sizes = this.#sizes.get(name);
    if (type === "S" && format === undefined) {
      const bytes = sizes?.[this.#drawn % sizes.length] ?? 12;
      // What is called by a name has one, as long as there are enough of that length.
      if (!isNumbered(name) && attempt < attemptsMax / 2) {
        const purpose = { entity: "", attribute: `${name}Tag`, personal: false };
        return { S: textFor(purpose, bytes, this.#random) };
      }
      return { S: serialText(name, bytes, this.#serial(`text ${name}`) + 1) };
    }
    if (attempt > 0 && format !== undefined) row.born = this.#earlier(row.born, format, attempt);
    const value = drawValue(attribute, {
      random: this.#random,
      purpose: { entity: this.#entity.name, attribute: name, personal: attribute.personal },
      bytes: () => sizes?.[this.#drawn % sizes.length],
      elements: undefined,
      time: row.born,
    });
    return value ?? { S: name };
  }

  /** Of days and seconds there are few: who comes second takes another. */
  #earlier(born: number, format: NonNullable<Attribute["format"]>, attempt: number): number {
    if (format === "iso-date") return born - dayMs;
    return momentBetween(born - attempt * 60_000, born, this.#random);
  }
}
