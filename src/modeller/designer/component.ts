import type { Pattern } from "../../model/requirements.ts";
import { type Covering, cheapestCover, compareCovering } from "./cover.ts";
import type { IndexDraft } from "./drafts.ts";
import { faultPenalty, type LayoutOption, least, pruned } from "./options.ts";
import type { Choice } from "./pricing.ts";
import type { Solver } from "./program.ts";
import { type Pins, type Selection, select, takenOf, worthOf } from "./select.ts";

export interface Chosen {
  readonly choices: readonly Choice[];
  /** Dollars in a month. */
  readonly total: number;
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
  readonly options: readonly LayoutOption[];
  readonly patterns: readonly Pattern[];
  private readonly all: readonly LayoutOption[];

  constructor(
    entities: readonly string[],
    all: readonly LayoutOption[],
    patterns: readonly Pattern[],
  ) {
    this.entities = entities;
    this.patterns = patterns;
    this.all = all;
    this.options = all.map(prunedOnce);
  }

  /**
   * The index with the same key that holds nothing else, and what a choice costs more in a month with it instead; also
   * if another one is better for everybody.
   */
  keysAlone({ layout, indexes }: Choice, draft: IndexDraft): number | undefined {
    const option = this.all.find((one) => one.layout.id === layout.id);
    const key = JSON.stringify(draft.document.key);
    const bare = option?.indexes.find(
      (one) =>
        JSON.stringify(one.draft.document.key) === key && one.draft.document.projection === "keys",
    );
    if (option === undefined || bare === undefined) return undefined;
    const then = indexes.map((one) => (one === draft ? bare.draft : one));
    return priceOf(option, then) - priceOf(option, indexes);
  }

  /**
   * What a layout costs depends on its own indexes alone, so the best ones are found for each by itself; then the
   * entities are covered by layouts.
   */
  solve(solver: Solver, pins: Pins = {}): Chosen | undefined {
    const bySet = new Map<string, Candidate>();
    let steps = 0;
    const { without = new Set() } = pins;
    const order = this.options
      .map((option, at) => ({ option, at, least: least(option) }))
      .filter(({ option }) => !without.has(option.layout.id))
      .toSorted((a, b) => a.least - b.least || a.at - b.at);
    for (const { option, at, least: bound } of order) {
      const { entities } = option.layout;
      const key = JSON.stringify(entities.toSorted());
      const known = bySet.get(key);
      if (known !== undefined && bound > known.dollars + edge(known.dollars)) continue;
      const found = selectOnce(option, pins, solver);
      if (found === undefined) continue;
      steps += found.steps;
      // What is equal in price, trips and indexes is laid out separately, by the id.
      const preference = (entities.length - 1) * 1_000 + at;
      const covering = { ...found, option, covers: entities, preference };
      if (known === undefined || compareCovering(covering, known) < 0) bySet.set(key, covering);
    }
    const cover = cheapestCover(this.entities, [...bySet.values()]);
    if (cover === undefined) return undefined;
    const total = cover.reduce((sum, { option, drafts }) => sum + priceOf(option, drafts), 0);
    const faults = Math.round(total / faultPenalty);
    const outside = cover.reduce((sum, one) => sum + outsideIn(one.option, one.drafts), 0);
    const place = ({ option }: Candidate): number => this.options.indexOf(option);
    return {
      choices: cover
        .toSorted((a, b) => place(a) - place(b))
        .map(({ option: { layout }, drafts }) => ({ layout, indexes: drafts })),
      total: total - faults * faultPenalty,
      late: faults - outside,
      outside,
      steps,
      gap: Math.max(0, ...cover.map(({ gap }) => gap)),
    };
  }
}

interface Candidate extends Covering, Selection {
  readonly option: LayoutOption;
}

function outsideIn({ ways }: LayoutOption, drafts: readonly IndexDraft[]): number {
  const has = new Set(drafts.map(({ id }) => id));
  return [...ways.values()].filter((list) => takenOf(list, has)?.outside).length;
}

/** What a layout really costs with these indexes, whatever is weighed. */
function priceOf(option: LayoutOption, drafts: readonly IndexDraft[]): number {
  return worthOf(option.plain ?? option, drafts).dollars;
}

/** Rounding of sums must not hide what is as cheap. */
function edge(dollars: number): number {
  return 1e-6 + Math.abs(dollars) * 1e-9;
}

/** Options are asked again and again with something else in their surroundings. */
const prunedOptions = new WeakMap<LayoutOption, LayoutOption>();
const selections = new WeakMap<LayoutOption, Selection | "none">();

function prunedOnce(option: LayoutOption): LayoutOption {
  const known = prunedOptions.get(option) ?? pruned(option);
  prunedOptions.set(option, known);
  return known;
}

function selectOnce(option: LayoutOption, pins: Pins, solver: Solver): Selection | undefined {
  const { without = new Set() } = pins;
  const isPinned = option.indexes.some(({ draft: { id } }) => without.has(id));
  if (isPinned) return select(option, pins, solver);
  const known = selections.get(option) ?? select(option, {}, solver) ?? "none";
  selections.set(option, known);
  return known === "none" ? undefined : known;
}
