import type { Model } from "../../model/model.ts";
import { heatOf } from "../heat/heat.ts";
import type { Priced } from "../lint/bills.ts";
import { cacheable, cachedLayout, isReadHot } from "./caches.ts";
import { shardsForBytes } from "./crowded.ts";
import type { IndexDraft, Layout } from "./drafts.ts";
import { indexNames } from "./emit.ts";
import type { Choice } from "./pricing.ts";
import { hottestText, partitionOf, shardedIndex, shardedLayout, shardsNeeded } from "./shards.ts";

/** What is known to be too hot at peak, or too large, and what helps: more, the longer it is looked for. */
export class Cooling {
  /** How many shards layouts and partition keys of indexes need. */
  readonly hot = new Map<string, number>();
  /** Layouts under whose keys too much lies for local indexes, and the shards that would make it less. */
  readonly tooLarge = new Map<string, number>();
  /** What the hottest keys of tables take at peak, in words. */
  readonly heat = new Map<string, string>();
  /** Patterns for which tables need a cache: no shards help if every look asks all of them. */
  private readonly cached = new Map<string, ReadonlySet<string>>();
  private readonly entities: Model["entities"];

  constructor({ entities }: Model) {
    this.entities = entities;
  }

  isHot({ id }: Layout): boolean {
    return this.hot.has(id);
  }

  /** With a cache, if its table needs one. */
  withCache(layout: Layout): Layout {
    return cachedLayout(layout, this.cached.get(layout.main));
  }

  /** Notes which keys need shards; answers in sentences where something is still too hot. */
  look({ model, plans }: Priced, choices: readonly Choice[]): readonly string[] {
    return heatOf(model).places.flatMap((place) => {
      const { table, index, name } = place.load;
      const choice = choices.find(({ layout }) => layout.tables.has(table.name));
      if (choice === undefined) return [];
      if (place.keys.some(({ collectionOver }) => collectionOver) && !choice.layout.kept) {
        this.tooLarge.set(choice.layout.id, shardsForBytes(place));
        return [`More than 10 GB lie under one key of ${name}, which local indexes do not allow.`];
      }
      const needed = shardsNeeded(place);
      if (needed < 2) return [];
      const names = indexNames(choice.indexes, choice.layout);
      const draft = choice.indexes.find((one) => names.get(one) === index?.name);
      // What has to stay is as hot as it is.
      if (draft === undefined && choice.layout.kept) return [];
      const sentence = `The hottest key of ${name} needs ${needed} shards at peak, and none can be made.`;
      if (isReadHot(place) && !this.canSpread(choice.layout, draft)) {
        const { main } = choice.layout;
        const known = this.cached.get(main) ?? new Set();
        const more = cacheable(place, plans).filter((id) => !known.has(id));
        if (more.length > 0) {
          this.cached.set(main, new Set([...known, ...more]));
          this.forgetShards(choice.layout);
          return [sentence];
        }
      }
      if (draft === undefined) this.heat.set(choice.layout.main, hottestText(place));
      const part = draft === undefined ? choice.layout.id : partitionOf(draft);
      this.hot.set(part, Math.max(needed, this.hot.get(part) ?? 0));
      return [sentence];
    });
  }

  /** Indexes that were read too often without the cache may need no shards with it. */
  private forgetShards({ entities }: Layout): void {
    const starts = entities.map((name) => `[${JSON.stringify(name)},`);
    for (const part of this.hot.keys()) {
      if (starts.some((start) => part.startsWith(start))) this.hot.delete(part);
    }
  }

  /** Whether shards have not been tried yet and can be made. */
  private canSpread(layout: Layout, draft: IndexDraft | undefined): boolean {
    const entity = this.entities.get(draft?.entity ?? layout.entities[0] ?? "");
    if (entity === undefined || (draft ?? layout).shards !== undefined) return false;
    const spread =
      draft === undefined ? shardedLayout(layout, entity, 2) : shardedIndex(draft, entity, 2);
    return spread !== undefined;
  }

  /** A layout that is too hot is spread, or cannot be had. */
  cooled(plain: Layout): Layout | undefined {
    const layout = this.withCache(plain);
    const shards = this.hot.get(layout.id) ?? this.hot.get(plain.id);
    const entity = this.entities.get(layout.entities[0] ?? "");
    if (shards === undefined || entity === undefined || layout.kept) return layout;
    const spread = shardedLayout(layout, entity, shards);
    return spread === undefined || this.hot.has(spread.id) ? undefined : spread;
  }

  /** What has too much under one key for a local index, in as many shards as that takes. */
  spacious(layout: Layout): readonly Layout[] {
    const shards = this.tooLarge.get(layout.id);
    const entity = this.entities.get(layout.entities[0] ?? "");
    if (shards === undefined || entity === undefined || layout.kept) return [];
    return [shardedLayout(layout, entity, shards) ?? []].flat();
  }
}
