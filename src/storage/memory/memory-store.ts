import { unreachable } from "../../base/assert.ts";
import { assertWrite } from "../bytes.ts";
import { StoreClosedError } from "../errors.ts";
import { logKey } from "../log-keys.ts";
import { PageBuilder } from "../page-builder.ts";
import type {
  Bytes,
  Decision,
  KeyRange,
  ScanOptions,
  ScanPage,
  Store,
  Totals,
  Write,
} from "../store.ts";
import { OrderedTree } from "./ordered-tree.ts";

const clearChunkKeys = 1_000;

export interface ForkableStore extends Store {
  /** Another store with the same content, in O(1): neither sees what is written to the other from now on. */
  fork(): ForkableStore;
}

/** A store that lives and dies with the process. */
export function openMemoryStore(): ForkableStore {
  return new MemoryStore();
}

class MemoryStore implements ForkableStore {
  readonly #tree: OrderedTree;
  readonly #totals: Map<string, { count: number; bytes: number }>;
  #nextNumber: number;
  #closed = false;

  constructor(from?: MemoryStore) {
    this.#tree = from === undefined ? new OrderedTree() : from.#tree.snapshot();
    const totals = from === undefined ? [] : [...from.#totals];
    this.#totals = new Map(totals.map(([name, sums]) => [name, { ...sums }]));
    this.#nextNumber = from === undefined ? 1 : from.#nextNumber;
  }

  fork(): ForkableStore {
    this.#assertOpen();
    return new MemoryStore(this);
  }

  get(keys: readonly Bytes[]): readonly (Bytes | undefined)[] {
    this.#assertOpen();
    return this.#read(keys);
  }

  scan(range: KeyRange, options: ScanOptions): ScanPage {
    this.#assertOpen();
    const builder = new PageBuilder(options);
    const offer = (key: Bytes, value: Bytes) => builder.offer(key, value);
    if (options.reverse) this.#tree.descend(range.start, range.end, offer);
    else this.#tree.ascend(range.start, range.end, offer);
    return builder.page();
  }

  // Reading, deciding and writing happen in one turn of the event loop: nothing can come in between.
  async commit<T>(
    readKeys: readonly Bytes[],
    decide: (values: readonly (Bytes | undefined)[]) => Decision<T>,
  ): Promise<T> {
    this.#assertOpen();
    const { writes, result } = decide(this.#read(readKeys));
    for (const write of writes) assertWrite(write);
    for (const write of writes) this.#apply(write);
    return result;
  }

  totals(counter: Bytes): Totals {
    this.#assertOpen();
    const sums = this.#totals.get(counterName(counter));
    return { count: sums?.count ?? 0, bytes: sums?.bytes ?? 0 };
  }

  async dropTotals(counter: Bytes): Promise<void> {
    this.#assertOpen();
    this.#totals.delete(counterName(counter));
  }

  async clear(range: KeyRange): Promise<void> {
    let more = true;
    while (more) {
      this.#assertOpen();
      const keys: Bytes[] = [];
      this.#tree.ascend(range.start, range.end, (key) => keys.push(key) < clearChunkKeys);
      for (const key of keys) this.#tree.delete(key);
      more = keys.length === clearChunkKeys;
      if (more) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  horizon(): number {
    this.#assertOpen();
    return this.#nextNumber;
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  #assertOpen(): void {
    if (this.#closed) throw new StoreClosedError();
  }

  #read(keys: readonly Bytes[]): (Bytes | undefined)[] {
    const values = new Array<Bytes | undefined>(keys.length);
    for (let i = 0; i < keys.length; i++) values[i] = this.#tree.get(keys[i] as Bytes);
    return values;
  }

  #apply(write: Write): void {
    switch (write.kind) {
      case "put":
        this.#tree.put(unpinned(write.key), unpinned(write.value));
        return;
      case "delete":
        this.#tree.delete(write.key);
        return;
      case "add": {
        const name = counterName(write.counter);
        const sums = this.#totals.get(name);
        if (sums === undefined) {
          this.#totals.set(name, { count: write.count, bytes: write.bytes });
        } else {
          sums.count += write.count;
          sums.bytes += write.bytes;
        }
        return;
      }
      case "append":
        this.#tree.put(logKey(write.log, this.#nextNumber), unpinned(write.value));
        this.#nextNumber += 1;
        return;
      default:
        unreachable(write);
    }
  }
}

function counterName(counter: Bytes): string {
  return Buffer.from(counter.buffer, counter.byteOffset, counter.byteLength).toString("latin1");
}

/** A short view of a long buffer would keep all of that alive for as long as it is stored. */
function unpinned(bytes: Bytes): Bytes {
  const spare = bytes.buffer.byteLength - bytes.byteLength;
  // Node hands small buffers out of pools of 8 KiB; those are shared with other stored bytes.
  return spare > Buffer.poolSize && spare > bytes.byteLength ? bytes.slice() : bytes;
}
