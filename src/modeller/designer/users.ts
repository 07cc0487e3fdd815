import type { Entity } from "../../model/requirements.ts";
import type { IndexDraft, Layout } from "./drafts.ts";
import type { Need } from "./needs.ts";

/**
 * The patterns that may find something by an index: all that its partition key is made of is asked about. Those who
 * have to scan may take any index, too, and are not told here.
 */
export function possibleUsers(
  needs: readonly Need[],
  entities: ReadonlyMap<string, Entity>,
  layout: Layout,
  { document: { key, local } }: IndexDraft,
): ReadonlySet<string> {
  const tableKey = Object.keys(layout.tables.get(layout.main)?.key ?? {});
  const isJoint = layout.entities.length > 1;
  const partition = local ? tableKey.slice(0, 1) : [key.partition ?? []].flat();
  const own = needs.filter(({ entity }) => layout.entities.includes(entity));
  return new Set(
    own
      .filter(({ asked, entity }) =>
        // A part of the table's key may be made of anything, under any name.
        partition.every(
          (name) =>
            asked.includes(name) ||
            !entities.get(entity)?.attributes.has(name) ||
            (isJoint && tableKey.includes(name)),
        ),
      )
      .map(({ pattern }) => pattern),
  );
}
