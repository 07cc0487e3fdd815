import { expect, test } from "vitest";
import { openMemoryStore } from "../storage/memory/memory-store.ts";
import type { Bytes, Store } from "../storage/store.ts";
import { Catalog } from "./catalog.ts";
import type { TableDescriptor } from "./descriptor.ts";
import { catalogKey, versionKey } from "./layout.ts";

const table: TableDescriptor = {
  namespace: "n",
  name: "abc",
  id: 7,
  version: 1,
  uuid: "u",
  createdAt: 0,
  key: { hash: [{ name: "pk", type: "S" }], range: [] },
  indexes: [],
  billingMode: "PAY_PER_REQUEST",
  throughput: { read: 0, write: 0, decreasesToday: 0 },
  deletionProtection: false,
};

/** A store that remembers what the last commit has read. */
function watched(): { store: Store; lastRead: () => readonly string[] } {
  const inner = openMemoryStore();
  let read: readonly Bytes[] = [];
  const store: Store = Object.assign(Object.create(inner) as Store, {
    get: (keys: readonly Bytes[]) => inner.get(keys),
    scan: (...args: Parameters<Store["scan"]>) => inner.scan(...args),
    commit: <T>(...args: Parameters<Store["commit"]>) => {
      [read] = args;
      return inner.commit(...args) as Promise<T>;
    },
  });
  return { store, lastRead: () => read.map((key) => Buffer.from(key).toString("hex")) };
}

const hex = (key: Bytes) => Buffer.from(key).toString("hex");
const put = (catalog: Catalog, next: TableDescriptor) =>
  catalog.change("n", "abc", () => ({ table: next, result: undefined }));

test("a change of a table reads its version: all writes to the table come before or after it", async () => {
  const { store, lastRead } = watched();
  const catalog = new Catalog(store);
  await put(catalog, table);
  expect(lastRead()).toEqual([hex(catalogKey("n", "abc"))]);
  await put(catalog, { ...table, version: 2 });
  expect(lastRead()).toEqual([hex(catalogKey("n", "abc")), hex(versionKey(7))]);
});

test("also if another process has put another table in its place", async () => {
  const { store, lastRead } = watched();
  const catalog = new Catalog(store);
  await put(catalog, table);
  const other = new Catalog(store);
  await other.change("n", "abc", () => ({ table: undefined, result: undefined }));
  await put(other, { ...table, id: 8 });
  const seen: (number | undefined)[] = [];
  await catalog.change("n", "abc", (found) => {
    seen.push(found?.id);
    return { table: found && { ...found, version: 2 }, result: undefined };
  });
  expect(seen).toEqual([8]);
  expect(lastRead()).toEqual([hex(catalogKey("n", "abc")), hex(versionKey(8))]);
});
