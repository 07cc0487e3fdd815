import { randomUUID } from "node:crypto";
import { assert } from "../base/assert.ts";
import type { MaybePromise } from "../base/maybe-promise.ts";
import type { Bytes, Store, Write } from "../storage/store.ts";
import { type TableDescriptor, tableStatus } from "./descriptor.ts";
import { Followers } from "./followers.ts";
import { catalogKey, catalogRange, metaKey, versionKey, wholeCatalog } from "./layout.ts";

const listChunk = 1_000;
const nextIdKey = metaKey("next-id");

/** What a change of the catalogue decides: the new descriptor, or nothing to remove the table. */
export interface CatalogChange<T> {
  readonly table: TableDescriptor | undefined;
  readonly writes?: readonly Write[];
  readonly result: T;
}

/** The name belongs to another table than before. */
class OtherTableError extends Error {}

/** The tables: their descriptors in the store, and a copy of each that was asked for. */
export class Catalog {
  readonly #store: Store;
  readonly #cache = new Map<string, TableDescriptor>();
  /** How often something was changed, here or by another process: what was read before is not kept. */
  #changes = 0;
  readonly #changed: ((table: TableDescriptor) => void) | undefined;
  readonly #followers: Followers;

  /** `changed` is told of every table that this process has changed. */
  constructor(
    store: Store,
    changed?: (table: TableDescriptor) => void,
    followers: Followers = new Followers(),
  ) {
    this.#store = store;
    this.#changed = changed;
    this.#followers = followers;
  }

  /**
   * Forgets tables that another process changes. Writes check versions and need no telling; a read may
   * see the table as it was until the word has arrived. `changed` is told too, without a table when some
   * may have been missed.
   */
  async watch(changed?: (namespace?: string, name?: string) => void): Promise<void> {
    await this.#store.watch?.(wholeCatalog, (key) => {
      this.#changes += 1;
      if (key === undefined) {
        this.#cache.clear();
        changed?.();
      } else {
        const cached = view(key).toString("utf8", 1);
        this.#cache.delete(cached);
        changed?.(...cached.split("\0"));
      }
      this.#followers.changed(undefined);
    });
  }

  /** The table by name, as this process last saw it. */
  find(namespace: string, name: string): MaybePromise<TableDescriptor | undefined> {
    return this.#cache.get(cacheKey(namespace, name)) ?? this.reload(namespace, name);
  }

  async reload(namespace: string, name: string): Promise<TableDescriptor | undefined> {
    const changes = this.#changes;
    const [bytes] = await this.#store.get([catalogKey(namespace, name)]);
    const table = bytes === undefined ? undefined : parse(bytes);
    // A change that became known meanwhile may be later than this answer, which is then used only once.
    return changes === this.#changes ? this.#remember(namespace, name, table) : table;
  }

  /** Names in order, from after `startAfter`. */
  async names(namespace: string, startAfter: string | undefined, limit: number): Promise<string[]> {
    const range = catalogRange(namespace);
    const start = startAfter === undefined ? range.start : after(catalogKey(namespace, startAfter));
    if (Buffer.compare(start, range.end) >= 0) return [];
    const page = await this.#store.scan(
      { start, end: range.end },
      { limit, bytesMax: Number.MAX_SAFE_INTEGER },
    );
    return page.entries.map((entry) => parse(entry.value).name);
  }

  async all(): Promise<TableDescriptor[]> {
    const tables: TableDescriptor[] = [];
    let { start } = wholeCatalog;
    for (;;) {
      const page = await this.#store.scan(
        { start, end: wholeCatalog.end },
        { limit: listChunk, bytesMax: Number.MAX_SAFE_INTEGER },
      );
      for (const entry of page.entries) tables.push(parse(entry.value));
      const last = page.entries.at(-1);
      if (!page.more || last === undefined) return tables;
      start = after(last.key);
    }
  }

  /** So many ids that no table, index or job ever had. Returns the first. */
  takeIds(count: number): Promise<number> {
    return this.#store.commit([nextIdKey], ([bytes]) => {
      const first = bytes === undefined ? 1 : view(bytes).readUInt32BE(0);
      const next = Buffer.allocUnsafe(4);
      next.writeUInt32BE(first + count, 0);
      return { writes: [{ kind: "put", key: nextIdKey, value: next }], result: first };
    });
  }

  /**
   * Reads the descriptor and replaces it in one commit. `decide` may be called again; it throws to
   * refuse, and answers the descriptor it was given to leave it as it is.
   */
  async change<T>(
    namespace: string,
    name: string,
    decide: (table: TableDescriptor | undefined) => CatalogChange<T>,
  ): Promise<T> {
    for (;;) {
      try {
        return await this.#changeOnce(namespace, name, decide);
      } catch (error) {
        if (!(error instanceof OtherTableError)) throw error;
      }
    }
  }

  /**
   * The table's version is among what is read, so that the store has an order of this and of every write
   * to the table: entries of logs are numbered by it. So the table must be known beforehand.
   */
  async #changeOnce<T>(
    namespace: string,
    name: string,
    decide: (table: TableDescriptor | undefined) => CatalogChange<T>,
  ): Promise<T> {
    const key = catalogKey(namespace, name);
    const known = (await this.find(namespace, name))?.id;
    const changes = this.#changes;
    let changed: TableDescriptor | undefined;
    try {
      const result = await this.#store.commit(
        known === undefined ? [key] : [key, versionKey(known)],
        ([bytes]) => {
          const before = bytes === undefined ? undefined : parse(bytes);
          if (before !== undefined && before.id !== known) throw new OtherTableError();
          const change = decide(before);
          changed = change.table;
          return {
            result: change.result,
            writes: [
              ...(change.table === before ? [] : descriptorWrites(key, before, change.table)),
              ...(change.writes ?? []),
            ],
          };
        },
      );
      this.#remember(namespace, name, changes === this.#changes ? changed : undefined);
      if (changed !== undefined) this.#changed?.(changed);
      return result;
    } catch (error) {
      // If only the answer was lost, the table is no longer what it was.
      this.#remember(namespace, name, undefined);
      throw error;
    } finally {
      this.#changes += 1;
      this.#followers.changed({ namespace, name });
    }
  }

  #remember(
    namespace: string,
    name: string,
    table: TableDescriptor | undefined,
  ): TableDescriptor | undefined {
    const key = cacheKey(namespace, name);
    if (table === undefined) {
      this.#cache.delete(key);
      return undefined;
    }
    const known = this.#cache.get(key);
    // Two answers may arrive out of order: the newer version stays.
    if (known !== undefined && known.id === table.id && known.version > table.version) return known;
    this.#cache.set(key, table);
    return table;
  }
}

