import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { logKey, numberOfLogKey } from "../../src/storage/log-keys.ts";
import {
  type Bytes,
  type Decision,
  keyBytesMax,
  type Store,
  type Write,
} from "../../src/storage/store.ts";
import { Random } from "../random.ts";
import type { OpenedStore } from "./contract.ts";

const bytes = (text: string) => Buffer.from(text, "latin1");
const textOf = (value: Bytes) => Buffer.from(value).toString("latin1");
const append = (log: string | Bytes, value: string): Write => ({
  kind: "append",
  log: typeof log === "string" ? bytes(log) : log,
  value: bytes(value),
});
const range = (log: string, from = 0, to = Number.MAX_SAFE_INTEGER) => ({
  start: logKey(bytes(log), from),
  end: logKey(bytes(log), to),
});
const unbounded = { limit: 1_000_000, bytesMax: Number.MAX_SAFE_INTEGER };

interface LogEntry {
  readonly number: number;
  readonly value: string;
}

async function entriesOf(store: Store, log: string): Promise<LogEntry[]> {
  const page = await store.scan(range(log), unbounded);
  return page.entries.map(({ key, value }) => ({
    number: numberOfLogKey(key),
    value: textOf(value),
  }));
}

const write = (store: Store, ...writes: Write[]) =>
  store.commit([], () => ({ writes, result: undefined }));

