import type { TableDocument } from "../../model/document-design.ts";
import type { PlaceHeat } from "../heat/heat.ts";
import type { Plan } from "../plans/plan.ts";
import type { Layout } from "./drafts.ts";

/** Three nodes, so that one may fail: the smallest of the usual kind. */
export const cache = {
  node: "dax.r5.large",
  nodes: 3,
  hitRate: { assumed: 0.95, why: "what is hot is asked for again and again" },
} as const;

/** Whether only a cache helps: too much is read of one key, and what is written is not. */
export function isReadHot({ keys }: PlaceHeat): boolean {
  return keys.some(({ read }) => read.over) && !keys.some(({ write }) => write.over);
}

/** The patterns that read a table or index and do not mind an answer of some minutes ago. */
export function cacheable(
  { load: { table, index } }: PlaceHeat,
  plans: ReadonlyMap<string, Plan>,
): readonly string[] {
  return [...plans].flatMap(([id, { requests, pattern }]) =>
    pattern.kind === "read" &&
    requests.some(
      (one) =>
        one.kind === "read" &&
        one.table.name === table.name &&
        one.index?.name === index?.name &&
        !one.consistent &&
        one.operation !== "TransactGetItems",
    )
      ? [id]
      : [],
  );
}

/** The same layout with a cache in front of its table. */
export function cachedLayout(layout: Layout, patterns: ReadonlySet<string> | undefined): Layout {
  const table = layout.tables.get(layout.main);
  if (patterns === undefined || table === undefined || layout.kept) return layout;
  const ids = [...patterns].toSorted();
  const document: TableDocument = { ...table, dax: { ...cache, patterns: ids } };
  const words = `with a cache for ${ids.join(", ")}`;
  return {
    ...layout,
    id: `${layout.id} ${words}`,
    words: `${layout.words}, ${words}`,
    cache: { patterns: ids, hitRate: cache.hitRate.assumed, by: "heat" },
    tables: new Map([...layout.tables, [layout.main, document]]),
  };
}
