import { globalIndexesMax, localIndexesMax } from "../../api/limits.ts";
import type { IndexDraft } from "./drafts.ts";
import { faultPenalty, type LayoutOption, type Way, weight } from "./options.ts";
import type { Solver } from "./program.ts";
import { upkeepSum } from "./read-cost.ts";
import { selectByProgram } from "./select-program.ts";

/** What is fixed in advance: these are not in the design. */
export interface Pins {
  readonly without?: ReadonlySet<string>;
}

/** What a choice comes to, the first thing first: less is better. */
export interface Worth {
  /** In a month; far more where a rule is broken. */
  readonly dollars: number;
  /** Round trips in a second. */
  readonly trips: number;
  readonly indexes: number;
}

/** The best indexes of one layout. */
export interface Selection extends Worth {
  readonly drafts: readonly IndexDraft[];
  /** What may be missing to the best, as a share. */
  readonly gap: number;
  /** How many choices were looked at. */
  readonly steps: number;
}

/** Work, not time, so that the same document gives the same design on every machine. */
const stepsMax = 4_000;
/** Sums of dollars are compared up to this share; a cent is far more. */
const slack = 1e-9;

/** How many indexes a table can have besides those that stay. */
export function roomFor({ tables, main }: LayoutOption["layout"]): {
  readonly local: number;
  readonly global: number;
} {
  const there = Object.values(tables.get(main)?.indexes ?? {});
  const locals = there.filter(({ local }) => local === true).length;
  return {
    local: localIndexesMax - locals,
    global: globalIndexesMax - (there.length - locals),
  };
}

/** As far as two sums are the same. */
function edgeOf(sum: number): number {
  return slack * (1 + (Math.abs(sum) % faultPenalty));
}

/** Below zero if the first is better. */
export function compareWorth(a: Worth, b: Worth): number {
  const near = (x: number, y: number): boolean => Math.abs(x - y) <= edgeOf(y);
  if (!near(a.dollars, b.dollars)) return a.dollars - b.dollars;
  if (!near(a.trips, b.trips)) return a.trips - b.trips;
  return a.indexes - b.indexes;
}

/** The cheapest choice of indexes for a layout; nothing if a pattern cannot be served then. */
export function select(option: LayoutOption, pins: Pins, solver: Solver): Selection | undefined {
  const search = new Search(option, pins);
  const found = search.run();
  if (found === undefined) return undefined;
  if (found !== "too much") return withJoined(option, pins, search, found);
  const { steps } = search;
  const solved = selectByProgram(option, pins, solver);
  if (solved === undefined) return undefined;
  const chosen = { ...search.worthOf(solved.drafts), ...solved, steps };
  return withJoined(option, pins, search, chosen);
}

/** A bill has no smaller amount than a cent: what is less than half of one is no difference. */
const noDifference = 0.0049;

/** Several sparse indexes become one that holds them all, where that makes no difference in price and round trips. */
function withJoined(
  { indexes }: LayoutOption,
  { without = new Set() }: Pins,
  search: Search,
  found: Selection,
): Selection {
  let best = found;
  for (const { draft } of indexes) {
    const { joins, readers } = draft;
    if (!joins || readers === undefined || without.has(draft.id)) continue;
    const isLeft = (one: IndexDraft): boolean =>
      one.readers === undefined || [...one.readers].some((id) => !readers.has(id));
    const drafts = [...best.drafts.filter(isLeft), draft];
    if (drafts.length >= best.drafts.length) continue;
    const worth = search.worthOf(drafts);
    const isSame =
      worth.dollars <= found.dollars + noDifference && worth.trips <= found.trips + slack;
    if (isSame) best = { ...best, ...worth, drafts };
  }
  return best;
}

/** What a layout comes to with these indexes. */
export function worthOf(option: LayoutOption, drafts: readonly IndexDraft[]): Worth {
  return new Search(option, {}).worthOf(drafts);
}

interface FlatWay extends Way {
  readonly at: readonly number[];
  /** With what weights add to it. */
  readonly paid: number;
}

/**
 * Branch and bound. Each step takes an index or leaves it; what the rest can save at most is known from prices that
 * readers would be ready to pay for it (the dual of the choice), so that most of the tree is never seen.
 */
class Search {
  steps = 0;
  private readonly option: LayoutOption;
  private readonly base: number;
  private readonly upkeep: readonly number[];
  private readonly local: readonly boolean[];
  /** What an index puts on the table's own items costs at least so much; nothing if it puts nothing there. */
  private readonly grows: readonly (number | undefined)[];
  private readonly ways: readonly (readonly FlatWay[])[];
  private readonly start: readonly State[];
  private readonly room: { readonly local: number; readonly global: number };
  private best: { readonly worth: Worth; readonly taken: readonly number[] } | undefined;

