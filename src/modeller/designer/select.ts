import { globalIndexesMax, localIndexesMax } from "../../api/limits.ts";
import type { IndexDraft } from "./drafts.ts";
import type { LayoutOption } from "./options.ts";
import type { Solver } from "./program.ts";
import { infinite, type Room, Search } from "./search.ts";
import { selectByProgram } from "./select-program.ts";
import { slack, type Worth } from "./worth.ts";

/** What is fixed in advance: these are not in the design. */
export interface Pins {
  readonly without?: ReadonlySet<string>;
}

/** The best indexes of one layout. */
export interface Selection extends Worth {
  readonly drafts: readonly IndexDraft[];
  /** What may be missing to the best, as a share. */
  readonly gap: number;
  /** How many choices were looked at. */
  readonly steps: number;
}

/** How many indexes a table can have besides those that stay. */
export function roomFor({ tables, main }: LayoutOption["layout"]): Room {
  const there = Object.values(tables.get(main)?.indexes ?? {});
  const locals = there.filter(({ local }) => local === true).length;
  return {
    local: localIndexesMax - locals,
    global: globalIndexesMax - (there.length - locals),
  };
}

const nothing: ReadonlySet<string> = new Set();

/** The cheapest choice of indexes for a layout; nothing if a pattern cannot be served then, or not for so little. */
export function select(
  option: LayoutOption,
  pins: Pins,
  solver: Solver,
  most?: number,
): Selection | undefined {
  const search = new Search(option, roomFor(option.layout), pins.without ?? nothing, most);
  const found = search.run();
  const { steps } = search;
  if (found === undefined) return undefined;
  if (found !== "too much") {
    const { worth, drafts } = found;
    return withJoined(option, pins, search, { ...worth, drafts, gap: 0, steps });
  }
  const solved = selectByProgram(option, pins, solver);
  if (solved === undefined) return undefined;
  const chosen = { ...search.worthOf(solved.drafts), ...solved, steps };
  if (chosen.dollars >= infinite) return undefined;
  return withJoined(option, pins, search, chosen);
}

/** A bill has no smaller amount than a cent: what is less than half of one is no difference. */
const noDifference = 0.0049;

/** Several sparse indexes become one that holds them all, where that makes no difference in price and round trips. */
function withJoined(
  { indexes }: LayoutOption,
  { without = nothing }: Pins,
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
  return new Search(option, roomFor(option.layout), nothing).worthOf(drafts);
}
