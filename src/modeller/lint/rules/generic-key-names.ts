import type { Edit } from "../../../document/edit.ts";
import type { Index, Table } from "../../../model/design.ts";
import { componentsOf } from "../key-fit.ts";
import type { LintContext } from "../lint-context.ts";
import type { Fix, Rule } from "../rule.ts";
import { listText } from "../words.ts";

const genericKey =
  /^((gsi|lsi)[-_]?\d*[-_]?)?(pk|sk|hash|range|hash_?key|range_?key|partition_?key|sort_?key)\d*$/i;
const genericIndex = /^(gsi|lsi|index|idx)[-_]?\d*$/i;

export const genericKeyNames: Rule = {
  id: "generic-key-names",
  severity: "warning",
  title: "A key or an index has a name that does not say what it holds, without need.",
  topic: "natural-names",
  *check(context) {
    const isNatural = context.model.design?.style === "natural";
    const why = isNatural
      ? "The design says that its names are natural"
      : "Only one kind of item lies under it, so the name could say what it is";
    for (const table of context.tables) {
      const names = [table.partition, ...(table.sort ? [table.sort] : [])]
        .map(({ name }) => name)
        .filter((name) => genericKey.test(name));
      const kinds = new Set(
        context.keys.filter((key) => key.table === table && !key.index).map(({ what }) => what),
      );
      if (names.length > 0 && (isNatural || kinds.size === 1)) {
        yield {
          path: [...table.path, "key"],
          severity: isNatural ? "warning" : "hint",
          message: `${table.name} has keys that are called ${listText(names)}.`,
          evidence: `${why}; whoever reads an item has to know what ${names[0]} means here.`,
          cure: "Call keys by what they hold, such as customerId and orderId.",
        };
      }
      for (const index of table.indexes.values()) {
        const called = indexNames(index);
        if (called.length === 0 || !(isNatural || index.members.size === 1)) continue;
        yield {
          path: index.path,
          severity: isNatural ? "warning" : "hint",
          message: `${index.name} of ${table.name} has names that say nothing: ${listText(called)}.`,
          evidence: `${why}; ${index.members.size === 1 ? "it holds" : "it holds entries of"} ${listText([...index.members.keys()])}.`,
          cure: "Call an index by what it finds, such as OrdersByStatus, and its keys by what they hold.",
          fix: renaming(context, table, index),
        };
      }
    }
  },
};

function indexNames({ name, partition, sort }: Index): readonly string[] {
  return [
    ...(genericIndex.test(name) ? [name] : []),
    ...[...partition, ...sort].map((one) => one.name).filter((one) => genericKey.test(one)),
  ];
}

/** The name alone, and all that refers to it; what keys are called is in too many places. */
function renaming(context: LintContext, table: Table, index: Index): Fix | undefined {
  const { members, partition, sort } = index;
  const [only] = members.keys();
  const keys = context.keys.find((one) => one.index === index);
  const [by] = componentsOf(keys?.partition ?? []);
  const isAll = ![...partition, ...sort].some(({ name }) => genericKey.test(name));
  if (members.size !== 1 || only === undefined || by === undefined || !isAll) return undefined;
  const name = `${only}By${by.attribute.slice(0, 1).toUpperCase()}${by.attribute.slice(1)}`;
  if (table.indexes.has(name) || !/^[A-Za-z0-9_.-]{3,255}$/.test(name)) return undefined;
  const plans = [...(context.model.design?.plans.values() ?? [])].flatMap((steps) =>
    steps
      .filter((step) => step.table === table.name && step.index === index.name)
      .map((step): Edit => ({ kind: "set", path: [...step.path, "index"], value: name })),
  );
  return {
    what: `calls ${index.name} of ${table.name} ${name}`,
    edits: [...plans, { kind: "rename", path: index.path, name }],
  };
}
