import { assert } from "../../base/assert.ts";
import type { DesignDocument } from "../../model/document-design.ts";
import type { Model } from "../../model/model.ts";
import type { Entity, Pattern } from "../../model/requirements.ts";
import type { KeptNumber } from "../kept-numbers.ts";
import { defaultRegion, pricesOf } from "../prices/book.ts";
import type { RegionPrices } from "../prices/price.ts";
import { type BilledDesign, type Found, solveByBill } from "./bill-search.ts";
import { withoutDesign } from "./blobs.ts";
import { CacheOptions } from "./cache-options.ts";
import { jointLayouts } from "./collections.ts";
import { Component } from "./component.ts";
import { Cooling } from "./cooling.ts";
import { bucketLayouts } from "./crowded.ts";
import type { Layout } from "./drafts.ts";
import { emitted, withPurposes } from "./emit.ts";
import { decisionsOf } from "./explain.ts";
import { type Flip, flipsOf } from "./flips.ts";
import { inOneTable } from "./generic/one-table.ts";
import { type Kept, keptLayouts, restored } from "./kept.ts";
import { ownLayouts } from "./layouts.ts";
import { type Need, needsOf, servedPatterns } from "./needs.ts";
import { nestedLayouts } from "./nests.ts";
import { type Keeping, keepingOf } from "./number-ways.ts";
import {
  concernedBy,
  concerning,
  countingNeeds,
  type KeptWay,
  keepingLayout,
  numbersIn,
} from "./numbers.ts";
import { Offers } from "./offers.ts";
import { componentsOf, faultPenalty, type LayoutOption, scaled } from "./options.ts";
import { type Choice, Pricing } from "./pricing.ts";
import type { Solver } from "./program.ts";
import { type Quantity, quantitiesOf } from "./quantities.ts";
import { type Refusal, type Unlaid, unservable, unstorable } from "./refusal.ts";
import { hotReason } from "./shards.ts";
import { jointSplits, splitLayouts } from "./splits.ts";
import { unsupported } from "./unsupported.ts";
import { untriedOf } from "./untried.ts";
import { withVersions } from "./versions.ts";
import { isWeighed, noWeights, type Weights, weighed } from "./weighing.ts";

export interface Designed {
  readonly design: DesignDocument;
  /** Dollars in a month, as `keywright cost` says. */
  readonly total: number;
  /** What was weighed besides the price. */
  readonly weights?: Weights;
  /** What the same costs with natural names, where generic ones were asked for. */
  readonly natural?: number;
  /** What may be missing to the cheapest, as a share; 0 if it is proved to be the cheapest. */
  readonly gap: number;
  /** What could be cheaper and was not looked at, in words. */
  readonly untried: readonly string[];
  /** How many tables and indexes were priced. */
  readonly looked: number;
  /** How many choices of indexes were looked at. */
  readonly steps: number;
  /** Worked out when somebody asks: it takes many solutions. */
  readonly flips: () => readonly Flip[];
  readonly components: readonly {
    readonly component: Component;
    readonly choices: readonly Choice[];
  }[];
}

export type DesignOutcome =
  | { readonly designed: Designed; readonly refused: readonly [] }
  | { readonly designed: undefined; readonly refused: readonly Refusal[] };

/** What a user may want otherwise. */
export interface Settings {
  /** Tables and indexes that have to stay as they are. */
  readonly kept?: Kept;
  readonly style?: "natural" | "generic";
  readonly weights?: Weights;
  /** Every entity lies in items of its own, each in one piece. */
  readonly whole?: boolean;
}

/** The cheapest design that serves the patterns of a model, or why there is none. */
export function designOf(model: Model, solver: Solver, settings: Settings = {}): DesignOutcome {
  const { kept } = settings;
  const bare = withoutDesign(model);
  const region = model.overview.region ?? defaultRegion;
  const prices = pricesOf(region);
  const layouts = kept === undefined ? [] : keptLayouts(kept);
  const refused = [
    ...(prices === undefined
      ? [
          {
            path: ["overview", "region"],
            text: `The prices of ${region} are unknown. State one of the Regions that keywright cost lists.`,
          },
        ]
      : []),
    ...unsupported(bare, layouts),
  ];
  if (prices === undefined || refused.length > 0) return { designed: undefined, refused };
  const { weights, whole = false } = settings;
  const made = designingOf(bare, prices, solver, layouts, weights, { whole });
  const { designing, keeping } = made;
  const outcome = designing.design(settings);
  if (outcome.designed === undefined) {
    const relief = keeping.relief().map((text) => ({ path: [], text }));
    return { designed: undefined, refused: [...outcome.refused, ...relief] };
  }
  const { design: chosen } = outcome.designed;
  const design = { ...chosen, decisions: [...(chosen.decisions ?? []), ...keeping.decisions()] };
  const untried = [...outcome.designed.untried, ...keeping.untried];
  const designed = { ...outcome.designed, design, untried };
  if (kept === undefined) return { refused: [], designed };
  return { refused: [], designed: { ...designed, design: restored(design, kept) } };
}

