import { pageBytesMax } from "../api/limits.ts";
import { evaluate } from "../expressions/evaluate.ts";
import type { Condition } from "../expressions/tree.ts";
import type { Item } from "../item/attribute-value.ts";
import type { Bytes, Entry, KeyRange, Store } from "../storage/store.ts";
import type { IndexDescriptor, TableDescriptor } from "./descriptor.ts";
import { itemAddress, pageKeyOf } from "./keys.ts";
import { StoredItem } from "./stored-item.ts";

export interface PageRequest {
  readonly table: TableDescriptor;
  readonly index?: IndexDescriptor | undefined;
  readonly range: KeyRange;
  readonly reverse: boolean;
  /** How many items to evaluate at the most. */
  readonly limit?: number | undefined;
  readonly filter?: Condition | undefined;
  /** The entries are not enough: read each item from the table too (local indexes only). */
  readonly fetch: boolean;
}

export interface Page {
  /** Those that the filter let pass. */
  readonly items: readonly StoredItem[];
  /** How many were evaluated. */
  readonly scanned: number;
  /** The sum of their sizes, which is what a read costs. */
  readonly evaluatedBytes: number;
  /** The sizes of the items fetched from the table. */
  readonly fetchedBytes: readonly number[];
  /** The first that was evaluated. */
  readonly firstKey: Bytes | undefined;
  /** Where the next page starts, if this one ended before its range. */
  readonly lastKey: Item | undefined;
}

/** Evaluates items in key order until the limit, 1 MB, or the end of the range. */
export async function readPage(store: Store, request: PageRequest): Promise<Page> {
  const page = new PageReader(request);
  let { start, end } = request.range;
  while (Buffer.compare(start, end) < 0) {
    const scanned = store.scan(
      { start, end },
      { reverse: request.reverse, limit: page.room, bytesMax: pageBytesMax },
    );
    const chunk = scanned instanceof Promise ? await scanned : scanned;
    const fetched = request.fetch
      ? await fetchItems(store, request.table, chunk.entries)
      : undefined;
    if (page.take(chunk.entries, fetched) || !chunk.more) break;
    const last = (chunk.entries.at(-1) as Entry).key;
    if (request.reverse) end = last;
    else start = afterKey(last);
  }
  return page.finish();
}

class PageReader {
  readonly #request: PageRequest;
  readonly #items: StoredItem[] = [];
  readonly #fetchedBytes: number[] = [];
  #scanned = 0;
  #bytes = 0;
  #first: Bytes | undefined;
  #last: StoredItem | undefined;
  #full = false;

  constructor(request: PageRequest) {
    this.#request = request;
  }

  get room(): number {
    return (this.#request.limit ?? Number.MAX_SAFE_INTEGER) - this.#scanned;
  }

  /** True when the page is full. */
  take(
    entries: readonly Entry[],
    fetched: readonly (StoredItem | undefined)[] | undefined,
  ): boolean {
    const { filter } = this.#request;
    this.#first ??= entries[0]?.key;
    for (let i = 0; i < entries.length; i += 1) {
      const entry = StoredItem.read((entries[i] as Entry).value);
      this.#scanned += 1;
      this.#bytes += entry.size;
      this.#last = entry;
      let item = entry;
      if (fetched !== undefined) {
        const base = fetched[i];
        if (base !== undefined) {
          this.#fetchedBytes.push(base.size);
          item = base;
        }
      }
      if (filter === undefined || evaluate(filter, item.item)) this.#items.push(item);
      if (this.room <= 0 || this.#bytes >= pageBytesMax) {
        this.#full = true;
        return true;
      }
    }
    return false;
  }

  finish(): Page {
    const { table, index } = this.#request;
    return {
      items: this.#items,
      scanned: this.#scanned,
      evaluatedBytes: this.#bytes,
      fetchedBytes: this.#fetchedBytes,
      firstKey: this.#first,
      lastKey:
        this.#full && this.#last !== undefined
          ? pageKeyOf(table, index, this.#last.item)
          : undefined,
    };
  }
}

async function fetchItems(
  store: Store,
  table: TableDescriptor,
  entries: readonly Entry[],
): Promise<(StoredItem | undefined)[]> {
  const keys = entries.map(({ value }) => itemAddress(table, StoredItem.read(value).item).key);
  const values = await store.get(keys);
  return values.map((value) => (value === undefined ? undefined : StoredItem.read(value)));
}

export function afterKey(key: Bytes): Bytes {
  const next = Buffer.allocUnsafe(key.length + 1);
  next.set(key, 0);
  next[key.length] = 0;
  return next;
}
