import fc from "fast-check";
import { expect, test } from "vitest";
import type { Bytes } from "../store.ts";
import { OrderedTree } from "./ordered-tree.ts";

// Few different bytes and short keys: prefixes of each other and repeated keys are common.
const key = fc
  .array(fc.constantFrom(0, 1, 2, 127, 128, 255), { minLength: 1, maxLength: 5 })
  .map((bytes) => Buffer.from(bytes));
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("put" as const), key }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("delete" as const), key }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("snapshot" as const), key }) },
);

function listing(tree: OrderedTree, start: Bytes, end: Bytes, way: "ascend" | "descend"): string[] {
  const found: string[] = [];
  tree[way](start, end, (k, v) => {
    found.push(`${Buffer.from(k).toString("hex")}=${Buffer.from(v).toString("latin1")}`);
    return true;
  });
  return found;
}

function expected(oracle: ReadonlyMap<string, string>, start: Bytes, end: Bytes): string[] {
  const from = Buffer.from(start).toString("hex");
  const to = Buffer.from(end).toString("hex");
  return [...oracle]
    .filter(([k]) => k >= from && k < to)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([k, v]) => `${k}=${v}`);
}

const lowest = Buffer.alloc(0);
const highest = Buffer.alloc(8, 0xff);

test("a tree and its snapshots agree with sorted maps", () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 3_000, size: "max" }),
      key,
      key,
      (steps, start, end) => {
        const tree = new OrderedTree();
        const oracle = new Map<string, string>();
        const snapshots: { tree: OrderedTree; oracle: Map<string, string> }[] = [];
        for (const [index, { kind, key }] of steps.entries()) {
          const name = key.toString("hex");
          if (kind === "put") {
            tree.put(key, Buffer.from(String(index), "latin1"));
            oracle.set(name, String(index));
          } else if (kind === "delete") {
            expect(tree.delete(key)).toBe(oracle.delete(name));
          } else if (snapshots.length < 4) {
            snapshots.push({ tree: tree.snapshot(), oracle: new Map(oracle) });
          }
        }
        for (const state of [{ tree, oracle }, ...snapshots]) {
          expect(state.tree.size).toBe(state.oracle.size);
          const all = expected(state.oracle, lowest, highest);
          expect(listing(state.tree, lowest, highest, "ascend")).toEqual(all);
          expect(listing(state.tree, lowest, highest, "descend")).toEqual(all.reverse());
          const some = expected(state.oracle, start, end);
          expect(listing(state.tree, start, end, "ascend")).toEqual(some);
          expect(listing(state.tree, start, end, "descend")).toEqual(some.reverse());
          for (const [name, value] of state.oracle) {
            const found = state.tree.get(Buffer.from(name, "hex"));
            expect(found && Buffer.from(found).toString("latin1")).toBe(value);
          }
        }
      },
    ),
    { numRuns: 40 },
  );
});

test("filling in order, in reverse and emptying leaves a correct tree of three levels", () => {
  const count = 20_000;
  const keyOf = (n: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(n);
    return bytes;
  };
  for (const order of [(n: number) => n, (n: number) => count - 1 - n]) {
    const tree = new OrderedTree();
    for (let n = 0; n < count; n++) tree.put(keyOf(order(n)), keyOf(order(n)));
    expect(listing(tree, lowest, highest, "ascend").length).toBe(count);
    const kept = tree.snapshot();
    for (let n = 0; n < count; n++) expect(tree.delete(keyOf((n * 7_919) % count))).toBe(true);
    expect(tree.size).toBe(0);
    expect(listing(tree, lowest, highest, "ascend")).toEqual([]);
    for (let n = 0; n < count; n++) expect(kept.get(keyOf(n))).toEqual(keyOf(n));
  }
});
