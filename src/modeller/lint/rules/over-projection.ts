import type { Index, Table } from "../../../model/design.ts";
import { attributeName } from "../../plans/index-contents.ts";
import { indexDollars, isWorthIt, moneyPrice } from "../bills.ts";
import type { LintContext } from "../lint-context.ts";
import { readsIn } from "../requests.ts";
import type { Rule } from "../rule.ts";
import { changedBy } from "../traffic.ts";
import { whatIf, withIndex } from "../what-if.ts";
import { bytesText, listText } from "../words.ts";

export const overProjection: Rule = {
  id: "over-projection",
  severity: "warning",
  title: "An index holds attributes that nobody reads there.",
  topic: "projection",
  *check(context) {
    for (const table of context.tables) {
      for (const index of table.indexes.values()) {
        const surplus = surplusOf(context, table, index);
        if (surplus === undefined) continue;
        const { names, projection } = surplus;
        // Worked out in full only where it can matter.
        if (!isWorthIt(atMost(context, table, index, names), context.design)) continue;
        const model = withIndex(context.model, table, { ...index, projection });
        const { saved, after } = whatIf(context, table, model);
        if (!isWorthIt(saved, context.design)) continue;
        const [now, then] = [context, after].map(({ facts }) =>
          entryBytes(facts, index.name, table.name),
        );
        yield {
          path: [...index.path, "projection"],
          message: `Index ${index.name} of ${table.name} holds ${listText(names)}, which nobody reads there.`,
          evidence: `An entry has ${bytesText(now ?? 0)} on average instead of ${bytesText(then ?? 0)}, in storage, in reads and in every write of it.`,
          price: moneyPrice(saved, false),
          cure: `Project ${projection === "keys" ? "the keys only" : `only ${listText(projection)}`}.`,
          fix: {
            what: `takes ${listText(names)} out of ${index.name}`,
            edits: [{ kind: "set", path: [...index.path, "projection"], value: projection }],
          },
        };
      }
    }
  },
};

/** What is in an index besides its keys and is never asked for, and what to project instead. */
function surplusOf(
  context: LintContext,
  table: Table,
  index: Index,
):
  | { readonly names: readonly string[]; readonly projection: readonly string[] | "keys" }
  | undefined {
  if (index.projection === "keys") return undefined;
  const reads = readsIn(context).filter(({ request }) => request.index === index);
  if (reads.length === 0) return undefined;
  const needed = new Set(
    reads.flatMap(({ request }) => [
      ...request.returns,
      ...request.filter.map(({ attribute }) => attribute),
    ]),
  );
  const keys = new Set<string>();
  const held = new Set<string>();
  for (const record of context.facts.records) {
    if (record.table !== table || record.role !== "item") continue;
    const entry = record.memberships.find((one) => one.index === index);
    const made = [...(entry?.partition ?? []), ...(entry?.sort ?? []), ...record.key];
    for (const { text } of made) if (text.native !== undefined) keys.add(text.native);
    for (const one of entry?.attributes ?? []) {
      if (one.content.kind === "attribute") for (const name of attributeName(one)) held.add(name);
    }
  }
  const own = [...held].filter((name) => !keys.has(name));
  const names = own.filter((name) => !needed.has(name));
  if (names.length === 0) return undefined;
  const rest = own.filter((name) => needed.has(name));
  return { names, projection: rest.length === 0 ? "keys" : rest };
}

/** Of all kinds of entries, by how many there are. */
function entryBytes(facts: LintContext["facts"], index: string, table: string): number {
  let [bytes, entries] = [0, 0];
  for (const record of facts.records) {
    if (record.table.name !== table) continue;
    const entry = record.memberships.find((one) => one.index.name === index);
    if (entry === undefined) continue;
    const count = (facts.count(record)?.value ?? 0) * facts.shareIn(record.entity, entry).value;
    bytes += count * (facts.sizes.entry(record, entry)?.mean ?? 0);
    entries += count;
  }
  return entries === 0 ? 0 : bytes / entries;
}

/** More than the saving can be: bytes by their share, and writes where they get fewer or an entry gets smaller. */
function atMost(
  context: LintContext,
  table: Table,
  index: Index,
  names: readonly string[],
): number {
  const { facts, design } = context;
  let [bytes, units] = [1, 1];
  for (const record of facts.records) {
    const entry = record.memberships.find((one) => one.index === index);
    const now = entry && facts.sizes.entry(record, entry);
    if (entry === undefined || now === undefined) continue;
    const attributes = entry.attributes.filter(
      (one) => !attributeName(one).some((name) => names.includes(name)),
    );
    const then = facts.sizes.entry(record, { ...entry, attributes });
    bytes = Math.min(bytes, (then?.mean ?? 0) / Math.max(1, now.mean));
    units = Math.min(units, (then?.expectedUnits(1_024) ?? 0) / now.expectedUnits(1_024));
  }
  const isChanged = [...index.members.keys()].some((entity) =>
    context
      .writesOf(entity)
      .some(({ action }) => changedBy(action).some((one) => names.includes(one))),
  );
  return (
    indexDollars(design, table, index, ["storage", "reads"]) * (1 - bytes) +
    indexDollars(design, table, index, ["writes", "replicated writes"]) *
      (isChanged ? 1 : 1 - units)
  );
}