function descriptorWrites(
  key: Bytes,
  before: TableDescriptor | undefined,
  after_: TableDescriptor | undefined,
): Write[] {
  const writes: Write[] = [];
  if (before !== undefined && before.id !== after_?.id) {
    writes.push({ kind: "delete", key: versionKey(before.id) });
  }
  if (after_ === undefined) {
    writes.push({ kind: "delete", key });
    return writes;
  }
  assert(
    before === undefined || before.id !== after_.id || before.version < after_.version,
    "a changed descriptor has a higher version",
  );
  writes.push({ kind: "put", key, value: Buffer.from(JSON.stringify(after_)) });
  writes.push({ kind: "put", key: versionKey(after_.id), value: versionValue(after_) });
  return writes;
}

/** What a commit on the table expects to find under its version key. */
export function versionValue(table: TableDescriptor): Bytes {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(table.version, 0);
  return bytes;
}

export function versionMatches(table: TableDescriptor, bytes: Bytes | undefined): boolean {
  return bytes !== undefined && view(bytes).readUInt32BE(0) === table.version;
}

/** A table that is being deleted and whose time is over is gone. */
export function isGone(table: TableDescriptor, now: number): boolean {
  return table.transition?.status === "DELETING" && now >= table.transition.until;
}

export function isUsable(table: TableDescriptor, now: number): boolean {
  const status = tableStatus(table, now);
  return status === "ACTIVE" || status === "UPDATING";
}

export const newUuid = (): string => randomUUID();

function parse(bytes: Bytes): TableDescriptor {
  return JSON.parse(view(bytes).toString("utf8")) as TableDescriptor;
}

function view(bytes: Bytes): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function after(key: Bytes): Bytes {
  return Buffer.concat([key, Buffer.from([0])]);
}

const cacheKey = (namespace: string, name: string): string => `${namespace}\0${name}`;
