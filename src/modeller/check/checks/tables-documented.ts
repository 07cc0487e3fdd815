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
        const idle = idleParts(table);
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

    /** What a table holds, if the requirements do not use any of it: entities, or attributes that it keeps unique. */
    function idleParts({ name, placements }: Table): readonly string[] {
      const held = [...placements.keys()];
      const unique = tables.flatMap((table) => table.unique.filter((one) => one.table === name));
      const isUsed =
        context.served.some(({ actions, together, with: others }) =>
          [...actions, ...together, ...others].some(({ entity }) => held.includes(entity)),
        ) || unique.some(({ entity, attribute }) => isClaimed(entity, attribute));
      return isUsed
        ? []
        : [...held, ...unique.map(({ entity, attribute }) => `${entity}.${attribute}`)];
    }

    /** Values are claimed and released by those who make, change or delete what has them. */
    function isClaimed(entity: string, attribute: string): boolean {
      return context.served.some(
        ({ actions, with: others }) =>
          others.some((one) => one.entity === entity) ||
          actions.some(
            (one) =>
              one.entity === entity &&
              (one.kind === "create" ||
                one.kind === "delete" ||
                one.removes.includes(attribute) ||
                [...one.changes, ...one.adds].some((change) => change.attribute === attribute)),
          ),
      );
    }

    /** Numbers that a stream or a schedule keeps are written by no pattern. */
    function isKeptByDesign({ placements }: Table): boolean {
      return tables.some(({ aggregates }) =>
        aggregates.some(({ into }) => placements.has(into.entity)),
      );
    }
  },
};
