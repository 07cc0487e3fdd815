import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type Bytes,
  type Decision,
  keyBytesMax,
  type ScanPage,
  type Store,
  type Write,
} from "../../src/storage/store.ts";
import { describeLogs } from "./log-contract.ts";
import { OracleStore } from "./oracle.ts";

export interface OpenedStore {
  readonly store: Store;
  /** Opens the same data again after `store` was closed; absent if the data dies with the store. */
  readonly reopen?: () => Promise<Store>;
  /** A second store on the same data, if several may have it open: closed by whoever asks for it. */
  readonly another?: () => Promise<Store>;
  /** Removes the data. */
  readonly dispose?: () => Promise<void>;
}

export interface ContractOptions {
  /** Random histories to try; fewer for a store behind a network. */
  readonly histories?: number;
}

const lowest = Buffer.alloc(0);
const highest = Buffer.alloc(keyBytesMax + 1, 0xff);
const everything = { start: lowest, end: highest };
const unbounded = { limit: 1_000_000, bytesMax: Number.MAX_SAFE_INTEGER };

const bytes = (text: string) => Buffer.from(text, "latin1");
const put = (key: string | Bytes, value: string | Bytes): Write => ({
  kind: "put",
  key: typeof key === "string" ? bytes(key) : key,
  value: typeof value === "string" ? bytes(value) : value,
});
const remove = (key: string): Write => ({ kind: "delete", key: bytes(key) });
const textOf = (value: Bytes | undefined) => value && Buffer.from(value).toString("latin1");
const listing = (page: ScanPage) => page.entries.map((e) => `${textOf(e.key)}=${textOf(e.value)}`);

