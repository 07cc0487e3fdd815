import { own } from "../../base/record.ts";
import type { AttributeValue } from "../../item/attribute-value.ts";
import type { Index, Table } from "../../model/design.ts";
import type { Facts } from "../facts.ts";
import type { StoredRecord } from "../records/record.ts";
import type { ItemKind, StoredItem } from "../values/item-of.ts";

/** One item as a table view shows it. */
export interface CollectionRow {
  /** What it is for: `Order`, `Customer.email`. */
  readonly kind: string;
  readonly sort: string;
  readonly cells: readonly { readonly name: string; readonly value: string }[];
}

/** What lies under one partition key. */
export interface Collection {
  readonly key: string;
  readonly rows: readonly CollectionRow[];
  /** Items that are not shown. */
  readonly more: number;
}

const collectionsMax = 8;
const kindsMax = 16;
const rowsMax = 5;
const shownMax = 14;
const roundsMax = 4;
const roles: Readonly<Record<ItemKind, StoredRecord["role"]>> = {
  main: "item",
  split: "split",
  unique: "unique",
  latest: "latest",
};

interface Row extends CollectionRow {
  readonly order: readonly (AttributeValue | undefined)[];
}

/** Some item collections of a table or an index, with each kind of item; and how many kinds found no room. */
export function collectionsOf(
  facts: Facts,
  items: readonly StoredItem[],
  table: Table,
  index: Index | undefined,
): { readonly collections: readonly Collection[]; readonly hidden: number } {
  const { partition, sort } = index ?? {
    partition: [table.partition],
    sort: table.sort === undefined ? [] : [table.sort],
  };
  const keys = [...partition, ...sort].map(({ name }) => name);
  const collections = new Map<string, Row[]>();
  for (const { table: name, entity, kind, item } of items) {
    if (name !== table.name || keys.some((one) => own(item, one) === undefined)) continue;
    const record = facts.records.find(
      (one) =>
        one.table === table &&
        one.entity.name === entity &&
        one.role === roles[kind] &&
        Object.keys(item).every((attribute) =>
          one.attributes.some((made) => made.name === attribute),
        ),
    );
    const text = (some: typeof partition): string =>
      some.map((one) => valueText(own(item, one.name))).join(" · ");
    const shown = shownIn(record, index);
    const row: Row = {
      kind: record?.name ?? entity,
      sort: text(sort),
      order: sort.map((one) => own(item, one.name)),
      cells: Object.entries(item).flatMap(([attribute, value]) =>
        keys.includes(attribute) || !(shown?.has(attribute) ?? true)
          ? []
          : [{ name: attribute, value: valueText(value) }],
      ),
    };
    const key = text(partition);
    const known = collections.get(key);
    if (known === undefined) collections.set(key, [row]);
    else known.push(row);
  }
  const shown = chosen(collections).map(([key, rows]) => ({
    key,
    rows: shownRows(rows).map(({ order: _, ...row }) => row),
    more: Math.max(0, rows.length - rowsMax),
  }));
  const all = kindsOf([...collections.values()]);
  const seen = kindsOf(shown.map(({ rows }) => rows));
  return { collections: shown, hidden: all.size - seen.size };
}

function kindsOf(lists: readonly (readonly CollectionRow[])[]): ReadonlySet<string> {
  return new Set(lists.flatMap((rows) => rows.map(({ kind }) => kind)));
}

/** In the order of the sort key: the first of each kind, and others while there is room. */
function shownRows(rows: readonly Row[]): readonly Row[] {
  const sorted = rows.toSorted((a, b) => compare(a.order, b.order));
  const firsts = sorted.filter(
    ({ kind }, i) => sorted.findIndex((other) => other.kind === kind) === i,
  );
  const others = sorted.filter((row) => !firsts.includes(row));
  const shown = new Set([...firsts, ...others].slice(0, rowsMax));
  return sorted.filter((row) => shown.has(row));
}

/** What the entries of an index hold; nothing: all that the item has. */
function shownIn(
  record: StoredRecord | undefined,
  index: Index | undefined,
): ReadonlySet<string> | undefined {
  if (index === undefined || index.projection === "all") return undefined;
  const membership = record?.memberships.find((one) => one.index === index);
  return membership && new Set(membership.attributes.map(({ name }) => name));
}

type Entry = readonly [string, readonly Row[]];

/** First the fullest collection with kinds that were not seen, then more of each while there is room. */
function chosen(collections: ReadonlyMap<string, readonly Row[]>): readonly Entry[] {
  const left = new Map(collections);
  const picked: Entry[] = [];
  const rows = (): number =>
    picked.reduce((sum, [, own]) => sum + Math.min(own.length, rowsMax), 0);
  for (let round = 0; round < roundsMax; round += 1) {
    const seen = new Set<string>();
    // Every kind is shown once, as far as there are not very many; more of the same only where there is room.
    const isFull = (): boolean =>
      round === 0
        ? picked.length >= kindsMax
        : picked.length >= collectionsMax || rows() >= shownMax;
    while (!isFull()) {
      const next = best(left, seen);
      if (next === undefined) break;
      picked.push(next);
      left.delete(next[0]);
      for (const { kind } of next[1]) seen.add(kind);
    }
  }
  const kindOf = ([, rows]: Entry): string => rows[0]?.kind ?? "";
  // Alike stand together, in the order in which kinds come.
  const kinds = [...new Set(picked.map(kindOf))];
  return picked.toSorted((a, b) => kinds.indexOf(kindOf(a)) - kinds.indexOf(kindOf(b)));
}

function best(
  left: ReadonlyMap<string, readonly Row[]>,
  seen: ReadonlySet<string>,
): Entry | undefined {
  let found: Entry | undefined;
  let weight = 0;
  for (const entry of left) {
    const fresh = new Set(entry[1].map(({ kind }) => kind).filter((kind) => !seen.has(kind))).size;
    // Many kinds first, then many items, but no more than can be shown.
    const own = fresh === 0 ? 0 : fresh * 1_000 + Math.min(entry[1].length, rowsMax);
    if (own > weight) {
      found = entry;
      weight = own;
    }
  }
  return found;
}

/** In the order of the sort key: numbers as numbers, all else as texts. */
function compare(a: Row["order"], b: Row["order"]): number {
  for (const [i, one] of a.entries()) {
    const other = b[i];
    const numbers =
      one !== undefined && other !== undefined && "N" in one && "N" in other
        ? Number(one.N) - Number(other.N)
        : 0;
    if (numbers !== 0) return numbers;
    const [left, right] = [valueText(one), valueText(other)];
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}

/** A value in few words. */
function valueText(value: AttributeValue | undefined): string {
  if (value === undefined) return "";
  if ("S" in value) return value.S;
  if ("N" in value) return value.N;
  if ("B" in value) return value.B;
  if ("BOOL" in value) return String(value.BOOL);
  if ("NULL" in value) return "null";
  if ("L" in value) return `[${value.L.map(valueText).join(", ")}]`;
  if ("M" in value) {
    const parts = Object.entries(value.M).map(([name, one]) => `${name}: ${valueText(one)}`);
    return `{${parts.join(", ")}}`;
  }
  const list = "SS" in value ? value.SS : "NS" in value ? value.NS : value.BS;
  return `{${list.join(", ")}}`;
}
