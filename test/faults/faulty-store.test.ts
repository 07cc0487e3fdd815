import { describe, expect, test } from "vitest";
import { openMemoryStore } from "../../src/storage/memory/memory-store.ts";
import type { Store } from "../../src/storage/store.ts";
import { describeStoreContract } from "../storage/contract.ts";
import { type Fault, FaultyStore, faultAt, randomFaults, turns } from "../storage/faulty-store.ts";

describeStoreContract(
  "a faulty store without faults: memory",
  async () => {
    const inner = openMemoryStore();
    const store = new FaultyStore(inner, () => undefined);
    return { store: closingBoth(store, inner) };
  },
  { histories: 10 },
);

describeStoreContract(
  "a faulty store with delays: memory",
  async () => {
    const inner = openMemoryStore();
    const delays: Fault[] = [
      { do: "delay", before: 2 },
      { do: "delay", after: 3 },
    ];
    return { store: closingBoth(new FaultyStore(inner, randomFaults(7, 0.3, delays)), inner) };
  },
  { histories: 5 },
);

/** The contract says that a closed store answers nothing; and what was called before is answered. */
function closingBoth(store: FaultyStore, inner: Store): Store {
  return new Proxy<Store>(store, {
    get(target, name) {
      if (name !== "close") {
        const member: unknown = Reflect.get(target, name);
        return typeof member === "function" ? member.bind(target) : member;
      }
      return async () => {
        await turns(100);
        await inner.close();
      };
    },
  });
}

const bytes = (text: string) => Buffer.from(text);
const all = { start: Buffer.alloc(0), end: Buffer.from([255]) };
const unbounded = { limit: 1_000, bytesMax: 1_000_000 };

function put(store: Store, key: string): Promise<string> {
  return store.commit([], () => ({
    writes: [{ kind: "put", key: bytes(key), value: bytes("v") }],
    result: key,
  }));
}

async function keysIn(store: Store): Promise<string[]> {
  const { entries } = await store.scan(all, unbounded);
  return entries.map(({ key }) => Buffer.from(key).toString());
}

/** What a promise comes to within some turns of the event loop. */
async function fate(promise: Promise<unknown>): Promise<unknown> {
  let known: unknown = "open";
  promise.then(
    (value) => {
      known = value;
    },
    (error: Error) => {
      known = error.message;
    },
  );
  await turns(10);
  return known;
}

describe("a faulty store", () => {
  const on = (plan: ConstructorParameters<typeof FaultyStore>[1], seed?: number) => {
    const inner = openMemoryStore();
    return { inner, store: new FaultyStore(inner, plan, seed) };
  };

  test("fails the nth call of a kind, and nothing has happened", async () => {
    const { inner, store } = on(faultAt(2, { do: "fail" }, ["commit"]));
    await put(store, "a");
    await store.get([bytes("a")]);
    await expect(put(store, "b")).rejects.toThrow("commit, call 3, failed");
    await put(store, "c");
    expect(await keysIn(inner)).toEqual(["a", "c"]);
    expect(store.met).toEqual([{ kind: "commit", nth: 2, number: 3, fault: { do: "fail" } }]);
  });

  test("throws at once where an embedded store would", () => {
    const { store } = on(faultAt(1, { do: "fail", at: "once" }));
    expect(() => store.get([])).toThrow("get, call 1, failed");
  });

  test("loses the answer of what has happened", async () => {
    const { inner, store } = on(faultAt(1, { do: "lose" }));
    await expect(put(store, "a")).rejects.toThrow("commit, call 1, was applied but not answered");
    expect(await keysIn(inner)).toEqual(["a"]);
  });

  test("holds calls back until they are let go, the last first", async () => {
    const { inner, store } = on(({ number }) => (number < 3 ? { do: "hold" } : undefined));
    const answered: string[] = [];
    const both = [put(store, "a"), put(store, "b")].map((each) =>
      each.then((key) => answered.push(key)),
    );
    await put(store, "c");
    expect(await keysIn(inner)).toEqual(["c"]);
    store.release();
    await Promise.all(both);
    expect(answered).toEqual(["b", "a"]);
    expect(await keysIn(inner)).toEqual(["a", "b", "c"]);
  });

  test("delays what is to be done, or its answer", async () => {
    const { inner, store } = on(({ number }) =>
      number === 1 ? { do: "delay", before: 5 } : { do: "delay", after: 5 },
    );
    const [first, second] = [put(store, "a"), put(store, "b")];
    await turns(2);
    expect(await keysIn(inner)).toEqual(["b"]);
    expect(await Promise.race([first, second, turns(1).then(() => "none")])).toBe("none");
    expect(await Promise.all([first, second])).toEqual(["a", "b"]);
  });

  test("stops a clear half-way", async () => {
    const { inner, store } = on(faultAt(1, { do: "tear" }, ["clear"]));
    for (const key of ["a", "b", "c", "d"]) await put(store, key);
    await expect(store.clear(all)).rejects.toThrow("clear, call 5, failed");
    expect(await keysIn(inner)).toEqual(["c", "d"]);
  });

  test("dies: nothing is answered any more, and what was under way has happened or not", async () => {
    const survivors = new Set<string>();
    for (let seed = 1; seed <= 40; seed += 1) {
      const death = faultAt(5, { do: "die" });
      const { inner, store } = on(
        (call) => death(call) ?? (call.number > 2 ? { do: "delay", before: 50 } : undefined),
        seed,
      );
      await put(store, "a");
      await put(store, "b");
      const open = ["c", "d", "e"].map((key) => put(store, key));
      await store.death;
      open.push(put(store, "f"));
      expect(await Promise.all(open.map(fate))).toEqual(["open", "open", "open", "open"]);
      survivors.add((await keysIn(inner)).join(""));
    }
    expect([...survivors].sort()).toEqual(
      ["ab", "abc", "abcd", "abcde", "abce", "abd", "abde", "abe"].sort(),
    );
  });

  test("meets the same faults with the same seed", async () => {
    const faults: Fault[] = [{ do: "fail" }, { do: "lose" }];
    const met = async (seed: number) => {
      const { store } = on(randomFaults(seed, 0.3, faults));
      for (let i = 0; i < 30; i += 1) await put(store, `k${i}`).catch(() => {});
      return JSON.stringify(store.met);
    };
    expect(await met(1)).toBe(await met(1));
    expect(await met(1)).not.toBe(await met(2));
  });
});
