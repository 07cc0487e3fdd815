import { type AttributeValue, attribute, type Item, typeOf } from "../item/attribute-value.ts";
import { itemsEqual } from "../item/compare.ts";
import { itemSize } from "../item/size.ts";
import type { Bytes, Entry, KeyRange, Store } from "../storage/store.ts";
import { Catalog } from "./catalog.ts";
import { hasLocalIndex, type IndexDescriptor, type TableDescriptor } from "./descriptor.ts";
import { type IndexEntry, indexEntry } from "./index-entries.ts";
import { collectionBytes } from "./item-collections.ts";
import { itemAddress } from "./keys.ts";
import { collectionRange, counterName, dataRange, hashOfDataKey } from "./layout.ts";
import { afterKey } from "./read.ts";
import { StoredItem } from "./stored-item.ts";
import { verifyHistories } from "./verify-history.ts";
import { QueueCheck } from "./verify-queue.ts";
import { verifyStreams } from "./verify-streams.ts";

export interface VerifyReport {
  readonly tables: number;
  readonly items: number;
  /** Of all streams, also of those of tables that are gone. */
  readonly records: number;
  /** A sentence for each thing found wrong. */
  readonly problems: readonly string[];
}

const chunk = { limit: 1_000, bytesMax: 4 * 1024 * 1024 };
const problemsMax = 1_000;

/** Compares everything that is stored twice, and everything that can be computed, with what is stored. */
export async function verify(store: Store): Promise<VerifyReport> {
  const check = new Check(store);
  const tables = await new Catalog(store).all();
  const queues = await QueueCheck.begin(store, (text) => check.problem(text));
  for (const table of tables) await check.table(table, queues);
  await queues.others(tables);
  await verifyHistories(
    {
      store,
      problem: (text) => check.problem(text),
      chunks: (range, where) => check.chunks(range, where),
    },
    tables,
  );
  const records = await verifyStreams(store, tables, (text) => check.problem(text));
  return { tables: tables.length, items: check.items, records, problems: check.problems };
}

interface Sum {
  count: number;
  bytes: number;
}

class Check {
  readonly problems: string[] = [];
  items = 0;
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async table(table: TableDescriptor, queues: QueueCheck): Promise<void> {
    const sum: Sum = { count: 0, bytes: 0 };
    const expected = new Map<number, Sum>();
    for (const index of table.indexes) expected.set(index.id, { count: 0, bytes: 0 });
    const collections = new Map<string, number>();
    for await (const entries of this.chunks(dataRange(table.id), table.name)) {
      const items = entries.map((entry) => ({ entry, item: this.#read(table.name, entry) }));
      for (const { entry, item } of items) {
        if (item === undefined) continue;
        sum.count += 1;
        sum.bytes += item.size;
        this.#checkAddress(table, entry.key, item.item);
        if (hasLocalIndex(table)) {
          addTo(collections, hashOfDataKey(entry.key), item.size);
        }
      }
      for (const index of table.indexes) {
        await this.#checkEntriesOf(table, index, items, expected.get(index.id) as Sum, collections);
      }
      await queues.items(table, items);
    }
    this.items += sum.count;
    await this.#checkTotals(table.name, table.id, sum);
    for (const index of table.indexes) {
      await this.#checkIndex(table, index, expected.get(index.id) as Sum);
    }
    await this.#checkCollections(table, collections);
    await queues.queue(table, (range, where) => this.chunks(range, where));
  }

  problem(text: string): void {
    if (this.problems.length < problemsMax) this.problems.push(text);
  }

  /** An item as stored, if it can be read; its recorded size must be its size. */
  #read(where: string, { key, value }: Entry): StoredItem | undefined {
    try {
      const stored = StoredItem.read(value);
      const size = itemSize(stored.item);
      if (size !== stored.size) {
        this.problem(
          `${where}: the item at ${hex(key)} is ${size} bytes, but ${stored.size} are recorded.`,
        );
      }
      return stored;
    } catch (error) {
      this.problem(`${where}: the item at ${hex(key)} cannot be read: ${String(error)}.`);
      return undefined;
    }
  }

  #checkAddress(table: TableDescriptor, key: Bytes, item: Item): void {
    for (const { name, type } of [...table.key.hash, ...table.key.range]) {
      const value: AttributeValue | undefined = attribute(item, name);
      if (value === undefined || typeOf(value) !== type) {
        this.problem(
          `${table.name}: the item at ${hex(key)} has no key attribute ${name} of type ${type}.`,
        );
        return;
      }
    }
    if (Buffer.compare(itemAddress(table, item).key, key) !== 0) {
      this.problem(`${table.name}: the item at ${hex(key)} belongs elsewhere.`);
    }
  }

  /** The entries that items should have in an index. */
  async #checkEntriesOf(
    table: TableDescriptor,
    index: IndexDescriptor,
    items: readonly { readonly entry: Entry; readonly item: StoredItem | undefined }[],
    sum: Sum,
    collections: Map<string, number>,
  ): Promise<void> {
    const wanted: { readonly base: Bytes; readonly entry: IndexEntry }[] = [];
    for (const { entry, item } of items) {
      const made = item === undefined ? undefined : indexEntry(table, index, item.item);
      if (made !== undefined) wanted.push({ base: entry.key, entry: made });
    }
    const found = await this.#store.get(wanted.map(({ entry }) => entry.key));
    wanted.forEach(({ base, entry }, i) => {
      const bytes = found[i];
      if (bytes === undefined) {
        if (index.ready) {
          this.problem(
            `${table.name}: the item at ${hex(base)} is missing in index ${index.name}.`,
          );
        }
        return;
      }
      sum.count += 1;
      sum.bytes += entry.size;
      if (index.kind === "local") addTo(collections, hashOfDataKey(entry.key), entry.size);
      if (!itemsEqual(StoredItem.read(bytes).item, entry.item)) {
        this.problem(`${table.name}: index ${index.name} differs from the item at ${hex(base)}.`);
      }
    });
  }

