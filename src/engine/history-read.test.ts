import { expect, test } from "vitest";
import { Random } from "../../test/random.ts";
import { ManualClock } from "../base/clock.ts";
import type { AttributeValue, Item } from "../item/attribute-value.ts";
import { itemSize } from "../item/size.ts";
import { openMemoryStore } from "../storage/memory/memory-store.ts";
import type { Bytes, Store } from "../storage/store.ts";
import { Database } from "./database.ts";
import type { TableDescriptor } from "./descriptor.ts";
import type { HistoryPoint } from "./history.ts";
import { changesBetween, type ItemSource, itemsAt } from "./history-read.ts";
import { itemAddress } from "./keys.ts";
import { undoOrderRange, undoRange } from "./layout.ts";
import { StoredItem } from "./stored-item.ts";
import type { WriteAction } from "./write.ts";

const namespace = "account/region";
const draft: TableDescriptor = {
  namespace,
  name: "Things",
  id: 1_000,
  version: 1,
  uuid: "u",
  createdAt: 0,
  key: { hash: [{ name: "pk", type: "S" }], range: [{ name: "sk", type: "S" }] },
  indexes: [],
  billingMode: "PAY_PER_REQUEST",
  throughput: { read: 0, write: 0, decreasesToday: 0 },
  deletionProtection: false,
};

type Contents = ReadonlyMap<string, string>;

class World {
  readonly store: Store = openMemoryStore();
  readonly clock = new ManualClock();
  database = undefined as unknown as Database;
  contents: Contents = new Map();

  async open(): Promise<this> {
    this.database = await Database.open(this.store, { clock: this.clock });
    await this.database.catalog.change(namespace, draft.name, () => ({
      table: draft,
      result: undefined,
    }));
    return this;
  }

  table(): Promise<TableDescriptor> {
    return Promise.resolve(this.database.table(namespace, draft.name));
  }

  /** Undefined values are deletes. All are written at once. */
  async write(changes: readonly (readonly [name: string, value: string | undefined])[]) {
    const plan = async (): Promise<WriteAction[]> => {
      const table = await this.table();
      return changes.map(([name, value]): WriteAction => {
        const [pk = "", sk = ""] = name.split("/");
        const key: Item = { pk: { S: pk }, sk: { S: sk } };
        const address = itemAddress(table, key);
        if (value === undefined) return { kind: "delete", table, address };
        const item: Item = { ...key, v: { S: value } };
        return { kind: "put", table, address, item: StoredItem.make(item, itemSize(item)) };
      });
    };
    await this.database.write(plan, { atomic: true });
    const next = new Map(this.contents);
    for (const [name, value] of changes) {
      if (value === undefined) next.delete(name);
      else next.set(name, value);
    }
    this.contents = next;
  }

  async read(source: ItemSource, limit: number, between?: () => Promise<void>): Promise<Contents> {
    const found = new Map<string, string>();
    let from: Bytes | undefined;
    let last: Bytes | undefined;
    do {
      const { items, next } = await itemsAt(this.store, source, from, { limit, bytesMax: 10_000 });
      expect(items.length).toBeLessThanOrEqual(2 * limit);
      for (const { place, value } of items) {
        if (last !== undefined) expect(Buffer.compare(last, place)).toBe(-1);
        last = place;
        const [name, text] = namedValue(value);
        found.set(name, text);
      }
      from = next;
      await between?.();
    } while (from !== undefined);
    return found;
  }
}

function namedValue(value: Bytes): [string, string] {
  const { item } = StoredItem.read(value);
  const text = (name: string) => (item[name] as Extract<AttributeValue, { S: string }>).S;
  return [`${text("pk")}/${text("sk")}`, text("v")];
}

const names = ["a", "b", "c", "d"].flatMap((pk) =>
  ["", "1", "12", "2"].map((sk) => `${pk}/x${sk}`),
);

function someChanges(random: Random, serial: number) {
  return random
    .sample(names, 1 + random.few(5))
    .map((name) => [name, random.chance(0.3) ? undefined : `${name} ${serial}`] as const);
}

