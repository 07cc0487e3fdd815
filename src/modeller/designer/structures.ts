import type { Entity } from "../../model/requirements.ts";
import { draftsApart } from "./apart.ts";
import { plainNames } from "./crowded.ts";
import type { IndexDraft, Layout } from "./drafts.ts";
import { markedDrafts } from "./markers.ts";
import type { Need } from "./needs.ts";
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
): readonly IndexDraft[] {
  const own = needs.filter((need) => need.entity === entity.name);
  const eventual = own.filter(({ strong }) => !strong);
  const partitions = commonKnown(entity, eventual, changing);
  const marked = markedDrafts(entity, layout, eventual, changing, taken);
  const plain = (byName: boolean): readonly IndexDraft[] => [
    ...partitions.flatMap((partition) =>
      sortSequences(entity, partition, eventual).flatMap((sort) =>
        draftsOf(entity, layout, eventual, { partition, sort, byName }),
      ),
    ),
    ...smallCopies(entity, layout, eventual, changing, byName),
    ...locals(entity, layout, own, byName),
  ];
  const named = neighbours.length === 0 ? [] : plain(true);
  return [
    ...plain(marked.length > 0),
    ...marked,
    ...draftsApart(entity, layout, named, eventual, neighbours, taken),
  ];
}

/** Who reads everything reads less of an index that holds only what is asked for, whatever its key is. */
function smallCopies(
  entity: Entity,
  layout: Layout,
  needs: readonly Need[],
  changing: ReadonlySet<string>,
  byName: boolean,
): readonly IndexDraft[] {
  const [first = ""] = Object.keys(layout.tables.get(layout.main)?.key ?? {});
  const name = entity.attributes.has(first) ? first : entity.id[0];
  if (name === undefined || needs.length === 0) return [];
  return sparseSorts(entity, needs, changing)
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
): readonly IndexDraft[] {
  const table = layout.tables.get(layout.main);
  const [partition, sort] = Object.keys(table?.key ?? {});
  if (partition === undefined || sort === undefined) return [];
  // What spreads the key, or cuts a time, is no part of what has to be known.
  const known = plainNames(table?.entities?.[entity.name]?.key[partition] ?? `{${partition}}`);
  const strong = needs.filter(
    ({ strong: is, equal }) => is && known.every((name) => equal.includes(name)),
  );
  return sortSequences(entity, known, strong, 1)
    .filter(([name]) => name !== undefined && name !== sort)
    .flatMap((list) =>
      draftsOf(entity, layout, strong, { partition: undefined, sort: list, byName }),
    );
}
