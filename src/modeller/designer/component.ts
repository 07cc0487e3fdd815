import type { Pattern } from "../../model/requirements.ts";
import { type BillLine, sumOf } from "../cost/bill.ts";
import { type Covering, cheapestCover, compareCovering } from "./cover.ts";
import type { IndexDraft, Layout } from "./drafts.ts";
import { corrected, faultPenalty, type IndexOption, type LayoutOption, least } from "./options.ts";
import type { Choice } from "./pricing.ts";
import type { Solver } from "./program.ts";
import { pruned } from "./prune.ts";
import { type Pins, type Selection, select, worthOf } from "./select.ts";
import { takenOf } from "./worth.ts";

export interface Chosen {
  readonly choices: readonly Choice[];
  /** Dollars in a month, as the sum of prices. */
  readonly total: number;
  /** What was minimised: the total with weights, and with a penalty for each rule that is broken. */
  readonly objective: number;
  readonly gap: number;
  /** How many patterns take longer than they may. */
  readonly late: number;
  /** How many list more than their callers are bound to. */
  readonly outside: number;
  /** How many choices of indexes were looked at. */
  readonly steps: number;
}

/** The choice among layouts, indexes and ways to read, for entities that belong together. */
export class Component {
  readonly entities: readonly string[];
  readonly patterns: readonly Pattern[];
  /** What is known of the layouts; more, the longer it is searched. */
  private readonly all: LayoutOption[];

  constructor(
    entities: readonly string[],
    all: readonly LayoutOption[],
    patterns: readonly Pattern[],
  ) {
    this.entities = entities;
    this.patterns = patterns;
    this.all = [...all];
  }

  /** All layouts. */
  get options(): readonly LayoutOption[] {
    return this.all;
  }

  /** A layout without indexes that another one is never worse than. */
  optionOf({ id }: Layout): LayoutOption | undefined {
    const found = this.all.find(({ layout }) => layout.id === id);
    return found && prunedOnce(found);
  }

  /**
   * The index with the same key that holds nothing else, and what a choice costs more in a month with it instead; also
   * if another one is better for everybody.
   */
  keysAlone({ layout, indexes }: Choice, draft: IndexDraft): number | undefined {
    const at = this.all.findIndex((one) => one.layout.id === layout.id);
    const key = JSON.stringify(draft.document.key);
    const bareIn = (option: LayoutOption | undefined): IndexOption | undefined =>
      option?.indexes.find(
        (one) =>
          JSON.stringify(one.draft.document.key) === key &&
          one.draft.document.projection === "keys",
      );
    const found = bareIn(this.all[at]);
    if (found?.atLeast) this.refine(at, [found.draft]);
    const [option, bare] = [this.all[at], bareIn(this.all[at])];
    if (option === undefined || bare === undefined) return undefined;
    const then = indexes.map((one) => (one === draft ? bare.draft : one));
    return priceOf(option, then) - priceOf(option, indexes);
  }

  /**
   * Takes over what a layout costs in a bill with these indexes. Prices of indexes are worked out one by one, each as if it
   * were the only one and the other entities had their first layout; the planner may choose otherwise where it sees all.
   * Returns whether that was not known.
   */
  correct({ layout, indexes }: Choice, lines: readonly BillLine[]): boolean {
    const dollars = sumOf(lines).average;
    const at = this.all.findIndex((one) => one.layout.id === layout.id);
    const option = this.all[at];
    if (option === undefined) return false;
    const price = priceOf(option, indexes);
    const more = dollars - (price - faultsIn(price) * faultPenalty);
    if (Math.abs(more) < halfCent) return false;
    this.all[at] = corrected(option, indexes, more);
    return true;
  }

  /**
   * What a layout costs depends on its own indexes alone, so the best ones are found for each by itself; then the
   * entities are covered by layouts.
   */
  solve(solver: Solver, pins: Pins = {}): Chosen | undefined {
    const bySet = new Map<string, Candidate>();
    let steps = 0;
    const { without = new Set() } = pins;
    const order = this.all
      .map((option, at) => ({ option, at, least: least(option) }))
      .filter(({ option }) => !without.has(option.layout.id))
      .toSorted(
        (a, b) =>
          Number(a.option.vague !== undefined) - Number(b.option.vague !== undefined) ||
          a.least - b.least ||
          a.at - b.at,
      );
    for (const { option, at, least: bound } of order) {
      const { entities } = option.layout;
      const key = JSON.stringify(entities.toSorted());
      const known = bySet.get(key);
      const most = known === undefined ? undefined : known.dollars + edge(known.dollars);
      if (most !== undefined && bound > most) continue;
      const found = this.select(at, pins, solver, most);
      if (found === undefined) continue;
      steps += found.steps;
      // What is equal in price, trips and indexes is laid out separately, by the id.
      const preference = (entities.length - 1) * 1_000 + at;
      const covering = { ...found, at, covers: entities, preference };
      if (known === undefined || compareCovering(covering, known) < 0) bySet.set(key, covering);
    }
    const cover = cheapestCover(this.entities, [...bySet.values()]);
    if (cover === undefined) return undefined;
    const total = cover.reduce((sum, { option, drafts }) => sum + priceOf(option, drafts), 0);
    const faults = faultsIn(total);
    const outside = cover.reduce((sum, one) => sum + outsideIn(one.option, one.drafts), 0);
    return {
      choices: cover
        .toSorted((a, b) => a.at - b.at)
        .map(({ option: { layout }, drafts }) => ({ layout, indexes: drafts })),
      total: total - faults * faultPenalty,
      objective: cover.reduce((sum, { dollars }) => sum + dollars, 0),
      late: faults - outside,
      outside,
      steps,
      gap: Math.max(0, ...cover.map(({ gap }) => gap)),
    };
  }

