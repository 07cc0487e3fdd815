import type { IndexDraft } from "./drafts.ts";
import { correctionOf, type LayoutOption, type Way, weight } from "./options.ts";
import { type ReadCost, upkeepSum } from "./read-cost.ts";
import { compareWorth, edgeOf, isTaken, slack, tinyWay as tiny, type Worth } from "./worth.ts";

/** Work, not time, so that the same document gives the same design on every machine. */
const stepsMax = 4_000;
/** More than any bill. */
export const infinite = 1e18;

/** What an index is at a step: not decided yet, taken, or left. */
const undecided = 0;
const taken = 1;
const left = 2;

/** A way to read, with the places of the indexes that it needs. */
interface FlatWay {
  readonly at: readonly number[];
  readonly dollars: number;
  /** With what weights add to it. */
  readonly paid: number;
  readonly trips: number;
  readonly rank: number;
  /** It costs no less, and whether whoever plans would take it is not known. */
  readonly atLeast: boolean;
}

/** How many indexes a table has room for. */
export interface Room {
  readonly local: number;
  readonly global: number;
}

export interface Found {
  readonly worth: Worth;
  readonly drafts: readonly IndexDraft[];
}

/**
 * Branch and bound. Each step takes an index or leaves it; what the rest can save at most is known from prices that
 * readers would be ready to pay for it (the dual of the choice), so that most of the tree is never seen. A step is
 * taken thousands of times by code that has just been loaded, so it is written for that: loops over arrays.
 */
export class Search {
  steps = 0;
  private readonly option: LayoutOption;
  private readonly room: Room;
  /** Nobody wants what costs more. */
  private readonly most: number;
  private readonly base: number;
  private readonly upkeep: Float64Array;
  private readonly local: readonly boolean[];
  /** What an index puts on the table's own items costs at least so much; below zero if it puts nothing there. */
  private readonly grows: Float64Array;
  private readonly ways: readonly (readonly FlatWay[])[];
  /** Of each reader. */
  private readonly misreads: readonly (readonly FlatWay[])[];
  private readonly states: Uint8Array;
  /** The cheapest, and the fewest round trips, of each reader with what is taken. */
  private readonly nowPaid: Float64Array;
  private readonly nowTrips: Float64Array;
  /** What each would read without finding everything. */
  private readonly nowWrong: (FlatWay | undefined)[] = [];
  private best: { readonly worth: Worth; readonly states: Uint8Array } | undefined;

  constructor(
    option: LayoutOption,
    room: Room,
    without: ReadonlySet<string>,
    most: number = infinite,
  ) {
    this.option = option;
    this.room = room;
    this.most = most;
    const { indexes } = option;
    this.base = upkeepSum(option.upkeep);
    this.upkeep = Float64Array.from(indexes, ({ upkeep }) => upkeepSum(upkeep));
    this.grows = Float64Array.from(indexes, ({ draft, grows }) => {
      if (draft.makes === undefined) return -1;
      return Math.max(0, grows === undefined ? 0 : upkeepSum(grows));
    });
    this.local = indexes.map(({ draft }) => draft.document.local === true);
    const places = new Map(indexes.map(({ draft }, i) => [draft.id, i]));
    const open = new Set(indexes.flatMap((one) => (one.atLeast ? [one.draft.id] : [])));
    const flat = (way: Way): FlatWay => ({
      at: way.needs.map((id) => places.get(id) as number),
      dollars: way.extra === undefined ? weight(way) : weight({ ...way, extra: 0 }),
      paid: weight(way),
      trips: way.trips,
      rank: way.rank,
      atLeast: open.size > 0 && way.needs.some((id) => open.has(id)),
    });
    this.ways = Array.from(option.ways.values(), (list) => list.map(flat));
    this.misreads = Array.from(option.ways.keys(), (id) =>
      (option.misreads?.get(id) ?? [])
        .filter(({ needs }) => needs.every((need) => places.has(need)))
        .map(flat),
    );
    this.states = Uint8Array.from(indexes, ({ draft }) =>
      without.has(draft.id) ? left : undecided,
    );
    this.nowPaid = new Float64Array(this.ways.length);
    this.nowTrips = new Float64Array(this.ways.length);
  }