/** What `Store` promises of logs and their numbers, checked on one implementation. */
export function describeLogs(name: string, open: () => Promise<OpenedStore>): void {
  describe(`${name} store, logs`, () => {
    let opened: OpenedStore;
    let store: Store;
    /** What writes: two stores, if several may share their data. */
    let stores: Store[];

    beforeEach(async () => {
      opened = await open();
      store = opened.store;
      const another = await opened.another?.();
      stores = another === undefined ? [store] : [store, another];
    });
    afterEach(async () => {
      await Promise.all([store.close(), ...stores.map((one) => one.close())]);
      await opened.dispose?.();
    });

    const valuesOf = async (log: string) => (await entriesOf(store, log)).map(({ value }) => value);
    const numbersOf = async (...logs: string[]) =>
      (await Promise.all(logs.map((log) => entriesOf(store, log))))
        .flat()
        .map(({ number }) => number);

    test("entries lie in the order of a commit's writes, each under a number of its own", async () => {
      await write(store, append("a", "1"), append("b", "2"), append("a", "3"), append("a", ""));
      await write(store, append("b", "5"), append("a", "6"));
      expect(await valuesOf("a")).toEqual(["1", "3", "", "6"]);
      expect(await valuesOf("b")).toEqual(["2", "5"]);
      const [a1, a3, a4, a6] = await numbersOf("a");
      const [b2, b5] = await numbersOf("b");
      const numbers = [a1, b2, a3, a4, b5, a6] as number[];
      expect(numbers).toEqual([...numbers].sort((x, y) => x - y));
      expect(new Set(numbers).size).toBe(6);
      expect(numbers[0]).toBeGreaterThanOrEqual(1);
      expect(numbers.every(Number.isSafeInteger)).toBe(true);
    });

    test("names of logs of all lengths, and values of all sizes", async () => {
      const names = Array.from({ length: 15 }, (_, n) => "\xfelog of a shard".slice(0, n + 1));
      names.push("n".repeat(keyBytesMax - 8));
      await write(store, ...names.map((log) => append(log, "x".repeat(log.length ** 2))));
      const numbers = await numbersOf(...names);
      expect(new Set(numbers).size).toBe(names.length);
      const keys = names.map((log, n) => logKey(bytes(log), numbers[n] ?? 0));
      const sizes = names.map((log) => log.length ** 2);
      expect((await store.get(keys)).map((value) => value?.length)).toEqual(sizes);
      // Alone, a key may be found in another way than with others.
      for (const [n, key] of keys.entries()) {
        expect((await store.get([key]))[0]?.length).toBe(sizes[n]);
      }
      const seen = await store.commit(keys, (values) => ({
        writes: keys.map((key): Write => ({ kind: "delete", key })),
        result: values.map((value) => value?.length),
      }));
      expect(seen).toEqual(sizes);
      expect(await numbersOf(...names)).toEqual([]);
    });

    test("entries are cleared like any other key, and their numbers do not come back", async () => {
      await write(store, append("a", "1"), append("a", "2"), append("b", "3"));
      const before = await numbersOf("a", "b");
      await store.clear(range("a", before[1]));
      expect(await valuesOf("a")).toEqual(["1"]);
      await store.clear({ start: bytes("a"), end: bytes("c") });
      expect(await numbersOf("a", "b")).toEqual([]);
      await write(store, append("a", "4"));
      const [next] = await numbersOf("a");
      expect(next).toBeGreaterThan(Math.max(...before));
    });

    test("racing commits on one key are logged in the order in which they happened", async () => {
      const racing = Array.from({ length: 120 }, (_, n) =>
        stores[n % stores.length]?.commit([bytes("n")], ([found]) => {
          const next = String(Number(found === undefined ? 0 : textOf(found)) + 1);
          return {
            writes: [{ kind: "put", key: bytes("n"), value: bytes(next) }, append("log", next)],
            result: undefined,
          };
        }),
      );
      await Promise.all(racing);
      expect(await valuesOf("log")).toEqual(racing.map((_, n) => String(n + 1)));
    });

    test("commits on many keys: each key's are in order, whatever the log and the store", async () => {
      const keys = ["k0", "k1", "k2", "k3", "k4"];
      await Promise.all(
        Array.from({ length: 200 }, (_, n) => {
          const key = bytes(keys[n % keys.length] as string);
          const next = (found: Bytes | undefined) => Number(found ? textOf(found) : 0) + 1;
          return stores[n % stores.length]?.commit([key], ([found]) => ({
            writes: [
              append(`log${n % 3}`, `${textOf(key)} ${next(found)}`),
              { kind: "put", key, value: bytes(String(next(found))) },
              append(`log${n % 2}`, `${textOf(key)} ${next(found)}.5`),
            ],
            result: undefined,
          }));
        }),
      );
      const logs = await Promise.all(["log0", "log1", "log2"].map((log) => entriesOf(store, log)));
      const all = logs.flat().sort((a, b) => a.number - b.number);
      expect(new Set(all.map(({ number }) => number)).size).toBe(400);
      for (const key of keys) {
        const own = all.filter(({ value }) => value.startsWith(key));
        const wanted = Array.from({ length: 80 }, (_, n) => `${key} ${1 + n / 2}`);
        expect(own.map(({ value }) => value)).toEqual(wanted);
      }
    });

    test("what begins after an acknowledgement has greater numbers", async () => {
      let last = 0;
      for (let round = 0; round < 15; round++) {
        const log = `round${round}`;
        await Promise.all(
          Array.from({ length: 20 }, (_, n) =>
            write(stores[n % stores.length] as Store, append(log, "v"), append(log, "v")),
          ),
        );
        const numbers = await numbersOf(log);
        expect(numbers.length).toBe(40);
        expect(Math.min(...numbers)).toBeGreaterThan(last);
        last = Math.max(...numbers);
      }
    });

    test("a commit that is refused leaves no entry and harms none around it", async () => {
      const refusal = new Error("no");
      const outcomes = await Promise.allSettled(
        Array.from({ length: 30 }, (_, n) =>
          store.commit([bytes("k")], (): Decision<void> => {
            if (n % 3 === 1) throw refusal;
            const long = n % 3 === 2 ? [append(Buffer.alloc(keyBytesMax - 7, 1), "v")] : [];
            return { writes: [append("log", String(n)), ...long], result: undefined };
          }),
        ),
      );
      const done = outcomes.flatMap(({ status }, n) => (status === "fulfilled" ? [String(n)] : []));
      expect(done.length).toBe(10);
      expect(new Set(await valuesOf("log"))).toEqual(new Set(done));
      await expect(write(store, append("", "v"), append("log", "v"))).rejects.toThrow();
      expect((await valuesOf("log")).length).toBe(10);
    });

    test("the horizon lies beyond what is acknowledged, when nothing else is under way", async () => {
      expect(await store.horizon()).toBe(1);
      for (let round = 0; round < 20; round++) {
        await Promise.all(
          stores.flatMap((one) => [
            write(one, append("log", "v")),
            write(one, append("log", "v"), append("log", "v")),
          ]),
        );
        const last = Math.max(...(await numbersOf("log")));
        for (const one of stores) expect(await one.horizon()).toBe(last + 1);
      }
      await store.clear(range("log"));
      const before = await store.horizon();
      await write(store, { kind: "put", key: bytes("k"), value: bytes("v") });
      expect(await store.horizon()).toBe(before);
    });

    test("a horizon that is asked for after an acknowledgement is never an older one", async () => {
      let asking = true;
      const asked = (async () => {
        while (asking) {
          await Promise.all([store.horizon(), store.horizon()]);
          await new Promise((resolve) => setImmediate(resolve));
        }
      })();
      try {
        for (let round = 0; round < 60; round++) {
          await write(stores[round % stores.length] as Store, append("log", String(round)));
          const horizon = await store.horizon();
          const page = await store.scan(range("log", 0, horizon), unbounded);
          expect(page.entries.length).toBe(round + 1);
        }
      } finally {
        asking = false;
        await asked;
      }
    });

    test("numbers and the horizon outlive the store, if data does", async () => {
      if (opened.reopen === undefined) return;
      let last = 0;
      for (let round = 0; round < 4; round++) {
        await write(store, append("log", "a"), append("log", "b"));
        const numbers = await numbersOf("log");
        expect(Math.min(...numbers)).toBeGreaterThan(last);
        last = Math.max(...numbers);
        // Nothing but the store itself remembers them then.
        await store.clear(range("log"));
        await store.close();
        store = await opened.reopen();
        expect(await store.horizon()).toBe(last + 1);
      }
    });

    test("a closed store has no horizon", async () => {
      await store.close();
      await expect((async () => store.horizon())()).rejects.toThrow("The store is closed.");
    });

    test("a reader that follows the horizon sees each entry once and in order", async () => {
      const seed = 20_261_117;
      const random = new Random(seed);
      const logs = ["x", "y", "z"];
      const appended = new Map(logs.map((log) => [log, 0]));
      let writing = true;
      const writers = Array.from({ length: 16 }, async (_, writer) => {
        for (let n = 0; n < 25; n++) {
          const log = random.pick(logs);
          const count = random.between(1, 3);
          const values = Array.from({ length: count }, (_, i) => `${writer} ${n} ${i}`);
          const puts = Array.from({ length: random.between(0, 30) }, (): Write => {
            return {
              kind: "put",
              key: bytes(`w${writer} ${random.between(0, 99)}`),
              value: bytes("v"),
            };
          });
          const keys = random.chance(0.3) ? [bytes("shared")] : [bytes(`w${writer}`)];
          await random.pick(stores).commit(keys, () => ({
            writes: [...puts, ...values.map((value) => append(log, value))],
            result: undefined,
          }));
          appended.set(log, (appended.get(log) ?? 0) + count);
        }
      });
      const followers = logs.flatMap((log) =>
        stores.map(async (one) => {
          const follower = new Follower(one, log);
          while (writing) {
            await follower.read(random.between(1, 40));
            await new Promise((resolve) => setImmediate(resolve));
          }
          await follower.read(1_000);
          return { log, seen: follower.seen };
        }),
      );
      try {
        await Promise.all(writers);
      } finally {
        writing = false;
      }
      for (const { log, seen } of await Promise.all(followers)) {
        const lies = await entriesOf(store, log);
        expect(lies.length).toBe(appended.get(log));
        expect(seen).toEqual(lies);
        for (let writer = 0; writer < writers.length; writer++) {
          const own = seen.map(({ value }) => value.split(" ").map(Number));
          const mine = own.filter(([by]) => by === writer).map(([, n = 0, i = 0]) => 10 * n + i);
          expect(mine).toEqual([...mine].sort((a, b) => a - b));
        }
      }
    });
  });
}

/** Reads a log as consumers do: up to the horizon, and from there on the next time. */
class Follower {
  readonly seen: LogEntry[] = [];
  readonly #store: Store;
  readonly #log: string;
  #from = 0;

  constructor(store: Store, log: string) {
    this.#store = store;
    this.#log = log;
  }

  async read(limit: number): Promise<void> {
    const horizon = await this.#store.horizon();
    if (horizon <= this.#from) return;
    const { entries, more } = await this.#store.scan(range(this.#log, this.#from, horizon), {
      ...unbounded,
      limit,
    });
    for (const { key, value } of entries) {
      this.seen.push({ number: numberOfLogKey(key), value: textOf(value) });
    }
    const last = this.seen.at(-1)?.number;
    this.#from = more && last !== undefined ? last + 1 : horizon;
  }
}
