import type { TableDocument } from "../../model/document-design.ts";
import type { Model } from "../../model/model.ts";
import { months } from "../cost/month.ts";
import type { RegionPrices } from "../prices/price.ts";
import { cache } from "./caches.ts";
import type { Layout } from "./drafts.ts";
import { hitRateOf } from "./hit-rate.ts";
import { type LayoutOption, weight } from "./options.ts";

/** Whether caches are worth a thought: what their nodes cost in a month, and how often they would be asked again. */
export class CacheOptions {
  private readonly model: Model;
  /** Dollars in a month; nothing if the Region has no price of it. */
  private readonly cluster: number | undefined;
  private readonly rates = new Map<string, number | undefined>();

  constructor(model: Model, prices: RegionPrices) {
    this.model = model;
    const price = prices.dax.get(cache.node);
    this.cluster = price && price.usd * cache.nodes * months["730h"].hours;
  }

  /** The same layout with a cache for those with whom it saves most; nothing if it is far from paying for itself. */
  of({ layout, ways, vague = ways }: LayoutOption): Layout | undefined {
    const table = layout.tables.get(layout.main);
    if (this.cluster === undefined || table === undefined || layout.kept || table.dax) {
      return undefined;
    }
    const readers = [...vague]
      .flatMap(([id, list]) => {
        const rate = this.rateOf(id);
        const [best] = list.toSorted((a, b) => weight(a) - weight(b));
        const dollars = best?.dollars ?? 0;
        return rate === undefined || dollars <= 0 ? [] : [{ id, rate, dollars }];
      })
      .toSorted((a, b) => b.rate - a.rate || b.dollars - a.dollars);
    let [saved, together, many] = [0, 0, 0];
    for (const [i, { rate, dollars }] of readers.entries()) {
      together += dollars;
      if (together * rate <= saved) continue;
      saved = together * rate;
      many = i + 1;
    }
    const last = readers[many - 1];
    if (last === undefined || saved < this.cluster * nearly) return undefined;
    const ids = readers.slice(0, many).map(({ id }) => id);
    return withCache(layout, table, ids.toSorted(), Math.floor(last.rate * 100) / 100);
  }

  private rateOf(id: string): number | undefined {
    const pattern = this.model.patterns.get(id);
    if (!this.rates.has(id)) this.rates.set(id, pattern && hitRateOf(this.model, pattern));
    return this.rates.get(id);
  }
}

/** What saves half of what it costs is shown, though it is not taken. */
const nearly = 0.5;

function withCache(
  layout: Layout,
  table: TableDocument,
  patterns: readonly string[],
  hitRate: number,
): Layout {
  const why = "so many ask again within five minutes, at the average rate";
  const dax = { ...cache, hitRate: { assumed: hitRate, why }, patterns };
  const words = `with a cache for ${patterns.join(", ")}`;
  return {
    ...layout,
    id: `${layout.id} ${words} at ${hitRate}`,
    words: `${layout.words}, ${words}`,
    variantOf: layout.variantOf ?? layout.id,
    cache: { patterns, hitRate, by: "price" },
    tables: new Map([...layout.tables, [layout.main, { ...table, dax }]]),
  };
}
