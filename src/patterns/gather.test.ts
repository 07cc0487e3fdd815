import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { gatherItems, gatherPage, gatherUnordered } from "./gather.ts";
import type { PageInput } from "./pages.ts";
import { TokenError } from "./token.ts";

interface Row {
  readonly shard: number;
  readonly at: number;
  readonly id: number;
}

const compare = (a: Row, b: Row): number => a.at - b.at;
const keyOf = ({ shard, at, id }: Row) => ({ pk: `S#${shard}`, at, id });

/** Shards of rows in order, in pages of two; a filter may leave pages empty. */
function shards(rows: readonly (readonly Row[])[], keeps: (row: Row) => boolean = () => true) {
  const inputs: { readonly shard: number; readonly page: PageInput }[] = [];
  const watch = { running: 0, most: 0 };
  const sources = rows.map((list, shard) => ({
    name: String(shard),
    send: async (page: PageInput) => {
      inputs.push({ shard, page });
      watch.running += 1;
      watch.most = Math.max(watch.most, watch.running);
      await Promise.resolve();
      watch.running -= 1;
      const after = page.ExclusiveStartKey;
      const start = after === undefined ? 0 : list.findIndex(({ id }) => id === after.id) + 1;
      const size = Math.min(page.Limit ?? 2, 2);
      const found = list.slice(start, start + size);
      const last = found.at(-1);
      return {
        Items: found.filter(keeps),
        ...(last !== undefined && found.length === size && { LastEvaluatedKey: keyOf(last) }),
      };
    },
  }));
  return { sources, inputs, watch };
}

const rowsOf = (times: readonly (readonly number[])[]): readonly (readonly Row[])[] =>
  times.map((list, shard) =>
    list.toSorted((a, b) => a - b).map((at, place) => ({ shard, at, id: shard * 1_000 + place })),
  );

async function listOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

const times = fc.array(fc.array(fc.nat(20), { maxLength: 9 }), { maxLength: 6 });
/** By time; of equals, by shard, then as they lie there. */
const expected = (rows: readonly (readonly Row[])[]): Row[] =>
  rows.flat().toSorted((a, b) => a.at - b.at || a.shard - b.shard || a.id - b.id);

const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

