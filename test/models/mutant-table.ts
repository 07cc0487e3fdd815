import type { TriedMutant } from "../../src/modeller/proof/verdict.ts";

/** Counts what became of mutants, by the kind of their mistake. */

export interface MutantCounts {
  readonly killed: number;
  readonly equivalent: number;
  readonly undecided: number;
}

export type MutantTable = Readonly<Record<string, MutantCounts>>;

export function countMutants(mutants: readonly TriedMutant[]): MutantTable {
  const none = { killed: 0, equivalent: 0, undecided: 0 };
  return mutants.reduce<MutantTable>(
    (table, mutant) => addTables(table, { [mutant.operator]: { ...none, [resultOf(mutant)]: 1 } }),
    {},
  );
}

function resultOf({ killed, reason }: TriedMutant): keyof MutantCounts {
  if (killed) return "killed";
  return reason === undefined ? "undecided" : "equivalent";
}

export function addTables(one: MutantTable, other: MutantTable): MutantTable {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(
    names.map((name) => {
      const sum = (member: keyof MutantCounts): number =>
        (one[name]?.[member] ?? 0) + (other[name]?.[member] ?? 0);
      const counts = {
        killed: sum("killed"),
        equivalent: sum("equivalent"),
        undecided: sum("undecided"),
      };
      return [name, counts];
    }),
  );
}

const columns = ["killed", "equivalent", "undecided"] as const;

/** A Markdown table with a line for each operator, those with the most undecided mutants first, and one for all. */
export function mutantTableText(groups: Readonly<Record<string, MutantTable>>): string {
  const tables = Object.values(groups);
  const all = tables.reduce(addTables, {});
  const rows = Object.entries(all).toSorted(
    ([a, one], [b, other]) => other.undecided - one.undecided || (a < b ? -1 : 1),
  );
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;
  const counts = (count: (table: MutantTable, column: (typeof columns)[number]) => number) =>
    tables.flatMap((table) => columns.map((column) => count(table, column)));
  const head = Object.keys(groups).flatMap((name) => columns.map((one) => `${name}: ${one}`));
  return [
    line(["operator", ...head]),
    line(["---", ...head.map(() => "---:")]),
    ...rows.map(([name]) => line([name, ...counts((table, column) => table[name]?.[column] ?? 0)])),
    line([
      "total",
      ...counts((table, column) => Object.values(table).reduce((sum, one) => sum + one[column], 0)),
    ]),
    "",
  ].join("\n");
}
