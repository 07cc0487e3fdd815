import type { TableDocument } from "../../model/document-design.ts";
import type { Entity } from "../../model/requirements.ts";
import type { PlaceHeat } from "../heat/heat.ts";
import { counted, listText, numberText } from "../lint/words.ts";
import type { IndexDraft, Layout } from "./drafts.ts";
import { joinedName, namedIn } from "./keys.ts";
import { record } from "./layouts.ts";
import type { Unlaid } from "./refusal.ts";

/** What tells the items under one partition key apart, so that a shard can be calculated of it. */
function spreaderOf(entity: Entity, partition: readonly string[]): string | undefined {
  return entity.id
    .toReversed()
    .find((name) => !partition.includes(name) && !isBinary(entity, name));
}

/** A binary value is a key by itself, and never a part of a text. */
function isBinary({ attributes }: Entity, name: string): boolean {
  return attributes.get(name)?.type === "B";
}

/** How many shards the hottest key of a table or index needs at peak; 1 if it needs none. */
export function shardsNeeded({ keys }: PlaceHeat): number {
  return Math.max(
    1,
    ...keys.map(({ read, write, shards, family }) =>
      Math.max(
        write.over ? shards.needed : 1,
        read.over ? Math.ceil((read.units / read.ceiling) * family.shards - 1e-9) : 1,
      ),
    ),
  );
}

/** What the hottest key of a table or index takes at peak, against what a partition gives. */
export function hottestText({ keys }: PlaceHeat): string {
  const verdicts = keys.flatMap(({ read, write }) => [write, read]);
  const [most] = verdicts.toSorted((a, b) => b.units / b.ceiling - a.units / a.ceiling);
  if (most === undefined) return "more than one partition gives";
  const { units, ceiling, direction } = most;
  return `${numberText(units)} ${direction} units a second, of which one partition gives ${numberText(ceiling)}`;
}

/** Why an entity has no layout that is left. */
export function hotReason(
  entity: Entity,
  layouts: readonly Layout[],
  heat: ReadonlyMap<string, string>,
): Unlaid {
  const [first] = layouts;
  if (first === undefined) return keylessReason(entity);
  const why =
    entity.id.length === 1
      ? "all of that falls on one item"
      : "no other attribute of its id spreads the load";
  return {
    reason: `at peak the hottest key of ${first.main} takes ${heat.get(first.main)}, and ${why}`,
    cure: "Lower the peak (rps.peak, skew), or collect writes in a queue such as Amazon SQS first.",
  };
}

/** Why no key can be made of an id, and what to state: only binary values cannot be joined in one text. */
function keylessReason({ id, attributes }: Entity): Unlaid {
  const binary = id.filter((name) => attributes.get(name)?.type === "B");
  const cure = binary.length === 0 ? "" : `For that, use type S for ${listText(binary)}.`;
  const reason = `its id has ${counted(id.length, "attribute")} and a table key has at most two, so some have to be joined in one text`;
  return { reason, cure };
}

/** Indexes of an entity with the same partition key are hot together. */
export function partitionOf({ entity, document: { key } }: IndexDraft): string {
  return JSON.stringify([entity, ...[key.partition ?? []].flat()]);
}

/** The same index with its partition key in so many shards; nothing if no shard can be calculated. */
export function shardedIndex(
  draft: IndexDraft,
  entity: Entity,
  shards: number,
): IndexDraft | undefined {
  const partition = [draft.document.key.partition ?? []].flat();
  const by = spreaderOf(entity, partition);
  const name = joinedName([...partition, "shard"]);
  if (by === undefined || draft.document.local || entity.attributes.has(name)) return undefined;
  const { document } = draft;
  const text = `{shard:${shards}:${by}}`;
  const sets = Object.entries(document.sets?.[entity.name] ?? {});
  return {
    ...draft,
    id: `${draft.id} in ${shards} shards`,
    words: `${draft.words}, in ${shards} shards`,
    shards,
    makes: JSON.stringify([draft.makes ?? "", name, text]),
    document: {
      ...document,
      key: { ...document.key, partition: [...partition, name] },
      // What is made for the shards is no part of what was asked for.
      projection:
        document.projection === "all" ? allOf(draft, entity) : (document.projection ?? []),
      sets: record([[entity.name, record([...sets, [name, text]])]]),
    },
  };
}

function allOf({ document: { key } }: IndexDraft, entity: Entity): readonly string[] {
  const inKey = [key.partition ?? [], key.sort ?? []].flat();
  return [...entity.attributes.keys()].filter((name) => !inKey.includes(name));
}

/** Names of all attributes instead of `all`: items of a table with shards hold more than an entity has. */
export function spelledOut(draft: IndexDraft, entity: Entity): IndexDraft {
  const { document } = draft;
  if (document.projection !== "all") return draft;
  return {
    ...draft,
    id: `${draft.id} by name`,
    document: { ...document, projection: allOf(draft, entity) },
  };
}

/** The same table with its partition key in so many shards; nothing if no shard can be calculated. */
export function shardedLayout(layout: Layout, entity: Entity, shards: number): Layout | undefined {
  const table = layout.tables.get(layout.main) as TableDocument;
  const [partition = "", ...rest] = Object.keys(table.key);
  const placement = table.entities?.[entity.name];
  const by = spreaderOf(entity, [partition]);
  const name = joinedName([partition, "shard"]);
  if (layout.entities.length > 1 || by === undefined || placement === undefined) return undefined;
  // Parts of its items have keys of their own.
  if (placement.split !== undefined) return undefined;
  if (entity.attributes.has(name) || rest.length === 0) return undefined;
  const texts = Object.entries(placement.key);
  if (namedIn(entity, texts[0]?.[1] ?? "").some((one) => isBinary(entity, one))) return undefined;
  const key = texts.map(([one, text], i): readonly [string, string] =>
    i === 0 ? [name, `${text}#{shard:${shards}:${by}}`] : [one, text],
  );
  const document: TableDocument = {
    ...table,
    key: record([[name, "S"] as const, ...Object.entries(table.key).slice(1)]),
    entities: record([[entity.name, { ...placement, key: record(key) }]]),
  };
  return {
    ...layout,
    id: `${layout.id} in ${shards} shards`,
    words: `${layout.words}, in ${shards} shards`,
    shards,
    tables: new Map([...layout.tables, [layout.main, document]]),
  };
}
