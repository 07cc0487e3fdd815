import { indexKeyAttributesPerTypeMax } from "../../api/limits.ts";
import type { Entity } from "../../model/requirements.ts";
import { fitsKey } from "../sizes/key-limits.ts";
import { type IndexKey, unlike } from "./alike.ts";
import { draftsApart } from "./apart.ts";
import { plainNames } from "./crowded.ts";
import type { IndexDraft, Layout } from "./drafts.ts";
import { markedDrafts } from "./markers.ts";
import { isKeyType, lookedAt, type Need, unique } from "./needs.ts";
import { draftsOf } from "./projections.ts";
import { commonKnown, sortSequences, sparseSorts } from "./sequences.ts";

/** Indexes that could help somebody who reads an entity: all useful keys, each with all useful projections. */
export function indexDrafts(
  entity: Entity,
  layout: Layout,
  needs: readonly Need[],
  changing: ReadonlySet<string>,
  /** Names of attributes that mean something in the model. */
  taken: ReadonlySet<string>,
  /** Other entities of the same table. */
  neighbours: readonly Entity[] = [],
  /** The patterns that may read all of an index whose key they do not know. */
  scanners?: ReadonlySet<string>,
): readonly IndexDraft[] {
  const own = needs.filter((need) => need.entity === entity.name);
  const eventual = own.filter(({ strong }) => !strong);
  const marked = markedDrafts(entity, layout, eventual, changing, taken);
  const plain = (byName: boolean, most: number): readonly IndexDraft[] => [
    ...keysOf(entity, needs, eventual, changing, most).flatMap((key) =>
      draftsOf(entity, layout, eventual, { ...key, byName, ...(scanners && { scanners }) }),
    ),
    ...smallCopies(entity, layout, eventual, changing, byName, scanners),
    ...locals(entity, layout, own, byName, scanners),
  ];
  const most = indexKeyAttributesPerTypeMax;
  // With room for a mark.
  const named = neighbours.length === 0 ? [] : plain(true, most - 1);
  return [
    ...plain(marked.length > 0, most),
    ...marked,
    ...draftsApart(entity, layout, named, eventual, neighbours, taken),
  ];
}

/** The keys of all indexes that could help somebody, whatever the layout is. */
function keysOf(
  entity: Entity,
  needs: readonly Need[],
  eventual: readonly Need[],
  changing: ReadonlySet<string>,
  most: number,
): readonly IndexKey[] {
  const known = keysFor.get(needs) ?? new Map<string, readonly IndexKey[]>();
  keysFor.set(needs, known);
  const what = JSON.stringify([entity.name, most]);
  const found =
    known.get(what) ??
    unlike(
      commonKnown(entity, eventual, changing).flatMap((partition) =>
        sortSequences(entity, partition, eventual).map((sort) => ({ partition, sort })),
      ),
      eventual,
      most,
    );
  known.set(what, found);
  return found;
}

/** They are asked for again for each layout. */
const keysFor = new WeakMap<readonly Need[], Map<string, readonly IndexKey[]>>();

/** Who reads everything reads less of an index that holds only what is asked for, whatever its key is. */
function smallCopies(
  entity: Entity,
  layout: Layout,
  needs: readonly Need[],
  changing: ReadonlySet<string>,
  byName: boolean,
  scanners?: ReadonlySet<string>,
): readonly IndexDraft[] {
  const [first = ""] = Object.keys(layout.tables.get(layout.main)?.key ?? {});
  const name = entity.attributes.has(first) ? first : entity.id[0];
  if (name === undefined || needs.length === 0) return [];
  const readers = needs.filter(
    ({ pattern, equal }) => equal.includes(name) || (scanners?.has(pattern) ?? true),
  );
  return sparseSorts(entity, readers, changing)
    .filter(({ sort }) => !sort.includes(name))
    .flatMap(({ sort, users }) =>
      draftsOf(entity, layout, users, { partition: [name], sort, users, byName }),
    );
}

/** Another order within a partition of the table, for those who need what was written last. */
function locals(
  entity: Entity,
  layout: Layout,
  needs: readonly Need[],
  byName: boolean,
  scanners: ReadonlySet<string> | undefined,
): readonly IndexDraft[] {
  const table = layout.tables.get(layout.main);
  const [partition, sort] = Object.keys(table?.key ?? {});
  if (partition === undefined || sort === undefined) return [];
  // What spreads the key, or cuts a time, is no part of what has to be known.
  const known = plainNames(table?.entities?.[entity.name]?.key[partition] ?? `{${partition}}`);
  const strong = needs.filter(
    ({ strong: is, equal }) => is && known.every((name) => equal.includes(name)),
  );
  // Who does not know the key may read all of it, for less than all of the table.
  const scanning = needs.filter(
    ({ strong: is, equal, pattern }) =>
      is && !known.every((name) => equal.includes(name)) && (scanners?.has(pattern) ?? true),
  );
  const copies = unique(scanning.flatMap(lookedAt)).filter((name) => {
    const attribute = entity.attributes.get(name);
    if (attribute === undefined || name === partition) return false;
    return isKeyType(attribute) && fitsKey([attribute], "sort");
  });
  const ordered = sortSequences(entity, known, strong, 1).flatMap(([name]) => name ?? []);
  return unique([...ordered, ...copies]).flatMap((name) => {
    const users = [
      ...(ordered.includes(name) ? strong : []),
      ...(copies.includes(name) ? scanning : []),
    ];
    const key = { partition: undefined, sort: [name], users, byName };
    return name === sort ? [] : draftsOf(entity, layout, users, key);
  });
}