  /** An index holds what its items account for and nothing else. */
  async #checkIndex(table: TableDescriptor, index: IndexDescriptor, expected: Sum): Promise<void> {
    const where = `${table.name} index ${index.name}`;
    const sum: Sum = { count: 0, bytes: 0 };
    for await (const entries of this.chunks(dataRange(index.id), where)) {
      for (const entry of entries) {
        const stored = this.#read(where, entry);
        if (stored === undefined) continue;
        sum.count += 1;
        sum.bytes += stored.size;
      }
    }
    if (sum.count !== expected.count) {
      this.problem(`${where}: ${sum.count} entries, but ${expected.count} items belong there.`);
    }
    await this.#checkTotals(where, index.id, sum);
  }

  async #checkTotals(where: string, id: number, sum: Sum): Promise<void> {
    const { count, bytes } = await this.#store.totals(counterName(id));
    if (count !== sum.count || bytes !== sum.bytes) {
      this.problem(
        `${where}: ${sum.count} items of ${sum.bytes} bytes, but ${count} of ${bytes} bytes are counted.`,
      );
    }
  }

  async #checkCollections(table: TableDescriptor, expected: Map<string, number>): Promise<void> {
    const left = new Map(expected);
    for await (const rows of this.chunks(collectionRange(table.id), table.name)) {
      for (const { key, value } of rows) {
        const name = hex(hashOfDataKey(key));
        const bytes = collectionBytes(value);
        if (bytes !== (left.get(name) ?? 0)) {
          this.problem(
            `${table.name}: the item collection ${name} is ${left.get(name) ?? 0} bytes, but ${bytes} are recorded.`,
          );
        }
        left.delete(name);
      }
    }
    for (const [name, bytes] of left) {
      if (bytes > 0)
        this.problem(`${table.name}: the size of item collection ${name} is not recorded.`);
    }
  }

  /** A range in chunks; its keys must rise. */
  async *chunks(range: KeyRange, where: string): AsyncGenerator<readonly Entry[]> {
    let { start } = range;
    for (;;) {
      const page = await this.#store.scan({ start, end: range.end }, chunk);
      let last: Bytes | undefined;
      for (const { key } of page.entries) {
        if (last !== undefined && Buffer.compare(last, key) >= 0) {
          this.problem(`${where}: the keys ${hex(last)} and ${hex(key)} are out of order.`);
        }
        last = key;
      }
      if (page.entries.length > 0) yield page.entries;
      this.#store.stepDone?.();
      if (!page.more || last === undefined) return;
      start = afterKey(last);
    }
  }
}

function addTo(sums: Map<string, number>, hash: Bytes, bytes: number): void {
  const name = hex(hash);
  sums.set(name, (sums.get(name) ?? 0) + bytes);
}

function hex(bytes: Bytes): string {
  return Buffer.from(bytes).toString("hex");
}
