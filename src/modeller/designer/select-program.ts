import type { IndexDraft } from "./drafts.ts";
import { type LayoutOption, type Way, weight } from "./options.ts";
import { Program, type Solver, type Term } from "./program.ts";
import { upkeepSum } from "./read-cost.ts";
import { type Pins, roomFor } from "./select.ts";

/** Price; round trips; the number of indexes. */
const goals = 3;

/** The choice of indexes for one layout as an integer program: for those where trying would take too long. */
export function selectByProgram(
  { layout, indexes, ways }: LayoutOption,
  { without = new Set() }: Pins,
  solver: Solver,
): { readonly drafts: readonly IndexDraft[]; readonly gap: number } | undefined {
  const program = new Program(goals);
  const room = roomFor(layout);
  const variables = new Map<string, string>();
  for (const { draft, upkeep, grows } of indexes) {
    const more = grows === undefined ? 0 : upkeepSum(grows);
    variables.set(draft.id, program.variable(upkeepSum(upkeep) + more, 0, 1));
  }
  for (const local of [false, true]) {
    const those = indexes.filter(({ draft }) => (draft.document.local === true) === local);
    const most = room[local ? "local" : "global"];
    const terms = those.map(({ draft }) => once(variables.get(draft.id)));
    if (those.length > most) program.row(terms, "<=", most);
  }
  for (const list of ways.values()) addWays(program, list, variables);
  const fixed = new Map<string, 0 | 1>();
  for (const [id, variable] of variables) {
    if (without.has(id)) fixed.set(variable, 0);
  }
  const found = program.solve(solver, fixed);
  if (found.status === "infeasible") return undefined;
  const drafts = indexes
    .map(({ draft }) => draft)
    .filter(({ id }) => found.ones.has(variables.get(id) ?? ""));
  return { drafts, gap: found.gap };
}

/** One way for each pattern. */
function addWays(
  program: Program,
  ways: readonly Way[],
  indexes: ReadonlyMap<string, string>,
): void {
  const variables = ways.map((way) => program.variable(weight(way), way.trips));
  program.row(variables.map(once), "=", 1);
  for (const [i, way] of ways.entries()) {
    const variable = variables[i] as string;
    for (const need of way.needs) {
      const index = indexes.get(need) as string;
      program.row([once(variable), { variable: index, times: -1 }], "<=", 0);
    }
    // Whoever plans takes what ranks higher where it is there, although it costs more.
    for (const other of ways) {
      if (other.rank >= way.rank || other.dollars <= way.dollars) continue;
      const terms = other.needs.map((need) => once(indexes.get(need)));
      program.row([once(variable), ...terms], "<=", terms.length);
    }
  }
}

function once(variable: string | undefined): Term {
  return { variable: variable as string, times: 1 };
}