test.for([1, 2, 3, 4])(
  "the past is what it was, whatever is written meanwhile (seed %i)",
  async (seed) => {
    const random = new Random(seed);
    const world = await new World().open();
    await world.write(someChanges(random, 0));
    await world.database.histories.setRecovery(
      namespace,
      draft.name,
      35,
      (table) => table ?? draft,
    );
    const moments: { readonly time: number; readonly contents: Contents }[] = [];
    for (let i = 1; i <= 60; i += 1) {
      world.clock.advance(random.between(0, 3) * 500);
      await world.write(someChanges(random, i));
      if (random.chance(0.3)) {
        moments.push({ time: world.clock.now(), contents: world.contents });
        world.clock.advance(1);
      }
    }
    const now = world.contents;
    const held = await world.database.histories.hold(namespace, draft.name, 1_000);
    const { id: dataId, history } = held.table;
    const point = (time?: number): HistoryPoint =>
      time === undefined ? { number: held.number } : { time, number: held.number };
    let serial = 1_000;
    const meanwhile = () => {
      serial += 1;
      return world.write(someChanges(random, serial));
    };
    for (const { time, contents } of moments) {
      const source = { dataId, history: { id: history.id, point: point(time) } };
      expect(await world.read(source, random.between(1, 7), meanwhile)).toEqual(contents);
    }
    // The mark alone, without a time: what was there when it was made.
    const source = { dataId, history: { id: history.id, point: point() } };
    expect(await world.read(source, 2, meanwhile)).toEqual(now);

    for (const [i, from] of moments.entries()) {
      const to = moments[Math.min(moments.length - 1, i + random.between(0, 4))] as typeof from;
      const before = new Map<string, string>();
      const after = new Map<string, string>();
      let cursor: Bytes | undefined;
      do {
        const chunk = await changesBetween(
          world.store,
          { dataId, historyId: history.id },
          { from: point(from.time), to: point(to.time) },
          cursor,
          { limit: random.between(1, 6), bytesMax: 10_000 },
        );
        for (const change of chunk.changes) {
          if (change.before !== undefined) before.set(...namedValue(change.before));
          if (change.after !== undefined) after.set(...namedValue(change.after));
        }
        cursor = chunk.next;
        await meanwhile();
      } while (cursor !== undefined);
      // What is the same at both ends may or may not have been changed in between.
      const differing = names.filter((name) => from.contents.get(name) !== to.contents.get(name));
      expect(differing.filter((name) => !before.has(name) && !after.has(name))).toEqual([]);
      for (const [name, value] of before) expect(from.contents.get(name)).toBe(value);
      for (const [name, value] of after) expect(to.contents.get(name)).toBe(value);
      if (from === to) expect(before.size + after.size).toBe(0);
    }
    await world.database.histories.release(held);
    expect((await world.table()).history).toEqual({ id: history.id, recovery: expect.anything() });
  },
);

test("a table without recovery has a past only for as long as somebody holds it", async () => {
  const world = await new World().open();
  await world.write([["a/x", "old"]]);
  expect((await world.table()).history).toBeUndefined();
  const held = await world.database.histories.hold(namespace, draft.name, 1_000);
  await world.write([["a/x", "new"]]);
  const { id } = held.table.history;
  const point = { number: held.number };
  const source = { dataId: held.table.id, history: { id, point } };
  expect(await world.read(source, 10)).toEqual(new Map([["a/x", "old"]]));
  await world.database.histories.release(held);
  await world.database.idle();
  expect((await world.table()).history).toBeUndefined();
  for (const range of [undoRange(id), undoOrderRange(id)]) {
    expect((await world.store.scan(range, { limit: 1, bytesMax: 1 })).entries).toEqual([]);
  }
});

test("who dies holding a past has lost it when his time is over", async () => {
  const world = await new World().open();
  await world.database.histories.hold(namespace, draft.name, 60_000);
  const again = await Database.open(world.store, { clock: world.clock });
  await again.jobs.idle();
  expect((await again.catalog.reload(namespace, draft.name))?.history).toBeDefined();
  world.clock.advance(60_000);
  await again.historyKeeper.keep();
  await again.jobs.idle();
  expect((await again.catalog.reload(namespace, draft.name))?.history).toBeUndefined();
});

test("what is older than the days that are kept is cleared, and nothing else", async () => {
  const world = await new World().open();
  const { histories, historyKeeper } = world.database;
  await histories.setRecovery(namespace, draft.name, 2, (table) => table ?? draft);
  const day = 86_400_000;
  for (let i = 0; i < 8; i += 1) {
    for (let j = 0; j < 5; j += 1)
      await world.write([
        ["a/x", `${i} ${j}`],
        [`b/x${j}`, `${i}`],
      ]);
    world.clock.advance(day / 2);
  }
  const { history } = await world.table();
  const entriesIn = async (range: ReturnType<typeof undoRange>) =>
    (await world.store.scan(range, { limit: 1_000, bytesMax: 1e9 })).entries.length;
  const id = history?.id ?? 0;
  const moment = world.clock.now() - 2 * day;
  await historyKeeper.keep();
  // Four of eight half days; a grace of minutes keeps those that were just let go.
  expect(await entriesIn(undoRange(id))).toBe(40);
  expect(await entriesIn(undoOrderRange(id))).toBe(40);
  const held = await histories.hold(namespace, draft.name, 1_000);
  const source = {
    dataId: held.table.id,
    history: { id, point: { time: moment, number: held.number } },
  };
  const then = await world.read(source, 3);
  expect(then.get("a/x")).toBe("4 4");
  // Whoever reads the past keeps it.
  world.clock.advance(10 * day);
  await historyKeeper.keep();
  expect(await entriesIn(undoRange(id))).toBe(40);
});
