import type { Model } from "../../model/model.ts";
import type { Entity, Pattern } from "../../model/requirements.ts";
import type { KeptNumber } from "../kept-numbers.ts";
import { bucketDrafts } from "./buckets.ts";
import type { IndexDraft, Layout } from "./drafts.ts";
import { changedOf, type Need } from "./needs.ts";
import { concernedBy, concerning, partnersOf, withHolders } from "./numbers.ts";
import { type Asking, isTwofold, type LayoutOption, optionOf, vagueOption } from "./options.ts";
import type { Choice, Pricing } from "./pricing.ts";
import { kindOf, type Reference } from "./reference.ts";
import { partitionOf, shardedIndex, spelledOut } from "./shards.ts";
import { isWorthwhile } from "./splits.ts";
import { indexDrafts } from "./structures.ts";

/** What a design is made for, as far as indexes depend on it. */
export interface Setting {
  readonly model: Model;
  readonly pricing: Pricing;
  readonly needs: readonly Need[];
  readonly numbers: readonly KeptNumber[];
  /** All that each entity can lie in by itself, the plainest first. */
  readonly layouts: ReadonlyMap<string, readonly Layout[]>;
  /** How many shards layouts and partition keys of indexes need; more, the longer it is looked for. */
  readonly hot: ReadonlyMap<string, number>;
  /** Layouts under whose keys too much lies for local indexes, and the shards that would make it less. */
  readonly tooLarge: ReadonlyMap<string, number>;
  /** A pattern comes so many times as often as it was priced for. */
  readonly scale?: { readonly pattern: string; readonly factor: number } | undefined;
}

type Offer = ReturnType<typeof optionOf>;

/** Whether each pattern looks for one thing in it, in one kind of items. */
function isSingle(layout: Layout, { patterns }: Asking): boolean {
  const own = layout.entities.length - (layout.inside?.length ?? 0);
  return own === 1 && !layout.kept && !patterns.some((one) => isTwofold(one, layout));
}

function isApart(layout: Layout): layout is Layout & { readonly plain: Layout } {
  const { idea, plain, entities, cache } = layout;
  return idea === "split" && plain !== undefined && entities.length === 1 && cache === undefined;
}

/** What layouts can have: the indexes that are worth a thought, with what they cost. */
export class Offers {
  private readonly setting: Setting;
  /** Attributes that the model has: nothing else may be called so. */
  private readonly names: ReadonlySet<string>;
  /** As long as nothing else is known to be hot. */
  private readonly known = new Map<string, Offer>();

  constructor(setting: Setting) {
    this.setting = setting;
    this.names = new Set(
      [...setting.model.entities.values()].flatMap(({ attributes }) => [...attributes.keys()]),
    );
  }

  /** What cannot gain anything over the same without its idea is not looked at with all indexes. */
  isWorthwhile(layout: Layout, patterns: readonly Pattern[]): boolean {
    const { plain } = layout;
    if (plain === undefined || this.setting.hot.has(plain.id)) return true;
    const { own, others } = this.around(layout, patterns);
    const ids = new Set(own.map(({ id }) => id));
    const [cost, without] = [layout, plain].map((one) =>
      this.setting.pricing.cost({ layout: one, indexes: [] }, others, ids),
    );
    if (cost === undefined || without === undefined) return true;
    const { scale } = this.setting;
    return isWorthwhile(cost, without, (id) => (id === scale?.pattern ? scale.factor : 1));
  }

  /** The patterns of a layout, and where the other entities lie that they speak of. */
  private around(layout: Layout, patterns: readonly Pattern[]) {
    const own = concerning(patterns, layout.entities, this.setting.numbers);
    const { numbers } = this.setting;
    const around = withHolders(
      [
        ...own.flatMap((one) => [...concernedBy(one, numbers)]),
        ...partnersOf(layout.entities, numbers),
      ],
      numbers,
    );
    const beside = [...around].flatMap((name) =>
      layout.entities.includes(name) ? [] : (this.setting.layouts.get(name)?.slice(0, 1) ?? []),
    );
    const others = [...new Set(beside)].map((one): Choice => ({ layout: one, indexes: [] }));
    return { own, others };
  }