describe("what is gathered", () => {
  test("is in order over all sources, and nothing is missing", async () => {
    await fc.assert(
      fc.asyncProperty(times, fc.boolean(), async (lists, isFiltered) => {
        const rows = rowsOf(lists);
        const keeps = (row: Row): boolean => !isFiltered || row.at % 3 === 0;
        const { sources } = shards(rows, keeps);
        const found = await listOf(gatherItems(sources, { compare }));
        expect(found).toEqual(expected(rows).filter(keeps));
      }),
    );
  });

  test("comes page by page in the same order, however large the pages are", async () => {
    await fc.assert(
      fc.asyncProperty(
        times,
        fc.integer({ min: 1, max: 7 }),
        fc.boolean(),
        async (lists, limit, isFiltered) => {
          const rows = rowsOf(lists);
          const keeps = (row: Row): boolean => !isFiltered || row.at % 3 === 0;
          const { sources } = shards(rows, keeps);
          const found: Row[] = [];
          let token: string | undefined;
          do {
            const page = await gatherPage(sources, { compare, keyOf, limit, scope: "s", token });
            expect(page.items.length).toBeLessThanOrEqual(limit);
            if (page.token !== undefined) expect(page.items).toHaveLength(limit);
            found.push(...page.items);
            token = page.token;
          } while (token !== undefined);
          expect(found).toEqual(expected(rows).filter(keeps));
        },
      ),
    );
  });

  test("is read source by source if there is no order, and no more than is wanted", async () => {
    const rows = rowsOf([[5, 6, 7], [1, 2, 3], [4]]);
    const { sources, inputs } = shards(rows);
    expect(await listOf(gatherItems(sources))).toEqual(rows.flat());
    inputs.length = 0;
    const page = await gatherPage(sources, { keyOf, limit: 4, scope: "s" });
    expect(page.items.map(({ at }) => at)).toEqual([5, 6, 7, 1]);
    expect(new Set(inputs.map(({ shard }) => shard))).toEqual(new Set([0, 1]));
    const next = await gatherPage(sources, { keyOf, limit: 4, scope: "s", token: page.token });
    expect(next.items.map(({ at }) => at)).toEqual([2, 3, 4]);
    expect(next.token).toBeUndefined();
  });

  test("is asked for side by side, so many at once", async () => {
    const many = Array.from({ length: 30 }, (_, at) => [at]);
    const one = shards(rowsOf(many));
    await listOf(gatherItems(one.sources, { compare, concurrency: 5 }));
    expect(one.watch.most).toBe(5);
    const other = shards(rowsOf(many));
    await listOf(gatherItems(other.sources, { compare }));
    expect(other.watch.most).toBe(8);
  });

  test("is asked for once per source where one page holds all that is wanted", async () => {
    const { sources, inputs } = shards(
      rowsOf([
        [1, 2, 3, 4],
        [5, 6, 7, 8],
      ]),
    );
    const { items } = await gatherPage(sources, { compare, keyOf, limit: 2, scope: "s" });
    expect(items.map(({ at }) => at)).toEqual([1, 2]);
    expect(inputs).toEqual([
      { shard: 0, page: { Limit: 2 } },
      { shard: 1, page: { Limit: 2 } },
    ]);
  });

  test("does not come again from a source that is at its end, nor from what a filter dropped", async () => {
    const { sources, inputs } = shards(rowsOf([[1], [2, 3, 3, 4]]), ({ at }) => at !== 3);
    const options = { compare, keyOf, limit: 2, scope: "s" };
    const { items, token } = await gatherPage(sources, options);
    expect(items.map(({ at }) => at)).toEqual([1, 2]);
    inputs.length = 0;
    const next = await gatherPage(sources, { ...options, token });
    expect(next.items.map(({ at }) => at)).toEqual([4]);
    expect(inputs.map(({ shard, page }) => [shard, page.ExclusiveStartKey?.id])).toEqual([
      [1, 1_001],
      [1, 1_003],
    ]);
  });

  test("has tokens for its scope and its sources alone", async () => {
    const { sources } = shards(
      rowsOf([
        [1, 2, 3],
        [4, 5, 6],
      ]),
    );
    const options = { compare, keyOf, limit: 2, scope: "s" };
    const { token } = await gatherPage(sources, options);
    await expect(gatherPage(sources, { ...options, scope: "t", token })).rejects.toThrow("else");
    await expect(gatherPage(sources.slice(1), { ...options, token })).rejects.toThrow(
      "a token of other sources",
    );
    for (const limit of [0, -1, 1.5, Number.NaN]) {
      await expect(gatherPage(sources, { ...options, limit })).rejects.toThrow("cannot be");
    }
  });

  test("refuses positions in another partition", async () => {
    const { sources } = shards(
      rowsOf([
        [1, 2, 3],
        [4, 5, 6],
      ]),
    );
    const options = { compare, keyOf, limit: 2, scope: "s" };
    const { token } = await gatherPage(sources, options);
    const fixed = (shard: number) => ({ pk: `S#${shard}` });
    const own = sources.map((source, shard) => ({ ...source, fixed: fixed(shard) }));
    expect((await gatherPage(own, { ...options, token })).items).toHaveLength(2);
    const swapped = sources.map((source, shard) => ({ ...source, fixed: fixed(1 - shard) }));
    await expect(gatherPage(swapped, { ...options, token })).rejects.toThrow(TokenError);
  });

  test("comes in any order if none is asked for, so many at once, and nothing is missing", async () => {
    const rows = rowsOf([[1, 2, 3, 4, 5], [], [6, 7], [8], [9, 10, 11]]);
    const { sources, watch } = shards(rows, ({ at }) => at % 2 === 1);
    const found = await listOf(gatherUnordered(sources, { concurrency: 3 }));
    expect(found.map(({ at }) => at).toSorted((a, b) => a - b)).toEqual([1, 3, 5, 7, 9, 11]);
    expect(watch.most).toBe(3);
    // A page is used, the next one under way.
    const all = shards(rows);
    for await (const _ of gatherUnordered(all.sources, { concurrency: 1, pageSize: 1 })) break;
    expect(all.inputs.map(({ shard }) => shard)).toEqual([0, 0]);
    expect(await listOf(gatherUnordered([]))).toEqual([]);
  });

  test("fails if a source does, also while nobody waits", async () => {
    const { sources } = shards(rowsOf([[1, 2, 3, 4]]));
    const broken = { name: "x", send: () => Promise.reject(new Error("broken")) };
    await expect(listOf(gatherUnordered([...sources, broken]))).rejects.toThrow("broken");
    await expect(listOf(gatherItems([...sources, broken], { compare }))).rejects.toThrow("broken");
    // The second page fails while the first is used.
    const failing = {
      name: "y",
      send: async (page: PageInput) => {
        if (page.ExclusiveStartKey !== undefined) return broken.send();
        return { Items: [1, 2], LastEvaluatedKey: { id: 2 } };
      },
    };
    const found: number[] = [];
    const slow = async (): Promise<void> => {
      for await (const item of gatherUnordered([failing])) {
        found.push(item);
        await later();
      }
    };
    await expect(slow()).rejects.toThrow("broken");
    expect(found).toEqual([1, 2]);
  });
});
