import { globalIndexesMax, localIndexesMax } from "../../api/limits.ts";
import type { Pattern } from "../../model/requirements.ts";
import type { IndexDraft } from "./drafts.ts";
import { type LayoutOption, promising, pruned, scaled, type Way } from "./options.ts";
import type { Choice } from "./pricing.ts";
import { Program, type Solution, type Solver, type Term } from "./program.ts";
import { upkeepSum } from "./read-cost.ts";

/** What is fixed in advance: these are in the design, or these are not. */
export interface Pins {
  readonly without?: ReadonlySet<string>;
}

export interface Chosen {
  readonly choices: readonly Choice[];
  /** Dollars in a month. */
  readonly total: number;
  readonly gap: number;
}

/** The choice among layouts, indexes and ways to read, for entities that belong together. */
export class Component {
  readonly entities: readonly string[];
  readonly options: readonly LayoutOption[];
  readonly patterns: readonly Pattern[];
  private readonly all: readonly LayoutOption[];
  private readonly program = new Program(goals);
  private readonly layouts = new Map<string, string>();
  private readonly indexes = new Map<string, string>();

  constructor(
    entities: readonly string[],
    all: readonly LayoutOption[],
    patterns: readonly Pattern[],
  ) {
    const options = promising(all.map(pruned));
    this.entities = entities;
    this.patterns = patterns;
    this.all = all;
    this.options = options;
    for (const [i, option] of options.entries()) this.addLayout(option, i, patterns);
    for (const entity of entities) {
      const those = options.filter(({ layout }) => layout.entities.includes(entity));
      this.program.row(
        those.map(({ layout }) => once(this.layouts.get(layout.id))),
        "=",
        1,
      );
    }
  }

  /** The same entities, if a pattern came so many times as often. */
  scaled(pattern: string, factor: number): Component {
    const { entities, patterns } = this;
    return new Component(
      entities,
      this.all.map((one) => scaled(one, pattern, factor)),
      patterns,
    );
  }

  solve(
    solver: Solver,
    { without = new Set() }: Pins = {},
    tiers: number = goals,
  ): Chosen | undefined {
    const fixed = new Map<string, 0 | 1>();
    for (const id of without) {
      const variable = this.layouts.get(id) ?? this.indexes.get(id);
      if (variable !== undefined) fixed.set(variable, 0);
    }
    const found = this.program.solve(solver, fixed, tiers);
    if (found.status === "infeasible") return undefined;
    return {
      choices: this.choicesOf(found),
      total: this.program.value(0, found),
      gap: found.gap,
    };
  }

  private choicesOf({ ones }: Solution): readonly Choice[] {
    const is = (variable: string | undefined): boolean =>
      variable !== undefined && ones.has(variable);
    return this.options
      .filter(({ layout }) => is(this.layouts.get(layout.id)))
      .map(({ layout, indexes }) => ({
        layout,
        indexes: indexes
          .filter(({ draft }) => is(this.indexes.get(draft.id)))
          .map(({ draft }) => draft),
      }));
  }

  private addLayout(option: LayoutOption, at: number, patterns: readonly Pattern[]): void {
    const { layout, indexes, ways } = option;
    // What is equal in price, trips and indexes is laid out separately, by the id.
    const preference = (layout.entities.length - 1) * 1_000 + at;
    const own = this.program.variable(upkeepSum(option.upkeep), 0, preference);
    this.layouts.set(layout.id, own);
    for (const { draft, upkeep } of indexes) {
      const variable = this.program.variable(upkeepSum(upkeep), 0, anIndex);
      this.indexes.set(draft.id, variable);
      this.program.row([once(variable), { variable: own, times: -1 }], "<=", 0);
    }
    for (const local of [false, true]) {
      const those = indexes.filter(({ draft }) => isLocal(draft) === local);
      const most = local ? localIndexesMax : globalIndexesMax;
      if (those.length > most) {
        this.program.row(
          those.map(({ draft }) => once(this.indexes.get(draft.id))),
          "<=",
          most,
        );
      }
    }
    for (const { id } of patterns) {
      const list = ways.get(id);
      if (list !== undefined) this.addWays(list, own);
    }
  }

  /** One way for each pattern that goes here, if the layout is chosen. */
  private addWays(ways: readonly Way[], layout: string): void {
    const variables = ways.map((way) => this.program.variable(way.dollars, way.trips));
    this.program.row([...variables.map(once), { variable: layout, times: -1 }], "=", 0);
    for (const [i, way] of ways.entries()) {
      const variable = variables[i] as string;
      for (const need of way.needs) {
        const index = this.indexes.get(need) as string;
        this.program.row([once(variable), { variable: index, times: -1 }], "<=", 0);
      }
      // Whoever plans takes what ranks higher where it is there, although it costs more.
      for (const other of ways) {
        if (other.rank >= way.rank || other.dollars <= way.dollars) continue;
        const terms = other.needs.map((need) => once(this.indexes.get(need)));
        this.program.row([once(variable), ...terms], "<=", terms.length);
      }
    }
  }
}

/** Price; round trips; the number of indexes, and then what is preferred. */
const goals = 3;
/** One index less is worth more than all preferences. */
const anIndex = 1_000_000;

function once(variable: string | undefined): Term {
  return { variable: variable as string, times: 1 };
}

function isLocal({ document }: IndexDraft): boolean {
  return document.local === true;
}
