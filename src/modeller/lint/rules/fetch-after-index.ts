import type { Index, Table } from "../../../model/design.ts";
import { moneyPrice } from "../bills.ts";
import { patternText, readsIn, runsText } from "../requests.ts";
import type { Rule } from "../rule.ts";
import { whatIf, withIndex } from "../what-if.ts";
import { counted, listText, numberText } from "../words.ts";

export const fetchAfterIndex: Rule = {
  id: "fetch-after-index",
  severity: "warning",
  title: "Items are fetched after their index entries are read, which costs more than to project.",
  topic: "projection",
  *check(context) {
    const reads = readsIn(context);
    const found = new Map<Index, { table: Table; names: Set<string>; fetches: typeof reads }>();
    for (const fetch of reads) {
      const { pattern, step, request } = fetch;
      const before = reads.find(
        (one) =>
          one.pattern === pattern && one.step < step && one.request.record === request.record,
      )?.request;
      if (before?.index === undefined || request.index !== undefined) continue;
      const { index, table } = before;
      const entry = request.record.memberships.find((one) => one.index === index);
      const held = new Set(
        (entry?.attributes ?? []).flatMap(({ content }) =>
          content.kind === "attribute" ? [content.attribute.name] : [],
        ),
      );
      const known = found.get(index) ?? { table, names: new Set(), fetches: [] };
      for (const name of request.returns) if (!held.has(name)) known.names.add(name);
      found.set(index, { ...known, fetches: [...known.fetches, fetch] });
    }
    for (const [index, { table, names, fetches }] of found) {
      const [first] = fetches;
      if (first === undefined || index.projection === "all") continue;
      const old = index.projection === "keys" ? [] : index.projection;
      const projection = [...new Set([...old, ...names])];
      const { saved } = whatIf(
        context,
        table,
        withIndex(context.model, table, { ...index, projection }),
      );
      const price = moneyPrice(saved, first.estimate.assumptions.length > 0);
      if (price === undefined) continue;
      const units = fetches.reduce((sum, { estimate }) => sum + estimate.read, 0);
      yield {
        path: [...index.path, "projection"],
        message: `Index ${index.name} of ${table.name} lacks ${listText([...names])}, so items are fetched from the table.`,
        evidence: `${listText(fetches.map(({ pattern }) => patternText(pattern)))} fetch ${counted(Math.round(first.request.expected.returned), "item")} each run, ${numberText(units)} read units; ${runsText(first.pattern)}. Projected, they cost less in writes and storage than that.`,
        price,
        cure: `Project ${listText([...names])} too, or return less.`,
        fix: {
          what: `projects ${listText([...names])} into ${index.name}`,
          edits: [{ kind: "set", path: [...index.path, "projection"], value: projection }],
        },
      };
    }
  },
};