  /**
   * The best indexes of a layout; nothing if there are none, or none for so little. Where it is only known what indexes
   * cost at least, those that would be chosen are priced, until all that are chosen are.
   */
  private select(
    at: number,
    pins: Pins,
    solver: Solver,
    most: number | undefined,
  ): (Selection & { readonly option: LayoutOption }) | undefined {
    const { without = new Set() } = pins;
    for (let round = 0; ; round += 1) {
      const full = this.all[at] as LayoutOption;
      // What is not to be had takes no other one's place.
      const isPinned = full.indexes.some(({ draft }) => without.has(draft.id));
      const option = isPinned ? pruned(leaving(full, without)) : prunedOnce(full);
      const found = isPinned ? select(option, {}, solver, most) : selectOnce(option, solver, most);
      if (found === undefined || (most !== undefined && found.dollars > most)) return undefined;
      // Also those that the search left out because others seem to be better at what they cost at least.
      const open = new Set(full.indexes.flatMap((one) => (one.atLeast ? [one.draft] : [])));
      const unknown = found.drafts.filter((one) => open.has(one));
      if (unknown.length === 0) return { ...found, option };
      this.refine(at, round < roundsMax ? unknown : [...open]);
    }
  }

  private refine(at: number, drafts: readonly IndexDraft[]): void {
    const refined = this.all[at]?.refined?.(drafts);
    if (refined !== undefined) this.all[at] = refined;
  }
}

/** Number of rounds after which pricing all indexes takes less work than further searches. */
const roundsMax = 20;

interface Candidate extends Covering, Selection {
  readonly option: LayoutOption;
  readonly at: number;
}

function outsideIn({ ways }: LayoutOption, drafts: readonly IndexDraft[]): number {
  const has = new Set(drafts.map(({ id }) => id));
  return [...ways.values()].filter((list) => takenOf(list, has)?.outside).length;
}

/** What a layout really costs with these indexes, whatever is weighed. */
function priceOf(option: LayoutOption, drafts: readonly IndexDraft[]): number {
  return worthOf(option.plain ?? option, drafts).dollars;
}

/** How many rules are broken. */
function faultsIn(dollars: number): number {
  return Math.round(dollars / faultPenalty);
}

/** Less than this is no difference in a bill. */
export const halfCent = 0.005;

/** Rounding of sums must not hide what is as cheap. */
function edge(dollars: number): number {
  return 1e-6 + Math.abs(dollars) * 1e-9;
}

/** Options are asked again and again with something else in their surroundings. */
const prunedOptions = new WeakMap<LayoutOption, LayoutOption>();
const selections = new WeakMap<LayoutOption, Selection | NoneFor>();

/** There is nothing for so much; for any price, if nothing is said. */
interface NoneFor {
  readonly most: number | undefined;
}

function prunedOnce(option: LayoutOption): LayoutOption {
  const known = prunedOptions.get(option) ?? pruned(option);
  prunedOptions.set(option, known);
  return known;
}

/** A layout that cannot have some indexes. */
function leaving(option: LayoutOption, without: ReadonlySet<string>): LayoutOption {
  return {
    ...option,
    indexes: option.indexes.filter(({ draft }) => !without.has(draft.id)),
    ways: new Map(
      [...option.ways].map(([id, ways]) => [
        id,
        ways.filter(({ needs }) => !needs.some((need) => without.has(need))),
      ]),
    ),
  };
}

function selectOnce(
  option: LayoutOption,
  solver: Solver,
  most: number | undefined,
): Selection | undefined {
  const known = selections.get(option);
  if (known !== undefined && "drafts" in known) return known;
  const isKnown = known !== undefined && (known.most ?? infinite) >= (most ?? infinite);
  if (isKnown) return undefined;
  const found = select(option, {}, solver, most);
  selections.set(option, found ?? { most });
  return found;
}

const infinite = Number.POSITIVE_INFINITY;