/** Every promise of `Store`, checked on one implementation. */
export function describeStoreContract(
  name: string,
  open: () => Promise<OpenedStore>,
  { histories = 60 }: ContractOptions = {},
): void {
  describeLogs(name, open);
  describe(`${name} store`, () => {
    let opened: OpenedStore;
    let store: Store;

    beforeEach(async () => {
      opened = await open();
      store = opened.store;
    });
    afterEach(async () => {
      await store.close();
      await opened.dispose?.();
    });

    const write = (...writes: Write[]) => store.commit([], () => ({ writes, result: undefined }));
    const read = async (...keys: string[]) => (await store.get(keys.map(bytes))).map(textOf);
    const createOnce = (key: string, value: string) =>
      store.commit([bytes(key)], ([found]) =>
        found === undefined
          ? { writes: [put(key, value)], result: true }
          : { writes: [], result: false },
      );

    test("a commit reads its keys in order and writes what it decides", async () => {
      await write(put("a", "1"), put("b", "2"));
      const result = await store.commit([bytes("b"), bytes("?"), bytes("a")], (values) => ({
        writes: [put("c", values.map((v) => textOf(v) ?? "-").join("")), remove("a")],
        result: values.length,
      }));
      expect(result).toBe(3);
      expect(await read("a", "b", "c")).toEqual([undefined, "2", "2-1"]);
    });

    test("writes of one commit apply in order, deleting a missing key is nothing", async () => {
      await write(remove("none"), put("k", "1"), remove("k"), put("k", "2"));
      await write(put("l", "1"), remove("l"));
      expect(await read("k", "l", "none")).toEqual(["2", undefined, undefined]);
    });

    test("a commit without reads, without writes, and a get of nothing", async () => {
      expect(await store.commit([], () => ({ writes: [], result: "x" }))).toBe("x");
      expect(await store.get([])).toEqual([]);
      await write(put("k", "v"));
      expect(await read("k", "k")).toEqual(["v", "v"]);
    });

    test("of 50 racing creates of a key exactly one wins", async () => {
      for (let round = 0; round < 4; round++) {
        const wins = await Promise.all(
          Array.from({ length: 50 }, (_, n) => createOnce(`key${round}`, String(n))),
        );
        expect(wins.filter(Boolean).length).toBe(1);
        expect(await read(`key${round}`)).toEqual([String(wins.indexOf(true))]);
      }
    });

    test("commits that begin while others are being written lose nothing either", async () => {
      // Beginning one per turn of the event loop, they meet every stage of the commits before them.
      for (let round = 0; round < 10; round++) {
        const begun: Promise<{ created: boolean; next: number }>[] = [];
        for (let n = 0; n < 30; n++) {
          const keys = [bytes(`key${round}`), bytes("n")];
          const commit = store.commit(keys, ([found, count]) => {
            const next = Number(textOf(count) ?? 0) + 1;
            const writes = [put("n", String(next)), put(`key${round}`, String(n))];
            return { writes, result: { created: found === undefined, next } };
          });
          begun.push(commit);
          await new Promise((resolve) => setImmediate(resolve));
        }
        const results = await Promise.all(begun);
        expect(results.filter(({ created }) => created).length).toBe(1);
        expect(new Set(results.map(({ next }) => next)).size).toBe(30);
      }
      expect(await read("n")).toEqual(["300"]);
    });

    test("50 racing increments lose none", async () => {
      const increments = Array.from({ length: 50 }, () =>
        store.commit([bytes("n")], ([n]) => {
          const next = Number(textOf(n) ?? 0) + 1;
          return { writes: [put("n", String(next))], result: next };
        }),
      );
      const results = await Promise.all(increments);
      expect(new Set(results).size).toBe(50);
      expect(await read("n")).toEqual(["50"]);
    });

    test("no write skew over missing keys: of two that exclude each other one sees the other", async () => {
      for (let round = 0; round < 25; round++) {
        const [a, b] = [`a${round}`, `b${round}`];
        const claim = (mine: string, other: string) =>
          store.commit([bytes(other)], ([found]) =>
            found === undefined
              ? { writes: [put(mine, "1")], result: true }
              : { writes: [], result: false },
          );
        const won = await Promise.all([claim(a, b), claim(b, a)]);
        expect(won.filter(Boolean).length).toBe(1);
        expect((await read(a, b)).filter((v) => v !== undefined).length).toBe(1);
      }
    });

    test("money moved by racing transfers is neither made nor lost, nor seen half moved", async () => {
      const accounts = ["a", "b", "c", "d"];
      await write(...accounts.map((account) => put(account, "100")));
      let moving = true;
      const watch = async () => {
        while (moving) {
          const sum = (await read(...accounts)).reduce((total, v) => total + Number(v), 0);
          expect(sum).toBe(400);
          const page = await store.scan(everything, unbounded);
          expect(page.entries.reduce((total, e) => total + Number(textOf(e.value)), 0)).toBe(400);
          await new Promise((resolve) => setImmediate(resolve));
        }
      };
      const watching = watch();
      try {
        await Promise.all(
          Array.from({ length: 100 }, (_, n) => {
            const from = accounts[n % 4] as string;
            const to = accounts[(n + 1 + (n % 3)) % 4] as string;
            return store.commit([bytes(from), bytes(to)], ([x, y]) => ({
              writes: [
                put(from, String(Number(textOf(x)) - n)),
                put(to, String(Number(textOf(y)) + n)),
              ],
              result: undefined,
            }));
          }),
        );
      } finally {
        moving = false;
        await watching;
      }
    });

    test("a throwing decide writes nothing and leaves those around it intact", async () => {
      const failure = new Error("refused");
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, (_, n) =>
          store.commit([bytes("shared")], ([found]): Decision<number> => {
            if (n % 3 === 1) throw failure;
            const before = textOf(found) ?? "";
            return { writes: [put("shared", `${before}${n},`), put(`own${n}`, "1")], result: n };
          }),
        ),
      );
      for (const [n, outcome] of outcomes.entries()) {
        if (n % 3 === 1) expect(outcome).toEqual({ status: "rejected", reason: failure });
        else expect(outcome).toEqual({ status: "fulfilled", value: n });
        expect(await read(`own${n}`)).toEqual([n % 3 === 1 ? undefined : "1"]);
      }
      const [shared] = await read("shared");
      const numbers = shared?.split(",").slice(0, -1).map(Number) ?? [];
      expect(numbers.sort((x, y) => x - y)).toEqual(
        Array.from({ length: 20 }, (_, n) => n).filter((n) => n % 3 !== 1),
      );
    });

    test("a key that cannot be stored rejects its whole commit", async () => {
      const long = Buffer.alloc(keyBytesMax + 1, 1);
      await expect(write(put("before", "1"), put(long, "2"))).rejects.toThrow();
      await expect(write(put("before", "1"), put(lowest, "2"))).rejects.toThrow();
      expect(await read("before")).toEqual([undefined]);
    });

    test("what is acknowledged is visible to get, scan, totals and commit", async () => {
      await Promise.all(
        Array.from({ length: 40 }, async (_, n) => {
          const key = `k${n}`;
          await write(put(key, String(n)), {
            kind: "add",
            counter: bytes(key),
            count: 1,
            bytes: n,
          });
          expect(await read(key)).toEqual([String(n)]);
          const page = await store.scan({ start: bytes(key), end: bytes(`${key}\0`) }, unbounded);
          expect(listing(page)).toEqual([`${key}=${n}`]);
          expect(await store.totals(bytes(key))).toEqual({ count: 1, bytes: n });
          expect(await createOnce(key, "again")).toBe(false);
        }),
      );
    });

    test("ranges, directions, limits, bytes and what is left", async () => {
      const keys = ["a", "a\0", "a\0\0", "aa", "b", "b\xff", "b\xff\xff", "c"];
      await write(...keys.map((key, n) => put(key, "x".repeat(n))));
      const page = async (
        start: string,
        end: string,
        options: { reverse?: boolean; limit?: number; bytesMax?: number } = {},
      ) => {
        const range = { start: bytes(start), end: bytes(end) };
        const { entries, more } = await store.scan(range, { ...unbounded, ...options });
        return [...entries.map((e) => textOf(e.key)), more];
      };
      const reverse = true;
      expect(await page("", "\xff")).toEqual([...keys, false]);
      expect(await page("", "\xff", { reverse })).toEqual([...keys.toReversed(), false]);
      expect(await page("a\0", "b")).toEqual(["a\0", "a\0\0", "aa", false]);
      expect(await page("a\0", "b", { reverse })).toEqual(["aa", "a\0\0", "a\0", false]);
      expect(await page("aZ", "b\0")).toEqual(["aa", "b", false]);
      expect(await page("aZ", "b\0", { reverse })).toEqual(["b", "aa", false]);
      expect(await page("a", "a")).toEqual([false]);
      expect(await page("b", "a")).toEqual([false]);
      expect(await page("b", "a", { reverse })).toEqual([false]);
      expect(await page("", "")).toEqual([false]);
      expect(await page("d", "e")).toEqual([false]);
      expect(await page("", "\xff", { limit: 2 })).toEqual(["a", "a\0", true]);
      expect(await page("", "\xff", { limit: 2, reverse })).toEqual(["c", "b\xff\xff", true]);
      expect((await page("", "\xff", { limit: 7 })).at(-1)).toBe(true);
      expect((await page("", "\xff", { limit: 9 })).at(-1)).toBe(false);
      // Values hold 0, 1, 2, 3 ... bytes: the sum reaches 3 with the third.
      expect(await page("", "\xff", { bytesMax: 3 })).toEqual(["a", "a\0", "a\0\0", true]);
      expect(await page("", "\xff", { bytesMax: 4 })).toEqual(["a", "a\0", "a\0\0", "aa", true]);
      expect(await page("", "\xff", { bytesMax: 0 })).toEqual(["a", true]);
      expect(await page("", "\xff", { bytesMax: 1, reverse })).toEqual(["c", true]);
      expect(await page("b\xff\xff", "\xff", { bytesMax: 1 })).toEqual(["b\xff\xff", true]);
    });

    test("`more` is only false at the end, and following it visits everything once", async () => {
      const count = 257;
      const keyOf = (n: number) => `k${String(n).padStart(4, "0")}`;
      await write(...Array.from({ length: count }, (_, n) => put(keyOf(n), "v".repeat(n % 7))));
      for (const reverse of [false, true]) {
        const seen: (string | undefined)[] = [];
        let { start, end }: { start: Bytes; end: Bytes } = everything;
        for (let more = true; more; ) {
          const page = await store.scan({ start, end }, { reverse, limit: 16, bytesMax: 30 });
          seen.push(...page.entries.map((e) => textOf(e.key)));
          more = page.more;
          const last = page.entries.at(-1)?.key;
          if (more && last === undefined) throw new Error("a page without entries promises more");
          if (last !== undefined && reverse) end = last;
          if (last !== undefined && !reverse) start = Buffer.concat([last, Buffer.from([0])]);
        }
        const all = Array.from({ length: count }, (_, n) => keyOf(n));
        expect(seen).toEqual(reverse ? all.reverse() : all);
      }
    });

    test("empty values, the longest keys of zeros and ones, a value of a megabyte", async () => {
      const zeros = Buffer.alloc(keyBytesMax, 0);
      const ones = Buffer.alloc(keyBytesMax, 0xff);
      const zero = Buffer.from([0]);
      const big = Buffer.alloc(1_048_576, 7);
      big[0] = 1;
      big[big.length - 1] = 2;
      await write(put(zeros, "zeros"), put(ones, big), put(zero, lowest), put("e", lowest));
      const values = await store.get([zeros, ones, zero, bytes("e")]);
      expect(values.map((v) => v?.length)).toEqual([5, big.length, 0, 0]);
      expect(Buffer.compare(values[1] ?? lowest, big)).toBe(0);
      const page = await store.scan(everything, unbounded);
      expect(page.entries.map((e) => e.key.length)).toEqual([1, keyBytesMax, 1, keyBytesMax]);
      expect(Buffer.compare(page.entries[3]?.value ?? lowest, big)).toBe(0);
      expect(Buffer.compare(page.entries[3]?.key ?? lowest, ones)).toBe(0);
      const last = await store.scan(everything, { ...unbounded, limit: 1, reverse: true });
      expect(last.entries[0]?.key.length).toBe(keyBytesMax);
      const seen = await store.commit([zero, zeros], (v) => ({
        writes: [{ kind: "delete", key: zeros }],
        result: v.map((one) => one?.length),
      }));
      expect(seen).toEqual([0, 5]);
      expect((await store.get([zeros]))[0]).toBeUndefined();
    });

    test("totals add up under concurrency, apart from keys, and can be forgotten", async () => {
      const [x, y] = [bytes("x"), bytes("y")];
      expect(await store.totals(x)).toEqual({ count: 0, bytes: 0 });
      await Promise.all(
        Array.from({ length: 60 }, (_, n) =>
          write(
            { kind: "add", counter: x, count: 2, bytes: n },
            { kind: "add", counter: n % 2 ? x : y, count: -1, bytes: 0 },
          ),
        ),
      );
      expect(await store.totals(x)).toEqual({ count: 90, bytes: 1_770 });
      expect(await store.totals(y)).toEqual({ count: -30, bytes: 0 });
      expect(await read("x", "y")).toEqual([undefined, undefined]);
      expect((await store.scan(everything, unbounded)).entries).toEqual([]);
      await store.dropTotals(x);
      expect(await store.totals(x)).toEqual({ count: 0, bytes: 0 });
      expect(await store.totals(y)).toEqual({ count: -30, bytes: 0 });
      await write({ kind: "add", counter: x, count: 1, bytes: 9_000_000_000_000 });
      await write({ kind: "add", counter: x, count: 1, bytes: 1 });
      expect(await store.totals(x)).toEqual({ count: 2, bytes: 9_000_000_000_001 });
    });

    test("the totals of a commit that throws are not added", async () => {
      const counter = bytes("c");
      const refused = store.commit([], (): Decision<void> => {
        throw new Error("no");
      });
      const added = write({ kind: "add", counter, count: 1, bytes: 1 });
      await expect(refused).rejects.toThrow("no");
      await added;
      expect(await store.totals(counter)).toEqual({ count: 1, bytes: 1 });
    });

    test("clear empties a range and only that, while others write", async () => {
      const count = 2_500;
      const keyOf = (n: number) => `m${String(n).padStart(5, "0")}`;
      for (let n = 0; n < count; n += 500) {
        await write(...Array.from({ length: 500 }, (_, i) => put(keyOf(n + i), "v")));
      }
      await write(put("l", "below"), put("n", "above"));
      const clearing = store.clear({ start: bytes("m"), end: bytes("n") });
      const others = Array.from({ length: 50 }, (_, n) => createOnce(`other${n}`, "v"));
      expect((await Promise.all(others)).every(Boolean)).toBe(true);
      await clearing;
      const page = await store.scan(everything, unbounded);
      expect(page.entries.length).toBe(52);
      expect(await read("l", "n", keyOf(0), keyOf(count - 1))).toEqual([
        "below",
        "above",
        undefined,
        undefined,
      ]);
      await store.clear({ start: bytes("m"), end: bytes("n") });
      await store.clear({ start: bytes("z"), end: bytes("a") });
      expect((await store.scan(everything, unbounded)).entries.length).toBe(52);
    });

    test("bytes handed out never change", async () => {
      const big = Buffer.alloc(100_000, 3);
      await write(put("a", "first"), put("b", "second"), put("c", big));
      const values = await store.get([bytes("a"), bytes("b"), bytes("c")]);
      const page = await store.scan(everything, unbounded);
      const decided = await store.commit([bytes("b"), bytes("c")], (v) => ({
        writes: [],
        result: v,
      }));
      const kept = [...values, ...page.entries.flatMap((e) => [e.key, e.value]), ...decided];
      const copies = kept.map((one) => Buffer.from(one ?? lowest));
      const rounds = 200;
      for (let round = 0; round < rounds; round++) {
        const writes = Array.from({ length: 40 }, (_, n) => put(`k${n}`, `${round}`.repeat(50)));
        await write(
          put("a", `x${round}`),
          put("c", Buffer.alloc(100_000, round)),
          remove("b"),
          ...writes,
        );
        await store.get([
          bytes("a"),
          bytes("c"),
          ...writes.slice(0, 5).flatMap((w) => ("key" in w ? [w.key] : [])),
        ]);
        await store.scan(everything, { ...unbounded, limit: 10 });
      }
      for (const [n, copy] of copies.entries()) {
        expect(Buffer.compare(kept[n] ?? lowest, copy)).toBe(0);
      }
    });

    test("close waits for running commits, and then nothing is answered", async () => {
      const commits = Array.from({ length: 20 }, (_, n) => createOnce(`k${n}`, "v"));
      const closing = store.close();
      expect((await Promise.all(commits)).every(Boolean)).toBe(true);
      await closing;
      await store.close();
      await expect(createOnce("late", "v")).rejects.toThrow("closed");
      await expect((async () => store.get([bytes("k1")]))()).rejects.toThrow("closed");
      await expect((async () => store.scan(everything, unbounded))()).rejects.toThrow("closed");
      await expect((async () => store.totals(bytes("k1")))()).rejects.toThrow("closed");
      if (opened.reopen === undefined) return;
      store = await opened.reopen();
      expect((await store.scan(everything, unbounded)).entries.length).toBe(20);
    });

    test("data and totals outlive the store, if they are meant to", async () => {
      if (opened.reopen === undefined) return;
      const counter = bytes("c");
      await write(put("a", "1"), put("b", ""), { kind: "add", counter, count: 3, bytes: 4 });
      await write(remove("a"));
      await store.close();
      store = await opened.reopen();
      expect(listing(await store.scan(everything, unbounded))).toEqual(["b="]);
      expect(await store.totals(counter)).toEqual({ count: 3, bytes: 4 });
      expect(await createOnce("b", "again")).toBe(false);
    });

    test("random histories agree with a sorted map", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 60, size: "max" }), async (steps) => {
          await store.clear(everything);
          for (const counter of counters) await store.dropTotals(counter);
          const oracle = new OracleStore();
          for (const group of steps) {
            // The commits of a group run at once, on keys of their own: any order gives one result.
            const results = await Promise.all(group.commits.map((c, n) => perform(store, c, n)));
            const wanted = group.commits.map((c, n) => performOnOracle(oracle, c, n));
            expect(results).toEqual(wanted);
            const page = await store.scan(group.range, group.options);
            expect(listing(page)).toEqual(listing(oracle.scan(group.range, group.options)));
            if (!page.more) expect(oracle.scan(group.range, group.options).more).toBe(false);
          }
          expect(listing(await store.scan(everything, unbounded))).toEqual(
            listing(oracle.scan(everything, unbounded)),
          );
          for (const counter of counters) {
            expect(await store.totals(counter)).toEqual(oracle.totals(counter));
          }
        }),
        { numRuns: histories },
      );
    });
  });
}