  run(): Found | undefined | "too much" {
    this.recall();
    this.visit();
    if (this.steps > stepsMax) return "too much";
    if (this.best === undefined) return undefined;
    const { worth, states } = this.best;
    return { worth, drafts: this.draftsIn(states) };
  }

  worthOf(drafts: readonly IndexDraft[]): Worth {
    return this.whole(this.statesOf(drafts));
  }

  private statesOf(drafts: readonly IndexDraft[]): Uint8Array {
    const ids = new Set(drafts.map(({ id }) => id));
    return Uint8Array.from(this.option.indexes, ({ draft }) => (ids.has(draft.id) ? taken : left));
  }

  private draftsIn(states: Uint8Array): readonly IndexDraft[] {
    return this.option.indexes.flatMap(({ draft }, i) => (states[i] === taken ? [draft] : []));
  }

  private visit(): void {
    this.steps += 1;
    if (this.steps > stepsMax) return;
    const { states } = this;
    if (this.isBetter(this.worth(states))) this.propose(states);
    this.lookAround();
    const next = this.mostUseful();
    if (next < 0 || !this.isPromising()) return;
    states[next] = taken;
    if (this.fits()) this.visit();
    states[next] = left;
    this.visit();
    states[next] = undecided;
  }

  /** What bills had for some choices is known, however much the sum of prices is above it. */
  private recall(): void {
    for (const { drafts } of this.option.corrections?.values() ?? []) {
      const states = this.statesOf(drafts);
      const isThere = this.draftsIn(states).length === drafts.length;
      if (isThere && states.every((state, i) => state === left || this.states[i] === undecided)) {
        this.propose(states);
      }
    }
  }

  private propose(states: Uint8Array): void {
    const worth = this.whole(states);
    if (this.isBetter(worth)) this.best = { worth, states: states.slice() };
  }

  private isBetter(worth: Worth): boolean {
    if (this.best === undefined) return worth.dollars < infinite && worth.dollars <= this.most;
    return compareWorth(worth, this.best.worth) < 0;
  }

  /** The sum of prices, with what a bill had beyond it. */
  private whole(states: Uint8Array): Worth {
    const worth = this.uncorrected(states);
    const { option } = this;
    if (option.corrections === undefined) return worth;
    return { ...worth, dollars: worth.dollars + correctionOf(option, this.draftsIn(states)) };
  }

  /** What is put on the table's own items is paid for by all who read them: such a choice is priced as a whole. */
  private uncorrected(states: Uint8Array): Worth {
    const { indexes, whole } = this.option;
    const worth = this.worth(states);
    if (whole === undefined || this.growth(states) < 0) return worth;
    // Where something is only known to cost no less, it has to be priced by itself first.
    if (indexes.some(({ atLeast }, i) => atLeast && states[i] === taken)) return worth;
    const drafts = this.draftsIn(states);
    const found = whole(drafts);
    if (found === undefined || isMisread(drafts, found.reads)) {
      return { ...worth, dollars: infinite };
    }
    let dollars = upkeepSum(found.upkeep);
    let trips = 0;
    for (const read of found.reads.values()) {
      dollars += weight(read);
      trips += read.trips;
    }
    return { ...worth, dollars, trips };
  }

  /** What the chosen indexes put on the table's own items costs at least; below zero if they put nothing there. */
  private growth(states: Uint8Array): number {
    let most = -1;
    for (let i = 0; i < states.length; i += 1) {
      if (states[i] === taken && (this.grows[i] as number) > most) most = this.grows[i] as number;
    }
    return most;
  }