/** The ways in which numbers are kept are chosen first: with them given, each layout costs what it costs alone. */
function designingOf(
  model: Model,
  prices: RegionPrices,
  solver: Solver,
  kept: readonly Layout[],
  weights: Weights = noWeights,
  again: Again = {},
): { readonly designing: Designing; readonly keeping: Keeping } {
  const pricing = again.pricing ?? new Pricing(model, prices);
  const make = (more: Again): Designing =>
    new Designing(model, prices, solver, kept, weights, { ...again, pricing, ...more });
  const keeping = keepingOf(model, kept, again.only, (only, ways) => make({ only, ways }).price());
  return { designing: make({ ways: keeping.ways }), keeping };
}

/** A part of the whole that is designed again, with something else in the requirements. */
interface Again {
  readonly only?: readonly string[];
  /** Prices that are known already, for other numbers, and how these differ. */
  readonly pricing?: Pricing;
  readonly scale?: { readonly pattern: string; readonly factor: number };
  /** How numbers are kept. */
  readonly ways?: readonly KeptWay[];
  readonly whole?: boolean;
}

class Designing {
  private readonly model: Model;
  private readonly prices: RegionPrices;
  private readonly pricing: Pricing;
  private readonly solver: Solver;
  private readonly weights: Weights;
  private readonly again: Again;
  private readonly ways: readonly KeptWay[];
  private readonly numbers: readonly KeptNumber[];
  private readonly needs: readonly Need[];
  private readonly patterns: readonly Pattern[];
  private readonly groups: readonly (readonly string[])[];
  private readonly cooling: Cooling;
  private readonly caches: CacheOptions;
  private readonly offers: Offers;
  private readonly kept: readonly Layout[];
  private readonly joint: readonly Layout[];
  private readonly layouts: ReadonlyMap<string, readonly Layout[]>;

  constructor(
    model: Model,
    prices: RegionPrices,
    solver: Solver,
    kept: readonly Layout[],
    weights: Weights,
    again: Again = {},
  ) {
    this.model = model;
    this.prices = prices;
    this.pricing = again.pricing ?? new Pricing(model, prices);
    this.solver = solver;
    this.weights = weights;
    this.again = again;
    this.caches = new CacheOptions(model, prices);
    this.cooling = new Cooling(model);
    this.ways = again.ways ?? [];
    this.numbers = [...this.ways.map(({ number }) => number), ...numbersIn(model, kept)];
    this.needs = [...needsOf(model), ...countingNeeds(this.ways)];
    const all = servedPatterns(model);
    const groups = componentsOf([...model.entities.keys()], all, kept, this.numbers);
    const isWanted = (name: string): boolean => again.only?.includes(name) ?? true;
    this.groups = groups.filter((group) => group.some(isWanted));
    this.patterns = concerning(all, this.groups.flat(), this.numbers);
    this.kept = kept;
    const isFree = (name: string): boolean => !kept.some((one) => one.entities.includes(name));
    const together = jointLayouts(model, this.patterns);
    const joint = [
      ...together,
      ...(again.whole ? [] : jointSplits(model, together)),
      ...(again.whole ? [] : nestedLayouts(model, this.needs, this.patterns)),
    ].filter((one) => one.entities.every(isFree));
    this.joint = withVersions(model, joint).map((one) => keepingLayout(one, this.ways));
    this.layouts = new Map(
      [...model.entities.values()].map((entity) => {
        const stays = kept.filter((one) => one.entities.includes(entity.name));
        const own = stays.length > 0 ? stays : this.own(entity);
        const plain = own.map((one) => keepingLayout(one, this.ways));
        const whole = plain.filter(({ kept: stay, versions }) => !stay && versions === undefined);
        const splits = again.whole ? [] : splitLayouts(model, entity, whole);
        return [entity.name, [...plain, ...splits]] as const;
      }),
    );
    const { numbers, needs, layouts } = this;
    const { hot, tooLarge } = this.cooling;
    const { scale } = again;
    const setting = { model, pricing: this.pricing, needs, numbers, layouts, hot, tooLarge, scale };
    this.offers = new Offers(setting);
  }

