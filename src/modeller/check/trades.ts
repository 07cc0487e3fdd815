import { counted } from "../lint/words.ts";
import type { CheckContext } from "./check-context.ts";

/** Something that a design has for the price of something else. */
export interface Trade {
  /** "2 copied attributes". */
  readonly what: string;
}

/** What in a design is a trade, as far as it shows. */
export function tradesOf(context: CheckContext): readonly Trade[] {
  const { entities, tables, served, facts } = context;
  const copies = entities.reduce(
    (sum, { attributes }) =>
      sum + [...attributes.values()].filter(({ copyOf }) => copyOf !== undefined).length,
    0,
  );
  const requests = served.flatMap((pattern) => context.plan(pattern).requests);
  const indexes = tables.reduce((sum, table) => sum + table.indexes.size, 0);
  const transactions = requests.filter(({ operation }) => operation === "TransactWriteItems");
  const gathers = requests.filter(
    (one) => one.kind === "read" && one.times.some(({ why }) => why === "shards"),
  );
  const splits = facts.records.filter(({ role }) => role === "split");
  const caches = tables.filter(({ dax }) => dax !== undefined);
  const kept = tables.flatMap(({ aggregates }) =>
    aggregates.filter(({ by }) => by !== "transaction"),
  );
  const counts: readonly (readonly [number, string, string?])[] = [
    [copies, "copied attribute"],
    [indexes, "index", "indexes"],
    [transactions.length, "transaction"],
    [gathers.length, "read over shards", "reads over shards"],
    [splits.length, "item apart", "items apart"],
    [caches.length, "cache"],
    [kept.length, "number that is behind", "numbers that are behind"],
  ];
  return counts
    .filter(([count]) => count > 0)
    .map(([count, one, many]) => ({ what: counted(count, one, many) }));
}