  private fits(): boolean {
    let local = 0;
    let global = 0;
    for (let i = 0; i < this.states.length; i += 1) {
      if (this.states[i] !== taken) continue;
      if (this.local[i]) local += 1;
      else global += 1;
    }
    return local <= this.room.local && global <= this.room.global;
  }

  /**
   * Everybody reads as whoever plans does: what ranks first, then what costs least. Where it is only known what a way
   * costs at least, it may not be taken: nobody pays less than for the cheaper of the two.
   */
  private worth(states: Uint8Array): Worth {
    let dollars = this.base + Math.max(0, this.growth(states));
    let trips = 0;
    let indexes = 0;
    for (let i = 0; i < states.length; i += 1) {
      if (states[i] !== taken) continue;
      dollars += this.upkeep[i] as number;
      indexes += 1;
    }
    for (let p = 0; p < this.ways.length; p += 1) {
      const ways = this.ways[p] as readonly FlatWay[];
      let best: FlatWay | undefined;
      let least: FlatWay | undefined;
      for (const way of ways) {
        if (!isThere(way, states)) continue;
        if (way.atLeast) {
          if (least === undefined || way.paid < least.paid) least = way;
        } else if (best === undefined || isTaken(way, best)) best = way;
      }
      // What is only known to cost no less may keep a reader from what it must not read.
      if (least === undefined && this.misread(p, best, states) !== undefined) {
        return { dollars: infinite, trips, indexes };
      }
      if (least !== undefined && (best === undefined || least.paid < best.paid)) best = least;
      dollars += best === undefined ? infinite : best.paid;
      trips += best === undefined ? 0 : best.trips;
    }
    return { dollars, trips, indexes };
  }

  /** What a reader would take rather than the best that there is for it, and not find everything in. */
  private misread(p: number, best: FlatWay | undefined, states: Uint8Array): FlatWay | undefined {
    if (best === undefined) return undefined;
    let found: FlatWay | undefined;
    for (const way of this.misreads[p] as readonly FlatWay[]) {
      if (isThere(way, states) && isTaken(way, found ?? best)) found = way;
    }
    return found;
  }

  private lookAround(): void {
    const { ways, states } = this;
    for (let p = 0; p < ways.length; p += 1) {
      let paid = infinite;
      let trips = infinite;
      let best: FlatWay | undefined;
      for (const way of ways[p] as readonly FlatWay[]) {
        if (!isThere(way, states)) continue;
        if (way.paid < paid) paid = way.paid;
        if (way.trips < trips) trips = way.trips;
        if (best === undefined || isTaken(way, best)) best = way;
      }
      this.nowPaid[p] = paid;
      this.nowTrips[p] = trips;
      this.nowWrong[p] = this.misread(p, best, states);
    }
  }

  /** The open index that would save somebody the most; below zero if none could save anything. */
  private mostUseful(): number {
    const { ways, states } = this;
    const saved = new Float64Array(states.length);
    const helps = new Uint8Array(states.length);
    for (let p = 0; p < ways.length; p += 1) {
      const paid = this.nowPaid[p] as number;
      const trips = this.nowTrips[p] as number;
      const wrong = this.nowWrong[p];
      for (const way of ways[p] as readonly FlatWay[]) {
        if (way.at.length === 0 || isGone(way, states)) continue;
        // What costs more is of use to whoever would read something wrong without it.
        const isHelp =
          way.paid < paid - tiny ||
          way.trips < trips - tiny ||
          (wrong !== undefined && isTaken(way, wrong));
        const saves = Math.max(0, paid - way.paid) / way.at.length;
        for (const i of way.at) {
          if (states[i] !== undecided) continue;
          if (isHelp) helps[i] = 1;
          saved[i] = (saved[i] as number) + saves;
        }
      }
    }
    let found = -1;
    let most = -infinite;
    for (let i = 0; i < states.length; i += 1) {
      const worth = (saved[i] as number) - (this.upkeep[i] as number);
      if (states[i] !== undecided || helps[i] !== 1 || worth <= most) continue;
      most = worth;
      found = i;
    }
    return found;
  }

