import type { IndexDocument, PlacementDocument } from "../../model/document-design.ts";
import type { Entity } from "../../model/requirements.ts";
import type { IndexDraft, Layout } from "./drafts.ts";
import { namedIn } from "./keys.ts";
import { lookedAt, type Need } from "./needs.ts";

/** Of those who know the key, and with those who do not. */
const ownProjectionsMax = 24;
const projectionsMax = 32;
/** A table says by name what an index holds of so many attributes at most. */
const namedMax = 20;

export interface DraftKey {
  /** Nothing in a local index. */
  readonly partition: readonly string[] | undefined;
  readonly sort: readonly string[];
  /** Those who know the partition key, if nothing else is said. */
  readonly users?: readonly Need[];
  /** All attributes are held by their names: items of the table may hold more than an entity has. */
  readonly byName?: boolean;
  /** Of those who do not know the key, the patterns that may read all of the index; all of them, if nothing is said. */
  readonly scanners?: ReadonlySet<string>;
}

/** An index with one key, once for each projection that somebody could want. */
export function draftsOf(
  entity: Entity,
  layout: Layout,
  needs: readonly Need[],
  key: DraftKey,
): readonly IndexDraft[] {
  const { partition = [], sort, byName = false } = key;
  const users =
    key.users ?? needs.filter(({ equal }) => partition.every((name) => equal.includes(name)));
  const table = layout.tables.get(layout.main);
  const placement = table?.entities?.[entity.name];
  const away = placement?.elsewhere?.map(({ attribute }) => attribute) ?? [];
  const inKey = new Set([...partition, ...sort, ...away, ...Object.keys(table?.key ?? {})]);
  const located = locatedIn(entity, placement);
  const by = partition.length === 0 ? [] : [`by ${partition.join(", ")}`];
  const then = sort.length === 0 ? [] : [`sorted by ${sort.join(", ")}`];
  const isScanner = ({ pattern }: Need): boolean => key.scanners?.has(pattern) ?? true;
  const others = needs.filter((one) => !users.includes(one) && isScanner(one));
  return projections(entity, users, others, { inKey, located, byName }).map(
    (projection): IndexDraft => {
      const document: IndexDocument = {
        key: {
          ...(key.partition !== undefined && { partition: oneOrMore(partition) }),
          ...(sort.length > 0 && { sort: oneOrMore(sort) }),
        },
        ...(key.partition === undefined && { local: true }),
        projection,
      };
      const held = typeof projection === "string" ? projection : projection.join(", ");
      const words = `${[...by, ...then].join(", ")} with ${held}`;
      return { id: `${layout.id} · ${entity.name} ${words}`, document, words, entity: entity.name };
    },
  );
}

/** What the table's key is made of. */
function locatedIn(entity: Entity, placement: PlacementDocument | undefined): readonly string[] {
  if (placement === undefined) return [];
  const known =
    located.get(placement) ?? Object.values(placement.key).flatMap((text) => namedIn(entity, text));
  located.set(placement, known);
  return known;
}

const located = new WeakMap<PlacementDocument, readonly string[]>();

const oneOrMore = (names: readonly string[]): string | readonly string[] =>
  names.length === 1 ? (names[0] as string) : names;

interface Held extends Required<Pick<DraftKey, "byName">> {
  /** What an entry holds by itself, and what it cannot hold. */
  readonly inKey: ReadonlySet<string>;
  /** What the table's key is made of: with it, nobody has to read an item to know its key. */
  readonly located: readonly string[];
}

/**
 * What an index may hold: its keys alone, what each reader asks about, what each asks for, and what several of
 * them ask for together. Who does not know the key may still read all of it.
 */
function projections(
  entity: Entity,
  users: readonly Need[],
  others: readonly Need[],
  { inKey, located, byName }: Held,
): readonly NonNullable<IndexDocument["projection"]>[] {
  const all = [...entity.attributes.keys()].filter((name) => !inKey.has(name));
  const places = placesOf(entity);
  const open = bitsOf(places, all);
  const atKeys = bitsOf(places, located);
  const sets = new Set([0n]);
  const close = (list: readonly Need[], most: number): void => {
    const wanted = new Set<bigint>();
    for (const need of list) {
      const { asked, looked, returned } = wishesOf(places, need);
      wanted.add(asked & open);
      wanted.add(looked & open);
      wanted.add((looked | (need.locates ? atKeys : returned)) & open);
    }
    for (const one of wanted) {
      for (const other of [...sets]) {
        if (sets.size < most) sets.add(one | other);
      }
    }
  };
  close(users, ownProjectionsMax);
  close(others, projectionsMax);
  const found = [...sets].map((set) => {
    const names = all.filter((name) => (set & (places.get(name) ?? 0n)) !== 0n);
    if (names.length === 0) return "keys";
    const isAll = names.length === all.length || names.length > namedMax;
    return isAll && !byName ? "all" : names;
  });
  return found.filter((one) => typeof one === "string" || one.length <= namedMax);
}

/** A bit for each attribute of an entity. */
function placesOf(entity: Entity): Places {
  const known =
    places.get(entity) ??
    new Map([...entity.attributes.keys()].map((name, i) => [name, 1n << BigInt(i)]));
  places.set(entity, known);
  return known;
}

type Places = ReadonlyMap<string, bigint>;
const places = new WeakMap<Entity, Places>();

function bitsOf(all: Places, names: readonly string[]): bigint {
  let bits = 0n;
  for (const name of names) bits |= all.get(name) ?? 0n;
  return bits;
}

/** What is asked about; with what is sorted by, for who has to put the answer in order needs that, too; what is returned. */
interface Wishes {
  readonly asked: bigint;
  readonly looked: bigint;
  readonly returned: bigint;
}

function wishesOf(all: Places, need: Need): Wishes {
  const known = wishes.get(need);
  if (known !== undefined) return known;
  const made = {
    asked: bitsOf(all, need.asked),
    looked: bitsOf(all, lookedAt(need)),
    returned: bitsOf(all, need.returns),
  };
  wishes.set(need, made);
  return made;
}

/** They are asked for again for each key of each layout. */
const wishes = new WeakMap<Need, Wishes>();
