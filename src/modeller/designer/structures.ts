import type { IndexDocument } from "../../model/document-design.ts";
import type { Entity } from "../../model/requirements.ts";
import type { IndexDraft, Layout } from "./drafts.ts";
import { namedIn } from "./keys.ts";
import { type Need, unique } from "./needs.ts";
import { commonKnown, sortSequences } from "./sequences.ts";

/** Of those who know the key, and with those who do not. */
const ownProjectionsMax = 24;
const projectionsMax = 32;

/** Indexes that could help somebody who reads an entity: all useful keys, each with all useful projections. */
export function indexDrafts(
  entity: Entity,
  layout: Layout,
  needs: readonly Need[],
  changing: ReadonlySet<string>,
): readonly IndexDraft[] {
  const own = needs.filter((need) => need.entity === entity.name);
  const eventual = own.filter(({ strong }) => !strong);
  const partitions = commonKnown(entity, eventual, changing);
  const globals = partitions.flatMap((partition) =>
    sortSequences(entity, partition, eventual).flatMap((sort) =>
      draftsOf(entity, layout, eventual, { partition, sort }),
    ),
  );
  return [...globals, ...smallCopies(entity, layout, eventual), ...locals(entity, layout, own)];
}

/** Who reads everything reads less of an index that holds only what is asked for, whatever its key is. */
function smallCopies(
  entity: Entity,
  layout: Layout,
  needs: readonly Need[],
): readonly IndexDraft[] {
  const [first = ""] = Object.keys(layout.tables.get(layout.main)?.key ?? {});
  const name = entity.attributes.has(first) ? first : entity.id[0];
  if (name === undefined || needs.length === 0) return [];
  return draftsOf(entity, layout, needs, { partition: [name], sort: [], users: needs });
}

/** Another order within a partition of the table, for those who need what was written last. */
function locals(entity: Entity, layout: Layout, needs: readonly Need[]): readonly IndexDraft[] {
  const [partition, sort] = Object.keys(layout.tables.get(layout.main)?.key ?? {});
  if (partition === undefined || sort === undefined) return [];
  const strong = needs.filter(({ strong: is, equal }) => is && equal.includes(partition));
  return sortSequences(entity, [partition], strong, 1)
    .filter(([name]) => name !== undefined && name !== sort)
    .flatMap((list) => draftsOf(entity, layout, strong, { partition: undefined, sort: list }));
}

function draftsOf(
  entity: Entity,
  layout: Layout,
  needs: readonly Need[],
  key: {
    readonly partition: readonly string[] | undefined;
    readonly sort: readonly string[];
    /** Those who know the partition key, if nothing else is said. */
    readonly users?: readonly Need[];
  },
): readonly IndexDraft[] {
  const { partition = [], sort } = key;
  const users =
    key.users ?? needs.filter(({ equal }) => partition.every((name) => equal.includes(name)));
  const table = layout.tables.get(layout.main);
  const inKey = new Set([...partition, ...sort, ...Object.keys(table?.key ?? {})]);
  const texts = Object.values(table?.entities?.[entity.name]?.key ?? {});
  const located = texts.flatMap((text) => namedIn(entity, text));
  const by = partition.length === 0 ? [] : [`by ${partition.join(", ")}`];
  const then = sort.length === 0 ? [] : [`sorted by ${sort.join(", ")}`];
  return projections(entity, users, needs, { inKey, located }).map((projection): IndexDraft => {
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
  });
}

const oneOrMore = (names: readonly string[]): string | readonly string[] =>
  names.length === 1 ? (names[0] as string) : names;

interface TableKey {
  /** What an entry holds by itself. */
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
  needs: readonly Need[],
  { inKey, located }: TableKey,
): readonly NonNullable<IndexDocument["projection"]>[] {
  const all = [...entity.attributes.keys()].filter((name) => !inKey.has(name));
  const bits = (names: readonly string[]): string =>
    all.map((name) => (names.includes(name) ? "1" : "0")).join("");
  const wanted = (list: readonly Need[]): readonly string[] =>
    unique(
      list.flatMap(({ asked, returns, locates }) => [
        bits(asked),
        bits([...asked, ...(locates ? located : returns)]),
      ]),
    );
  const sets = new Set([bits([])]);
  const close = (list: readonly Need[], most: number): void => {
    for (const one of wanted(list)) {
      for (const other of [...sets]) {
        if (sets.size < most) sets.add(union(one, other));
      }
    }
  };
  close(users, ownProjectionsMax);
  close(
    needs.filter((one) => !users.includes(one)),
    projectionsMax,
  );
  return [...sets].map((set) => {
    const names = all.filter((_, i) => set[i] === "1");
    if (names.length === 0) return "keys";
    return names.length === all.length ? "all" : names;
  });
}

function union(a: string, b: string): string {
  return [...a].map((bit, i) => (bit === "1" || b[i] === "1" ? "1" : "0")).join("");
}