  /** Whether something below may be better than the best that is known. */
  private isPromising(): boolean {
    if (this.best === undefined) return this.most >= infinite || this.bound() <= this.most;
    const { worth } = this.best;
    const edge = edgeOf(worth.dollars);
    const least = this.bound();
    if (least > worth.dollars + edge) return false;
    if (least < worth.dollars - edge) return true;
    let trips = 0;
    for (const ways of this.ways) {
      let fewest = Number.POSITIVE_INFINITY;
      for (const way of ways) {
        if (way.trips < fewest && !isGone(way, this.states)) fewest = way.trips;
      }
      trips += fewest;
    }
    if (trips < worth.trips - slack * (1 + Math.abs(worth.trips))) return true;
    let indexes = 0;
    for (const state of this.states) if (state === taken) indexes += 1;
    return indexes < worth.indexes;
  }

  /**
   * No choice below costs less: every reader pays for its read as much as it takes to make the indexes that it would
   * like worth their upkeep, and no index gets more than it costs.
   */
  private bound(): number {
    const { states, upkeep } = this;
    let total = this.base + Math.max(0, this.growth(states));
    const rest = new Float64Array(upkeep.length);
    for (let i = 0; i < upkeep.length; i += 1) {
      const one = upkeep[i] as number;
      if (states[i] === taken) total += one;
      rest[i] = Math.max(0, one);
    }
    const readers = this.ways.map((ways, p) => readerOf(ways, states, this.nowPaid[p] as number));
    for (let raised = true; raised; ) {
      raised = false;
      for (const reader of readers) {
        if (reader.pays >= reader.most) continue;
        const { offers } = reader;
        let wanted = 0;
        while (wanted < offers.length && (offers[wanted] as Offer).cost <= reader.pays) wanted += 1;
        const next = wanted < offers.length ? (offers[wanted] as Offer).cost : reader.most;
        let by = next - reader.pays;
        for (let k = 0; k < wanted; k += 1) {
          by = Math.min(by, rest[(offers[k] as Offer).at] as number);
        }
        if (by <= tiny) continue;
        for (let k = 0; k < wanted; k += 1) {
          const { at } = offers[k] as Offer;
          rest[at] = (rest[at] as number) - by;
        }
        reader.pays += by;
        raised = true;
      }
    }
    for (const { pays } of readers) total += pays;
    return total;
  }
}

/** Whether somebody would read an index without finding everything in it. */
function isMisread(
  drafts: readonly IndexDraft[],
  reads: ReadonlyMap<string, Pick<ReadCost, "uses">>,
): boolean {
  return drafts.some(
    ({ id, readers }) =>
      readers !== undefined &&
      [...reads].some(([pattern, { uses }]) => uses.includes(id) && !readers.has(pattern)),
  );
}

interface Offer {
  readonly at: number;
  cost: number;
}

/** What a reader would pay at most, and for less with one of the open indexes. */
function readerOf(ways: readonly FlatWay[], states: Uint8Array, most: number) {
  const offers: Offer[] = [];
  for (const way of ways) {
    if (way.paid >= most || way.at.length === 0 || isGone(way, states)) continue;
    for (const at of way.at) {
      if (states[at] !== undecided) continue;
      const known = offers.find((one) => one.at === at);
      if (known === undefined) offers.push({ at, cost: way.paid });
      else if (way.paid < known.cost) known.cost = way.paid;
    }
  }
  offers.sort((a, b) => a.cost - b.cost);
  return { most, offers, pays: offers[0]?.cost ?? most };
}

function isThere({ at }: FlatWay, states: Uint8Array): boolean {
  for (const i of at) if (states[i] !== taken) return false;
  return true;
}

function isGone({ at }: FlatWay, states: Uint8Array): boolean {
  for (const i of at) if (states[i] === left) return true;
  return false;
}
