import { pathText } from "../../../document/path.ts";
import type { Table } from "../../../model/design.ts";
import { counted, listText } from "../../lint/words.ts";
import { type Check, Findings, notApplicable } from "../check.ts";

export const tablesDocumented: Check = {
  id: "tables-documented",
  title: "Every table says what it is for, and a pattern uses it",
  run(context) {
    const { tables } = context;
    if (tables.length === 0) return notApplicable("There are no tables yet.");
    const findings = new Findings();
    const users = new Map<Table, Set<string>>(tables.map((table) => [table, new Set()]));
    for (const pattern of context.served) {
      for (const request of context.plan(pattern).requests) {
        const used =
          request.kind === "read"
            ? [request.table]
            : request.actions.map(({ record }) => record.table);
        for (const table of used) users.get(table)?.add(pattern.id);
      }
    }
    for (const table of tables) {
      const { name, path, purpose } = table;
      const isDecided = context.design?.decisions.some(({ about }) => about === pathText(path));
      if (purpose === undefined && isDecided !== true) {
        findings.open(path, `What is table ${name} for? (purpose)`);
      }
      const ids = [...(users.get(table) ?? [])];
      if (ids.length > 0) findings.saw(`${name} serves ${listText(ids)}.`);
      else if (context.served.length > 0 && !isKeptByDesign(table)) {
        const idle = idleEntities(table);
        // The requirements do not use what the table holds: no design can change that.
        if (idle.length > 0) {
          findings.open(
            path,
            `What is table ${name} for? No pattern reads or writes ${listText(idle)}. (patterns)`,
          );
        } else findings.wrong(path, `No pattern reads or writes table ${name}.`);
      }
    }
    findings.saw(`${counted(tables.length, "table")} in all.`);
    return findings.outcome();

    /** The entities of a table, if no served pattern uses any of them. */
    function idleEntities({ name, placements }: Table): readonly string[] {
      const uniques = tables.flatMap(({ unique }) => unique.filter((one) => one.table === name));
      const held = new Set([...placements.keys(), ...uniques.map(({ entity }) => entity)]);
      const isUsed = context.served.some(({ actions, together, with: others }) =>
        [...actions, ...together, ...others].some(({ entity }) => held.has(entity)),
      );
      return isUsed ? [] : [...held];
    }

    /** Numbers that a stream or a schedule keeps are written by no pattern. */
    function isKeptByDesign({ placements }: Table): boolean {
      return tables.some(({ aggregates }) =>
        aggregates.some(({ into }) => placements.has(into.entity)),
      );
    }
  },
};