const counters = [bytes("c1"), bytes("c2")];
const shortKey = fc
  .array(fc.constantFrom(0, 1, 127, 128, 255), { minLength: 1, maxLength: 3 })
  .map((list) => Buffer.from(list));
const commitStep = fc.record({
  reads: fc.array(shortKey, { maxLength: 3 }),
  writes: fc.array(
    fc.record({
      kind: fc.constantFrom("put" as const, "delete" as const, "add" as const),
      key: shortKey,
      value: fc.uint8Array({ maxLength: 4 }),
    }),
    { maxLength: 5 },
  ),
  onlyIfMissing: fc.boolean(),
});
const step = fc.record({
  commits: fc.array(commitStep, { minLength: 1, maxLength: 4 }),
  range: fc.record({ start: shortKey, end: shortKey }),
  options: fc.record({
    reverse: fc.boolean(),
    limit: fc.integer({ min: 1, max: 12 }),
    bytesMax: fc.integer({ min: 0, max: 40 }),
  }),
});

type CommitStep = typeof commitStep extends fc.Arbitrary<infer T> ? T : never;

/** Prefixes keys with the commit's number within its group, so that a group's commits never meet. */
function plan(commit: CommitStep, n: number) {
  const own = (key: Bytes) => Buffer.concat([Buffer.from([n * 60]), key]);
  const reads = commit.reads.map(own);
  const decide = (values: readonly (Bytes | undefined)[]): Decision<(string | undefined)[]> => {
    const result = values.map(textOf);
    if (commit.onlyIfMissing && result.some((v) => v !== undefined)) return { writes: [], result };
    const writes = commit.writes.map(({ kind, key, value }): Write => {
      if (kind === "put") return { kind, key: own(key), value };
      if (kind === "delete") return { kind, key: own(key) };
      const counter = counters[value.length % 2] as Bytes;
      return { kind, counter, count: value.length - 2, bytes: value[0] ?? 0 };
    });
    return { writes, result };
  };
  return { reads, decide };
}

function perform(store: Store, commit: CommitStep, n: number) {
  const { reads, decide } = plan(commit, n);
  return store.commit(reads, decide);
}

function performOnOracle(oracle: OracleStore, commit: CommitStep, n: number) {
  const { reads, decide } = plan(commit, n);
  return oracle.commit(reads, decide);
}