  constructor(option: LayoutOption, { without = new Set() }: Pins) {
    this.option = option;
    this.room = roomFor(option.layout);
    this.base = upkeepSum(option.upkeep);
    this.upkeep = option.indexes.map(({ upkeep }) => upkeepSum(upkeep));
    this.grows = option.indexes.map(({ draft, grows }) =>
      draft.makes === undefined
        ? undefined
        : Math.max(0, grows === undefined ? 0 : upkeepSum(grows)),
    );
    this.local = option.indexes.map(({ draft }) => draft.document.local === true);
    const places = new Map(option.indexes.map(({ draft }, i) => [draft.id, i]));
    this.ways = [...option.ways.values()].map((list) =>
      list.map((way) => ({
        ...way,
        dollars: weight({ ...way, extra: 0 }),
        paid: weight(way),
        at: way.needs.map((id) => places.get(id) as number),
      })),
    );
    this.start = option.indexes.map(({ draft: { id } }) => (without.has(id) ? "out" : "open"));
  }

  run(): Selection | undefined | "too much" {
    this.visit([...this.start]);
    if (this.steps > stepsMax) return "too much";
    if (this.best === undefined) return undefined;
    const { taken, worth } = this.best;
    const drafts = taken.map((i) => this.option.indexes[i]?.draft as IndexDraft);
    return { ...worth, drafts, gap: 0, steps: this.steps };
  }

  worthOf(drafts: readonly IndexDraft[]): Worth {
    const ids = new Set(drafts.map(({ id }) => id));
    return this.whole(this.option.indexes.map(({ draft }) => (ids.has(draft.id) ? "in" : "out")));
  }

  private visit(states: State[]): void {
    this.steps += 1;
    if (this.steps > stepsMax) return;
    const taken = states.flatMap((state, i) => (state === "in" ? [i] : []));
    if (this.fits(taken) && this.isBetter(this.worth(states))) {
      const worth = this.whole(states);
      if (this.isBetter(worth)) this.best = { worth, taken };
    }
    const next = this.mostUseful(states);
    if (next === undefined || !this.isPromising(states)) return;
    for (const state of ["in", "out"] as const) {
      const then = [...states];
      then[next] = state;
      if (state === "out" || this.fits([...taken, next])) this.visit(then);
    }
  }

  private isBetter(worth: Worth): boolean {
    if (this.best === undefined) return worth.dollars < infinite;
    return compareWorth(worth, this.best.worth) < 0;
  }

  /** What is put on the table's own items is paid for by all who read them: such a choice is priced as a whole. */
  private whole(states: readonly State[]): Worth {
    const { indexes, whole } = this.option;
    const worth = this.worth(states);
    if (whole === undefined || this.growth(states) === undefined) return worth;
    // Where something is only known to cost no less, it has to be priced by itself first.
    if (indexes.some(({ atLeast }, i) => atLeast && states[i] === "in")) return worth;
    const found = whole(indexes.flatMap(({ draft }, i) => (states[i] === "in" ? [draft] : [])));
    if (found === undefined) return { ...worth, dollars: infinite };
    let [dollars, trips] = [upkeepSum(found.upkeep), 0];
    for (const read of found.reads.values()) {
      dollars += weight(read);
      trips += read.trips;
    }
    return { ...worth, dollars, trips };
  }

  /** What the chosen indexes put on the table's own items costs at least; nothing if they put nothing there. */
  private growth(states: readonly State[]): number | undefined {
    const made = this.grows.filter((one, i) => states[i] === "in" && one !== undefined);
    return made.length === 0 ? undefined : Math.max(...made.map((one) => one ?? 0));
  }

  private fits(taken: readonly number[]): boolean {
    const locals = taken.filter((i) => this.local[i]).length;
    const { local, global } = this.room;
    return locals <= local && taken.length - locals <= global;
  }

  /** Everybody reads as whoever plans does: what ranks first, then what costs least. */
  private worth(states: readonly State[]): Worth {
    let [dollars, trips, indexes] = [this.base + (this.growth(states) ?? 0), 0, 0];
    for (const [i, state] of states.entries()) {
      if (state !== "in") continue;
      dollars += this.upkeep[i] as number;
      indexes += 1;
    }
    for (const ways of this.ways) {
      let best: FlatWay | undefined;
      for (const way of ways) {
        if (!way.at.every((i) => states[i] === "in")) continue;
        if (best === undefined || isTaken(way, best)) best = way;
      }
      dollars += best?.paid ?? infinite;
      trips += best?.trips ?? 0;
    }
    return { dollars, trips, indexes };
  }