  /** Of layouts that differ in their keys alone, indexes are priced for one of them; then, elsewhere, those that matter. */
  of(layouts: readonly Layout[], patterns: readonly Pattern[]): readonly Offer[] {
    const { pricing } = this.setting;
    const references = new Map<string, Reference | undefined>();
    const kinds = layouts.map(kindOf);
    // Where a part of the items lies apart, indexes cost no less than where items are in one piece.
    const compared = layouts.flatMap((one) => (isApart(one) ? [kindOf(one.plain)] : []));
    const referenceOf = (layout: Layout, asking: Asking): Reference | undefined => {
      const kind = kindOf(layout);
      const known = references.get(kind) ?? pricing.reference(layout, asking);
      references.set(kind, known);
      return known;
    };
    const exact = (layout: Layout, asking: Asking): Offer => {
      const kind = kindOf(layout);
      const hasOthers = [...kinds, ...compared].filter((one) => one === kind).length > 1;
      const isCompared = hasOthers && isSingle(layout, asking);
      return optionOf(
        pricing,
        layout,
        asking,
        isCompared ? referenceOf(layout, asking) : undefined,
      );
    };
    return layouts.map((layout) => {
      const state = this.stateOf(layout);
      const known = this.known.get(state);
      if (known !== undefined) return known;
      const asking = this.asking(layout, patterns);
      const whole = isApart(layout) && isSingle(layout, asking) ? layout.plain : undefined;
      const reference =
        whole && kinds.includes(kindOf(whole))
          ? referenceOf(whole, this.asking(whole, patterns))
          : undefined;
      const found =
        reference === undefined
          ? exact(layout, asking)
          : vagueOption(
              pricing,
              layout,
              asking,
              reference,
              () => exact(layout, asking) as LayoutOption,
            );
      this.known.set(state, found);
      return found;
    });
  }

  /** What a layout's indexes depend on besides the requirements: what is known to be too hot, or too large. */
  private stateOf({ id, entities }: Layout): string {
    const starts = entities.map((name) => `[${JSON.stringify(name)}`);
    const hot = [...this.setting.hot].filter(([part]) =>
      starts.some((start) => part.startsWith(start)),
    );
    return JSON.stringify([id, hot, this.setting.tooLarge.has(id)]);
  }

  private asking(layout: Layout, patterns: readonly Pattern[]): Asking {
    const { own, others } = this.around(layout, patterns);
    const draftsFor = (scanners: ReadonlySet<string>): readonly IndexDraft[] => {
      const drafts = layout.entities.flatMap((name) => {
        const entity = this.setting.model.entities.get(name);
        const isInside = layout.inside?.includes(name);
        return entity === undefined || isInside ? [] : this.drafts(entity, layout, scanners);
      });
      return [...new Map(drafts.map((draft) => [draft.id, draft])).values()];
    };
    return { draftsFor, others, patterns: own };
  }

  private drafts(
    entity: Entity,
    layout: Layout,
    scanners: ReadonlySet<string>,
  ): readonly IndexDraft[] {
    const changed = changedOf(this.setting.model, entity);
    const isTooLarge = this.setting.tooLarge.has(layout.id);
    const others = layout.entities.filter((name) => name !== entity.name);
    const neighbours = others.flatMap((name) => this.setting.model.entities.get(name) ?? []);
    const { names } = this;
    const { needs } = this.setting;
    const plain = indexDrafts(entity, layout, needs, changed, names, neighbours, scanners).filter(
      ({ document }) => !document.local || !isTooLarge,
    );
    const buckets = bucketDrafts(
      this.setting.model,
      entity,
      layout,
      this.setting.needs,
      this.names,
    );
    const drafts =
      buckets.length === 0 ? plain : [...plain.map((one) => spelledOut(one, entity)), ...buckets];
    const { hot } = this.setting;
    if (hot.size === 0 || !drafts.some((one) => hot.has(partitionOf(one)))) return drafts;
    return drafts.flatMap((draft): readonly IndexDraft[] => {
      const shards = this.setting.hot.get(partitionOf(draft));
      if (shards === undefined) return [spelledOut(draft, entity)];
      const spread = shardedIndex(draft, entity, shards);
      return spread === undefined || this.setting.hot.has(partitionOf(spread)) ? [] : [spread];
    });
  }
}