  private own(entity: Entity): readonly Layout[] {
    const plain = withVersions(this.model, ownLayouts(this.model, entity, this.needs));
    return [...plain, ...bucketLayouts(this.model, entity, plain, this.needs)];
  }

  /** Dollars in a month; those who would have to wait too long weigh more than any. */
  price(): number | string {
    const found = this.choose();
    if ("refused" in found)
      return found.refused.map(({ reason, text }) => reason ?? text).join("; ");
    return found.components.reduce(
      (sum, { chosen }) => sum + (chosen.late + chosen.outside) * faultPenalty,
      found.bill.total,
    );
  }

  design({ style }: Settings): DesignOutcome {
    const taken = this.taken();
    if (taken.length > 0) return { designed: undefined, refused: taken };
    const found = this.choose();
    if ("refused" in found) return { designed: undefined, refused: found.refused };
    const designed = this.designed(found);
    if (style !== "generic") return { refused: [], designed };
    const { plain: design, bill } = found;
    const stays = new Set(this.kept.flatMap(({ tables }) => [...tables.keys()]));
    const ids = new Set(this.patterns.map(({ id }) => id));
    const natural = { model: this.model, design, bill, stays };
    const price = (one: DesignDocument) => this.pricing.bill(one, ids);
    return { refused: [], designed: inOneTable(designed, natural, price) };
  }

  /** Tables that would be called like one that stays: a sentence for each. */
  private taken(): readonly Refusal[] {
    const there = new Set(this.kept.flatMap(({ tables }) => [...tables.keys()]));
    const made = [...this.layouts.values(), this.joint].flat().filter(({ kept }) => !kept);
    const names = new Set(made.flatMap(({ tables }) => [...tables.keys()]));
    return [...names]
      .filter((name) => there.has(name))
      .map((name) => ({
        path: ["design", "tables", name],
        text: `${name} stays as it is, and a new table would be called the same.`,
      }));
  }

  /** Chooses, looks where the peak is too much for one key, and chooses again with shards there. */
  private choose(): Found | { readonly refused: readonly Refusal[] } {
    for (let round = 0; ; round += 1) {
      const refused: Refusal[] = [];
      const components = this.groups.flatMap((entities) => this.component(entities, refused) ?? []);
      if (refused.length > 0) return { refused };
      const found = solveByBill(components, this.solver, (choices) => this.billOf(choices));
      const choices = found.components.flatMap(({ chosen }) => chosen.choices);
      const over = this.cooling.look(found.bill, choices);
      if (over.length > 0 && round >= roundsMax)
        return { refused: over.map((text) => ({ path: [], text })) };
      if (over.length === 0) return found;
    }
  }

  /** What is chosen for some entities if a number is another one. */
  private retried(
    only: readonly string[],
    { changed, scales, value: now }: Quantity,
    value: number,
  ): readonly Choice[] | string {
    const { pricing } = this;
    // What keeps numbers follows rates in its own way.
    const isStraight = this.numbers.length === 0 || scales === "nothing";
    const again: Again =
      scales === undefined || !isStraight
        ? { only }
        : scales === "nothing"
          ? { only, pricing }
          : { only, pricing, scale: { pattern: scales, factor: value / now } };
    const { prices, solver, kept, weights } = this;
    const { whole = false } = this.again;
    const model = changed(value);
    const made = designingOf(model, prices, solver, kept, weights, { ...again, whole });
    const found = made.designing.choose();
    return "refused" in found
      ? found.refused.map(({ text }) => text).join(" ")
      : found.components.flatMap(({ chosen }) => chosen.choices);
  }

  /** The document of some choices, and its bill. */
  private billOf(choices: readonly Choice[]): BilledDesign {
    const plain = emitted(this.model, choices);
    const pricing = new Pricing(this.model, this.prices, this.needs);
    const bill = pricing.bill(plain, new Set(this.patterns.map(({ id }) => id)));
    assert(bill !== undefined, "the design that was chosen cannot be read");
    return { plain, bill };
  }