  /** The open index that would save somebody the most; nothing if none could save anything. */
  private mostUseful(states: readonly State[]): number | undefined {
    let found: number | undefined;
    let most = -infinite;
    const saved = states.map(() => 0);
    const helps = states.map(() => false);
    for (const ways of this.ways) {
      const now = cheapest(ways, (i) => states[i] === "in");
      for (const way of ways) {
        if (way.at.some((i) => states[i] === "out")) continue;
        for (const i of way.at) {
          if (states[i] !== "open") continue;
          if (way.paid < now.dollars - tiny || way.trips < now.trips - tiny) helps[i] = true;
          saved[i] = (saved[i] as number) + Math.max(0, now.dollars - way.paid) / way.at.length;
        }
      }
    }
    for (const [i, state] of states.entries()) {
      const worth = (saved[i] as number) - (this.upkeep[i] as number);
      if (state !== "open" || !helps[i] || worth <= most) continue;
      most = worth;
      found = i;
    }
    return found;
  }

  /** Whether something below may be better than the best that is known. */
  private isPromising(states: readonly State[]): boolean {
    if (this.best === undefined) return true;
    const { worth } = this.best;
    const edge = edgeOf(worth.dollars);
    const least = this.bound(states);
    if (least > worth.dollars + edge) return false;
    if (least < worth.dollars - edge) return true;
    let trips = 0;
    for (const ways of this.ways) {
      trips += Math.min(
        ...ways.filter(({ at }) => at.every((i) => states[i] !== "out")).map((way) => way.trips),
      );
    }
    if (trips < worth.trips - slack * (1 + Math.abs(worth.trips))) return true;
    return states.filter((state) => state === "in").length < worth.indexes;
  }

  /**
   * No choice below costs less: every reader pays for its read as much as it takes to make the indexes that it would
   * like worth their upkeep, and no index gets more than it costs.
   */
  private bound(states: readonly State[]): number {
    let total = this.base + (this.growth(states) ?? 0);
    const left = this.upkeep.map((one) => Math.max(0, one));
    for (const [i, state] of states.entries()) {
      if (state === "in") total += this.upkeep[i] as number;
    }
    const readers = this.ways.map((ways) => {
      const most = cheapest(ways, (i) => states[i] === "in").dollars;
      const costs = new Map<number, number>();
      for (const { at, paid: dollars } of ways) {
        if (at.length === 0 || at.some((i) => states[i] === "out")) continue;
        for (const i of at) {
          if (states[i] !== "open") continue;
          if (dollars < Math.min(most, costs.get(i) ?? most)) costs.set(i, dollars);
        }
      }
      const offers = [...costs].toSorted((a, b) => a[1] - b[1]);
      return { most, offers, pays: offers[0]?.[1] ?? most };
    });
    for (let raised = true; raised; ) {
      raised = false;
      for (const reader of readers) {
        if (reader.pays >= reader.most) continue;
        const wanted = reader.offers.filter(([, cost]) => cost <= reader.pays);
        const next = reader.offers[wanted.length]?.[1] ?? reader.most;
        let by = next - reader.pays;
        for (const [i] of wanted) by = Math.min(by, left[i] as number);
        if (by <= tiny) continue;
        for (const [i] of wanted) left[i] = (left[i] as number) - by;
        reader.pays += by;
        raised = true;
      }
    }
    for (const { pays } of readers) total += pays;
    return total;
  }
}

type State = "in" | "out" | "open";

const tiny = 1e-12;
/** More than any bill. */
const infinite = 1e18;

/** Whether whoever plans takes the one rather than the other. */
export function isTaken(one: Way, other: Way): boolean {
  if (one.rank !== other.rank) return one.rank < other.rank;
  if (Math.abs(one.dollars - other.dollars) > tiny) return one.dollars < other.dollars;
  return one.trips < other.trips;
}

/** The way that whoever plans takes if these indexes are there. */
export function takenOf(ways: readonly Way[], has: ReadonlySet<string>): Way | undefined {
  return ways
    .filter(({ needs }) => needs.every((one) => has.has(one)))
    .reduce<Way | undefined>(
      (best, way) => (best === undefined || isTaken(way, best) ? way : best),
      undefined,
    );
}

function cheapest(
  ways: readonly FlatWay[],
  has: (i: number) => boolean,
): { readonly dollars: number; readonly trips: number } {
  let [dollars, trips] = [infinite, infinite];
  for (const way of ways) {
    if (!way.at.every(has)) continue;
    dollars = Math.min(dollars, way.paid);
    trips = Math.min(trips, way.trips);
  }
  return { dollars, trips };
}
