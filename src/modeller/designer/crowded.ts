import type { TableDocument } from "../../model/document-design.ts";
import type { Model } from "../../model/model.ts";
import type { Entity } from "../../model/requirements.ts";
import { collectionBytesMax } from "../heat/collection.ts";
import type { PlaceHeat } from "../heat/heat.ts";
import { type SpanNeed, spanNeeds, unitsFor } from "./buckets.ts";
import type { Layout } from "./drafts.ts";
import { joinedName } from "./keys.ts";
import { isSafe, record } from "./layouts.ts";
import type { Need } from "./needs.ts";

/** So many shards are needed for what lies under one key of a table with a local index: 10 GB at most. */
export function shardsForBytes({ keys }: PlaceHeat): number {
  const over = keys.filter(({ collectionOver }) => collectionOver);
  const bytes = over.map(({ collection }) =>
    Math.max(collection?.average ?? 0, collection?.max ?? 0),
  );
  return Math.max(1, ...bytes.map((one) => Math.ceil(one / collectionBytesMax)));
}

/** Attributes that are in a key's text as they are. */
export function plainNames(text: string): readonly string[] {
  return [...text.matchAll(/\{([^{}|:]+)\}/g)].map(([, name = ""]) => name);
}

/**
 * Tables with a key for each part of time: for those who need what was written last, between two moments and in another
 * order than that of time. Only a local index answers them, and its table has no more than 10 GB under one key.
 */
export function bucketLayouts(
  model: Model,
  entity: Entity,
  layouts: readonly Layout[],
  needs: readonly Need[],
): readonly Layout[] {
  const spans = spanNeeds(model, entity, needs).filter(
    ({ need, time, pattern }) =>
      need.strong &&
      need.order[0] !== undefined &&
      need.order[0].attribute !== time &&
      typeof pattern.actions[0]?.limit === "number",
  );
  const found = new Map<string, Layout>();
  for (const span of spans) {
    const fitting = layouts.find((layout) => isKnownTo(layout, entity, span));
    if (fitting === undefined || !isSafe(model, entity, [...entity.id, span.time])) continue;
    for (const unit of unitsFor(entity, span)) {
      const layout = bucketLayout(fitting, entity, span.time, unit);
      if (layout !== undefined) found.set(layout.id, layout);
    }
  }
  return [...found.values()];
}

/** The partition key of a table is one attribute that the reader knows. */
function isKnownTo(layout: Layout, entity: Entity, { known }: SpanNeed): boolean {
  const { key, entities } = layout.tables.get(layout.main) as TableDocument;
  const [partition = "", sort] = Object.keys(key);
  const text = entities?.[entity.name]?.key[partition];
  return sort !== undefined && text === `{${partition}}` && known.includes(partition);
}

function bucketLayout(
  layout: Layout,
  entity: Entity,
  time: string,
  unit: string,
): Layout | undefined {
  const table = layout.tables.get(layout.main) as TableDocument;
  const [partition = "", ...rest] = Object.keys(table.key);
  const placement = table.entities?.[entity.name];
  const name = joinedName([partition, time, unit]);
  if (placement === undefined || entity.attributes.has(name)) return undefined;
  const texts = Object.entries(placement.key).map(([one, text], i): readonly [string, string] =>
    i === 0 ? [name, `${text}#{${time}|${unit}}`] : [one, text],
  );
  const words = `in a key for each ${unit} of ${time}`;
  const document: TableDocument = {
    ...table,
    key: record([
      [name, "S"] as const,
      ...rest.map((one) => [one, table.key[one] ?? "S"] as const),
    ]),
    entities: record([[entity.name, { ...placement, key: record(texts) }]]),
  };
  return {
    ...layout,
    id: `${layout.id} ${words}`,
    words: `${layout.words}, ${words}`,
    tables: new Map([...layout.tables, [layout.main, document]]),
  };
}