  private designed({ components, plain, bill, gap }: Found): Designed {
    const decisions = components.flatMap(({ component, chosen }) =>
      decisionsOf(component, chosen, this.solver),
    );
    const { style, ...rest } = withPurposes(plain, this.model, bill);
    return {
      design: { ...(style && { style }), decisions, ...rest },
      total: bill.total,
      ...(isWeighed(this.weights) && { weights: this.weights }),
      gap,
      untried: this.again.whole ? [] : untriedOf(this.model, this.joint),
      looked: this.pricing.priced,
      steps: components.reduce((sum, { chosen }) => sum + chosen.steps, 0),
      components: components.map(({ component, chosen }) => ({
        component,
        choices: chosen.choices,
      })),
      flips: () =>
        components.flatMap(({ component, chosen }) =>
          flipsOf(
            quantitiesOf(this.model, component.entities, component.patterns),
            chosen.choices,
            (quantity, value) => this.retried(component.entities, quantity, value),
          ),
        ),
    };
  }

  private component(entities: readonly string[], refused: Refusal[]): Component | undefined {
    const patterns = concerning(this.patterns, entities, this.numbers);
    const options: LayoutOption[] = [];
    const unlaid = new Set<string>();
    const unserved: (() => readonly Refusal[])[] = [];
    for (const name of entities) {
      const all = this.layouts.get(name) ?? [];
      const path = this.model.entities.get(name)?.path ?? [];
      // What stays may hold several entities, and is looked at once.
      if (all.some(({ kept, entities: held }) => kept && held[0] !== name)) continue;
      const cool = all.flatMap((one) => this.cooling.cooled(one) ?? []);
      const layouts = cool
        .filter((one) => this.offers.isWorthwhile(one, patterns))
        .flatMap((one) => [one, ...this.cooling.spacious(one)]);
      if (layouts.length === 0) {
        unlaid.add(name);
        refused.push(unstorable(name, path, this.unlaid(name, all)));
      }
      const found = this.offers.of(layouts, patterns);
      const fine = found.flatMap((one) => ("layout" in one ? [one] : []));
      const [first] = found.flatMap((one) => ("layout" in one ? [] : [one.problems]));
      if (fine.length === 0 && layouts.length > 0) {
        const entity = this.model.entities.get(name) as Entity;
        unserved.push(() => this.unserved(entity, first, unlaid));
      }
      options.push(...fine);
    }
    for (const one of unserved.flatMap((refusals) => refusals())) {
      if (!refused.some(({ text }) => text === one.text)) refused.push(one);
    }
    const joint = this.joint.flatMap((plain) => {
      const layout = this.cooling.withCache(plain);
      if (!layout.entities.every((name) => entities.includes(name))) return [];
      if (this.cooling.isHot(layout) || this.cooling.isHot(plain)) return [];
      return layout.idea === "split" && !this.offers.isWorthwhile(layout, patterns) ? [] : [layout];
    });
    for (const one of this.offers.of(joint, patterns)) if ("layout" in one) options.push(one);
    if (refused.length > 0) return undefined;
    const plain = options.map((one) => this.scaled(one));
    const withCache = plain.flatMap((one) => {
      const layout = this.caches.of(one);
      return layout === undefined || this.cooling.isHot(layout) ? [] : [layout];
    });
    const cached = this.offers
      .of(withCache, patterns)
      .flatMap((one) => ("layout" in one ? [this.scaled(one)] : []));
    const all = [...plain, ...cached].map((one) => weighed(one, this.weights));
    return new Component(entities, all, patterns);
  }

  /** Why an entity has no layout that is left. */
  private unlaid(name: string, all: readonly Layout[]): Unlaid {
    const entity = this.model.entities.get(name) as Entity;
    return hotReason(entity, all, this.cooling.heat);
  }

  /** Why no layout of an entity will do; patterns about entities without a layout are not to blame. */
  private unserved(
    { name, path }: Entity,
    problems: ReadonlyMap<string, string> | undefined,
    unlaid: ReadonlySet<string>,
  ): readonly Refusal[] {
    if (problems === undefined) return [unstorable(name, path, this.unlaid(name, []))];
    const isToBlame = (pattern: Pattern): boolean =>
      ![...concernedBy(pattern, this.numbers)].some((one) => unlaid.has(one));
    return unservable(this.model, name, problems, isToBlame);
  }

  /** With the rate that a pattern is tried at. */
  private scaled(option: LayoutOption): LayoutOption {
    const scale = this.again.scale;
    return scale === undefined ? option : scaled(option, scale.pattern, scale.factor);
  }
}

/** Each round rules out what is too hot; shards cool it, and what is chosen instead may be hot in turn. */
const roundsMax = 40;
