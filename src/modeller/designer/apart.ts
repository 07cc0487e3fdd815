import { indexKeyAttributesPerTypeMax } from "../../api/limits.ts";
import type { TableDocument } from "../../model/document-design.ts";
import type { Entity } from "../../model/requirements.ts";
import type { IndexDraft, Layout } from "./drafts.ts";
import { capital, plural } from "./keys.ts";
import { record } from "./layouts.ts";
import { allMarker, type Marker, mark } from "./markers.ts";
import type { Need } from "./needs.ts";

/**
 * In a table that entities share, an index by natural attributes also holds those that happen to have them. A mark that
 * only one entity has keeps the others out. Where nobody else would be in the index, no mark is needed.
 */
export function draftsApart(
  entity: Entity,
  layout: Layout,
  drafts: readonly IndexDraft[],
  needs: readonly Need[],
  neighbours: readonly Entity[],
  taken: ReadonlySet<string>,
): readonly IndexDraft[] {
  const table = layout.tables.get(layout.main);
  if (table === undefined || neighbours.length === 0 || layout.kept) return [];
  const marker = allMarker(entity, needs, taken);
  return drafts.flatMap((draft) => {
    const others = neighbours.filter((one) => isIn(one, table, draft));
    return others.length === 0 ? [] : (apart(draft, entity, marker, others) ?? []);
  });
}

/** Whether items of an entity of the table have the whole key of an index. */
function isIn({ attributes }: Entity, table: TableDocument, { document: { key } }: IndexDraft) {
  return [key.partition ?? [], key.sort ?? []]
    .flat()
    .every((name) => attributes.has(name) || Object.hasOwn(table.key, name));
}

function apart(
  draft: IndexDraft,
  entity: Entity,
  { attribute, only }: Marker,
  others: readonly Entity[],
): IndexDraft | undefined {
  const { document } = draft;
  const own = {
    ...draft,
    id: `${draft.id} apart`,
    words: `${draft.words}, without ${others.map(({ name }) => plural(name)).join(" and ")}`,
  };
  const sets = (name: string, text: string) => record([[entity.name, record([[name, text]])]]);
  if (document.local) {
    // A local index has one sort attribute and no room for a mark, so that is made.
    const [sort = ""] = [document.key.sort ?? []].flat();
    const made = `${attribute}${capital(sort)}`;
    return {
      ...own,
      makes: JSON.stringify([made, sort]),
      document: { ...document, key: { sort: made }, sets: sets(made, `{${sort}}`) },
    };
  }
  const partition = [document.key.partition ?? []].flat();
  if (partition.length >= indexKeyAttributesPerTypeMax) return undefined;
  return {
    ...own,
    makes: JSON.stringify([attribute, only]),
    document: {
      ...document,
      key: { ...document.key, partition: [...partition, attribute] },
      sets: sets(attribute, mark),
    },
  };
}
