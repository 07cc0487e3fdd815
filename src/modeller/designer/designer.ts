import { assert } from "../../base/assert.ts";
import type { DesignDocument } from "../../model/document-design.ts";
import type { Model } from "../../model/model.ts";
import type { Pattern } from "../../model/requirements.ts";
import { defaultRegion, pricesOf } from "../prices/book.ts";
import type { RegionPrices } from "../prices/price.ts";
import { jointLayouts } from "./collections.ts";
import { Component } from "./component.ts";
import type { Layout } from "./drafts.ts";
import { emitted, withPurposes } from "./emit.ts";
import { decisionsOf } from "./explain.ts";
import { type Flip, flipsOf } from "./flips.ts";
import { ownLayouts } from "./layouts.ts";
import { changedOf, entitiesOf, type Need, needsOf, servedPatterns } from "./needs.ts";
import { componentsOf, type LayoutOption, optionOf } from "./options.ts";
import { type Choice, Pricing } from "./pricing.ts";
import type { Solver } from "./program.ts";
import { indexDrafts } from "./structures.ts";
import { unsupported } from "./unsupported.ts";

export interface Designed {
  readonly design: DesignDocument;
  /** Dollars in a month, as `keywright cost` says. */
  readonly total: number;
  /** What may be missing to the cheapest, as a share; 0 if it is proved to be the cheapest. */
  readonly gap: number;
  /** Worked out when somebody asks: it takes many solutions. */
  readonly flips: () => readonly Flip[];
  readonly components: readonly {
    readonly component: Component;
    readonly choices: readonly Choice[];
  }[];
}

export type DesignOutcome =
  | { readonly designed: Designed; readonly refused: readonly [] }
  | { readonly designed: undefined; readonly refused: readonly string[] };

/** The cheapest design that serves the patterns of a model, or why there is none. */
export function designOf(model: Model, solver: Solver): DesignOutcome {
  const bare: Model = { ...model, design: undefined };
  const region = model.overview.region ?? defaultRegion;
  const prices = pricesOf(region);
  const refused = [
    ...(prices === undefined ? [`No prices of ${region} are known.`] : []),
    ...unsupported(bare),
  ];
  if (prices === undefined || refused.length > 0) return { designed: undefined, refused };
  return new Designing(bare, prices, solver).design();
}

class Designing {
  private readonly model: Model;
  private readonly pricing: Pricing;
  private readonly solver: Solver;
  private readonly needs: readonly Need[];
  private readonly patterns: readonly Pattern[];
  private readonly joint: readonly Layout[];
  private readonly layouts: ReadonlyMap<string, readonly Layout[]>;

  constructor(model: Model, prices: RegionPrices, solver: Solver) {
    this.model = model;
    this.pricing = new Pricing(model, prices);
    this.solver = solver;
    this.needs = needsOf(model);
    this.patterns = servedPatterns(model);
    this.joint = jointLayouts(model, this.patterns);
    this.layouts = new Map(
      [...model.entities.values()].map((entity) => [
        entity.name,
        ownLayouts(model, entity, this.needs),
      ]),
    );
  }

  design(): DesignOutcome {
    const refused: string[] = [];
    const components = componentsOf([...this.model.entities.keys()], this.patterns).flatMap(
      (entities) => {
        const component = this.component(entities, refused);
        const chosen = component?.solve(this.solver);
        return component === undefined || chosen === undefined ? [] : [{ component, chosen }];
      },
    );
    if (refused.length > 0) return { designed: undefined, refused };
    const choices = components.flatMap(({ chosen }) => chosen.choices);
    const expected = components.reduce((sum, { chosen }) => sum + chosen.total, 0);
    const plain = emitted(this.model, choices);
    const ids = new Set(this.patterns.map(({ id }) => id));
    const bill = this.pricing.bill(plain, ids);
    assert(
      bill !== undefined && Math.abs(bill.total - expected) < 0.005,
      `the design was chosen for $${expected} in a month and costs $${bill?.total}`,
    );
    const decisions = components.flatMap(({ component, chosen }) =>
      decisionsOf(component, chosen.choices, chosen.total, this.solver),
    );
    const { style, tables } = withPurposes(plain, this.model, bill.plans);
    const design = { ...(style && { style }), decisions, tables };
    return {
      refused: [],
      designed: {
        design,
        total: bill.total,
        gap: Math.max(0, ...components.map(({ chosen }) => chosen.gap)),
        components: components.map(({ component, chosen }) => ({
          component,
          choices: chosen.choices,
        })),
        flips: () =>
          components.flatMap(({ component, chosen }) =>
            flipsOf(component, chosen.choices, this.solver),
          ),
      },
    };
  }

  private component(entities: readonly string[], refused: string[]): Component | undefined {
    const patterns = this.patterns.filter((one) =>
      [...entitiesOf(one)].some((name) => entities.includes(name)),
    );
    const options: LayoutOption[] = [];
    for (const name of entities) {
      const found = (this.layouts.get(name) ?? []).map((layout) => this.option(layout, patterns));
      const fine = found.flatMap((one) => ("layout" in one ? [one] : []));
      const [first] = found.flatMap((one) => ("layout" in one ? [] : [one.problems]));
      if (fine.length === 0) {
        const why = [...(first ?? new Map([["", "no key can be made of its id"]]))].map(
          ([id, problem]) => (id === "" ? problem : `pattern ${id}: ${problem}`),
        );
        refused.push(`${name} cannot be laid out: ${why.join("; ")}.`);
      }
      options.push(...fine);
    }
    for (const layout of this.joint) {
      if (!layout.entities.every((name) => entities.includes(name))) continue;
      const found = this.option(layout, patterns);
      if ("layout" in found) options.push(found);
    }
    return refused.length > 0 ? undefined : new Component(entities, options, patterns);
  }

  private option(layout: Layout, patterns: readonly Pattern[]) {
    const own = patterns.filter((one) =>
      [...entitiesOf(one)].some((name) => layout.entities.includes(name)),
    );
    const around = new Set(own.flatMap((one) => [...entitiesOf(one)]));
    const others = [...around].flatMap((name): Choice[] => {
      const first = layout.entities.includes(name) ? undefined : this.layouts.get(name)?.[0];
      return first === undefined ? [] : [{ layout: first, indexes: [] }];
    });
    const drafts = layout.entities.flatMap((name) => {
      const entity = this.model.entities.get(name);
      if (entity === undefined) return [];
      return indexDrafts(entity, layout, this.needs, changedOf(this.model, entity));
    });
    const each = new Map(drafts.map((draft) => [draft.id, draft]));
    return optionOf(this.pricing, layout, [...each.values()], others, own);
  }
}
