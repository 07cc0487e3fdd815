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

/** A line for each operator, those with the most undecided mutants first, and one for all. */
export function mutantTableText(table: MutantTable): string {
  const rows = Object.entries(table).toSorted(
    ([a, one], [b, other]) => other.undecided - one.undecided || (a < b ? -1 : 1),
  );
  const total = rows.reduce<MutantTable>(
    (sum, [, counts]) => addTables(sum, { total: counts }),
    {},
  );
  const cell = (value: number | string): string => String(value).padStart(11);
  return [
    `${"operator".padEnd(16)}${["killed", "equivalent", "undecided"].map(cell).join("")}`,
    ...[...rows, ...Object.entries(total)].map(
      ([name, { killed, equivalent, undecided }]) =>
        `${name.padEnd(16)}${[killed, equivalent, undecided].map(cell).join("")}`,
    ),
    "",
  ].join("\n");
}
