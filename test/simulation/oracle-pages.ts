import { begins, compares, holds, projected } from "./meaning.ts";
import type { Oracle, OracleTable } from "./oracle.ts";
import { entryOf } from "./oracle-entries.ts";
import { UnitSums } from "./oracle-units.ts";
import {
  type IndexSpec,
  type KeyPart,
  keyNames,
  type QueryStep,
  type RangeCondition,
  type Read,
  type ScanStep,
} from "./steps.ts";
import { canonical, compareScalars, type Item, sizeOfItem, stable, type Value } from "./values.ts";

/** An item as the table or index that is read holds it, and as the table does. */
export interface Row {
  readonly held: Item;
  readonly item: Item;
}

/** What is read: a table or one of its indexes, with what it holds. */
export interface Source {
  readonly table: OracleTable;
  readonly index: IndexSpec | undefined;
  readonly hash: readonly KeyPart[];
  readonly range: readonly KeyPart[];
  readonly rows: readonly Row[];
}

const pageBytes = 1024 * 1024;

/** The error of a read that cannot be made, or what it reads. */
export function sourceOf(oracle: Oracle, step: Read): Source | string {
  const table = oracle.tables.get(step.table);
  if (table === undefined) return "ResourceNotFoundException";
  const items = [...table.items.values()];
  if (step.index === undefined) {
    const { hash, range } = table.spec;
    return {
      table,
      index: undefined,
      hash,
      range,
      rows: items.map((item) => ({ held: item, item })),
    };
  }
  const index = table.indexes.find(({ name }) => name === step.index);
  if (index === undefined) return "ValidationException";
  if (index.kind === "global") {
    if (step.consistent || asksForMore(table, index, step)) return "ValidationException";
  }
  const rows = items.flatMap((item) => {
    const held = entryOf(table, index, item);
    return held === undefined ? [] : [{ held, item }];
  });
  return { table, index, hash: index.hash, range: index.range, rows };
}

/** More than the index holds: it has to be read from the table, item by item. */
function asksForMore({ spec }: OracleTable, index: IndexSpec, step: Read): boolean {
  if (index.holds === undefined) return false;
  if (step.select === "ALL_ATTRIBUTES") return true;
  const held = new Set([...keyNames(spec), ...keyNames(index), ...index.holds]);
  return step.projection?.some(([name]) => !held.has(name)) ?? false;
}

/** The rows that a key condition selects, in order; rows with equal keys in any order. */
export function selected(source: Source, step: QueryStep): Row[] {
  const matches = ({ held }: Row): boolean => {
    const at = (parts: readonly KeyPart[], i: number) => held[(parts[i] as KeyPart)[0]] as Value;
    const same = (parts: readonly KeyPart[]) => (value: Value, i: number) =>
      compareScalars(at(parts, i), canonical(value)) === 0;
    if (!step.hash.every(same(source.hash)) || !step.equal.every(same(source.range))) return false;
    return step.last === undefined || inRange(at(source.range, step.equal.length), step.last);
  };
  const rows = source.rows.filter(matches).sort((a, b) => compareRows(source, a.held, b.held));
  return step.reverse ? rows.reverse() : rows;
}

function inRange(value: Value, condition: RangeCondition): boolean {
  if (condition.op === "begins") return begins(value, condition.value);
  if (condition.op !== "between") return compares(value, condition.op, canonical(condition.value));
  return (
    compares(value, ">=", canonical(condition.value)) &&
    compares(value, "<=", canonical(condition.high))
  );
}

/** By the sort key alone. */
export function compareRows({ range }: Source, a: Item, b: Item): number {
  for (const [name] of range) {
    const order = compareScalars(
      canonical(a[name] as Value),
      canonical(b[name] as Value),
    ) as number;
    if (order !== 0) return order;
  }
  return 0;
}

/** The keys of the table and of the index: what a page ends on. */
export function pageKey({ table, index }: Source, held: Item): Item {
  const names = [...keyNames(table.spec), ...(index === undefined ? [] : keyNames(index))];
  return Object.fromEntries(names.map((name) => [name, held[name] as Value]));
}

export const identity = (source: Source, held: Item): string => stable(pageKey(source, held));

export interface ExpectedPage {
  readonly answer: Record<string, unknown>;
  /** How many rows it evaluated. */
  readonly rows: number;
}

/** The next page of rows that are in order. */
export function expectedPage(
  source: Source,
  step: QueryStep | ScanStep,
  rows: readonly Row[],
): ExpectedPage {
  let bytes = 0;
  let count = 0;
  let full = false;
  while (!full && count < rows.length) {
    bytes += sizeOfItem((rows[count] as Row).held);
    count += 1;
    full = count === step.limit || bytes >= pageBytes;
  }
  const evaluated = rows.slice(0, count);
  const { table, index } = source;
  const fetches = index !== undefined && asksForMore(table, index, step);
  const view = ({ held, item }: Row) => (fetches ? item : held);
  const passed = evaluated.map(view).filter((item) => !step.filter || holds(step.filter, item));
  const units = new UnitSums(step.table);
  const consistent = step.consistent ?? false;
  if (index === undefined) units.readBytes(bytes, consistent);
  else units.readIndex(index.kind, index.name, bytes, consistent);
  if (fetches) for (const { item } of evaluated) units.read(item, consistent);
  const { projection } = step;
  const answer = {
    Count: passed.length,
    ScannedCount: count,
    ConsumedCapacity: units.report(),
    ...(step.select !== "COUNT" && {
      Items: projection ? passed.map((item) => projected(item, projection)) : passed,
    }),
    ...(full && { LastEvaluatedKey: pageKey(source, (evaluated.at(-1) as Row).held) }),
  };
  return { answer, rows: count };
}
