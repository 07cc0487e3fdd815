import { beforeAll, expect, test } from "vitest";
import type { LayoutOption, Way } from "../../src/modeller/designer/options.ts";
import type { Solver } from "../../src/modeller/designer/program.ts";
import { pruned } from "../../src/modeller/designer/prune.ts";
import { select } from "../../src/modeller/designer/select.ts";
import { selectByProgram } from "../../src/modeller/designer/select-program.ts";
import { compareWorth, type Worth } from "../../src/modeller/designer/worth.ts";
import { integerSolver } from "../../src/workbench/integer-solver.ts";
import { Random } from "../random.ts";

let solver: Solver;

beforeAll(async () => {
  solver = await integerSolver();
});

/** A layout with drawn prices: what is asked by several, ranks that force somebody to pay more, pairs of indexes. */
function drawnOption(seed: number): LayoutOption {
  const random = new Random(seed * 31 + 7);
  const count = random.between(1, 14);
  const ids = Array.from({ length: count }, (_, i) => `i${i}`);
  const money = (most: number): number => Number((random.unit() * most).toPrecision(3));
  const way = (needs: readonly string[]): Way => ({
    needs,
    dollars: random.chance(0.1) ? 20 : money(100),
    trips: random.between(1, 3),
    rank: random.between(0, 2),
  });
  const readers = Array.from({ length: random.between(1, 8) }, (_, i): [string, Way[]] => {
    const own = ids.filter(() => random.chance(0.5)).map((id) => way([id]));
    const pairs = random.chance(0.3) && count > 1 ? [way(["i0", "i1"])] : [];
    return [`p${i}`, [{ ...way([]), dollars: money(400), rank: 2 }, ...own, ...pairs]];
  });
  return {
    layout: { id: "L", entities: ["E"], main: "E", tables: new Map(), words: "" },
    upkeep: { storage: 1, writes: new Map() },
    indexes: ids.map((id) => ({
      draft: { id, document: { key: { partition: id } }, words: id, entity: "E" },
      upkeep: { storage: money(60), writes: new Map([["p0", money(10)]]) },
    })),
    ways: new Map(readers),
  };
}

function worthOf({ upkeep, indexes, ways }: LayoutOption, chosen: readonly string[]): Worth {
  let [dollars, trips] = [upkeep.storage, 0];
  for (const { draft, upkeep: own } of indexes) {
    if (chosen.includes(draft.id)) dollars += own.storage + (own.writes.get("p0") ?? 0);
  }
  for (const list of ways.values()) {
    const [taken] = list
      .filter(({ needs }) => needs.every((id) => chosen.includes(id)))
      .toSorted((a, b) => a.rank - b.rank || a.dollars - b.dollars || a.trips - b.trips);
    dollars += taken?.dollars ?? Number.NaN;
    trips += taken?.trips ?? Number.NaN;
  }
  return { dollars, trips, indexes: chosen.length };
}

test("the indexes that are chosen are those that an integer program chooses, and as cheap as any", () => {
  for (let seed = 0; seed < 60; seed += 1) {
    const option = drawnOption(seed);
    const found = select(pruned(option), {}, solver);
    const ids = found?.drafts.map(({ id }) => id) ?? [];
    expect(compareWorth(worthOf(option, ids), found as Worth), `seed ${seed}`).toBe(0);
    const byProgram = selectByProgram(option, {}, solver);
    const other = byProgram?.drafts.map(({ id }) => id) ?? [];
    expect(worthOf(option, ids).dollars, `seed ${seed}`).toBeCloseTo(
      worthOf(option, other).dollars,
      6,
    );
  }
});

test("what is left out is not there", () => {
  const option = drawnOption(4);
  const all = select(option, {}, solver)?.drafts.map(({ id }) => id) ?? [];
  expect(all.length).toBeGreaterThan(0);
  const pins = { without: new Set(all) };
  const ids = select(option, pins, solver)?.drafts.map(({ id }) => id) ?? [];
  for (const id of all) expect(ids).not.toContain(id);
  const other = selectByProgram(option, pins, solver)?.drafts.map(({ id }) => id) ?? [];
  expect(worthOf(option, ids).dollars).toBeCloseTo(worthOf(option, other).dollars, 6);
});

test("a table has at most 20 global indexes", () => {
  const base = drawnOption(1);
  const ids = Array.from({ length: 21 }, (_, i) => `i${i}`);
  const option: LayoutOption = {
    ...base,
    indexes: ids.map((id) => ({
      draft: { id, document: { key: { partition: id } }, words: id, entity: "E" },
      upkeep: { storage: 1, writes: new Map() },
    })),
    ways: new Map(
      ids.map((id, i): [string, readonly Way[]] => [
        id,
        [
          { needs: [], dollars: 100 + i, trips: 1, rank: 2 },
          { needs: [id], dollars: 1, trips: 1, rank: 0 },
        ],
      ]),
    ),
  };
  const found = select(option, {}, solver)?.drafts.map(({ id }) => id);
  expect(found?.toSorted()).toEqual(ids.slice(1).toSorted());
});

test("what is only known to cost no less keeps nobody from what is cheaper", () => {
  const way = (dollars: number, rank: number, needs: readonly string[]): Way => ({
    dollars,
    rank,
    needs,
    trips: 1,
  });
  const option: LayoutOption = {
    layout: { id: "L", entities: ["E"], main: "E", tables: new Map(), words: "" },
    upkeep: { storage: 1, writes: new Map() },
    indexes: [
      {
        draft: { id: "i0", document: { key: { partition: "i0" } }, words: "i0", entity: "E" },
        upkeep: { storage: 5, writes: new Map() },
        atLeast: true,
      },
    ],
    ways: new Map([
      ["sorted by the caller", [way(10, 1, []), way(50, 0, ["i0"])]],
      ["another", [way(100, 0, []), way(20, 0, ["i0"])]],
    ]),
  };
  const found = select(option, {}, solver);
  expect(found?.drafts.map(({ id }) => id)).toEqual(["i0"]);
  expect(found?.dollars).toBe(1 + 5 + 10 + 20);
});

/** One of two readers is served by an index that the other one would misread, unless there is something better for it. */
function misreadOption(more: readonly Way[]): LayoutOption {
  const way = (dollars: number, needs: readonly string[]): Way => ({
    dollars,
    rank: 0,
    needs,
    trips: 1,
  });
  const index = (id: string, storage: number) => ({
    draft: { id, document: { key: { partition: id } }, words: id, entity: "E" },
    upkeep: { storage, writes: new Map<string, number>() },
  });
  const sparse = index("sparse", 5);
  const read = (dollars: number, uses: readonly string[]) => ({
    dollars,
    trips: 1,
    rank: 0,
    uses,
    late: false,
    outside: false,
  });
  return {
    layout: { id: "L", entities: ["E"], main: "E", tables: new Map(), words: "" },
    upkeep: { storage: 1, writes: new Map() },
    indexes: [
      {
        ...sparse,
        draft: { ...sparse.draft, makes: "mark", readers: new Set(["gold ones"]) },
      },
      index("whole", 20),
    ],
    ways: new Map([
      ["gold ones", [way(100, []), way(10, ["sparse"]), ...more]],
      ["those of a kind", [way(100, []), way(90, ["whole"])]],
    ]),
    whole: (drafts) => {
      const has = (id: string): boolean => drafts.some((one) => one.id === id);
      const kind = has("whole") ? read(90, ["whole"]) : read(2, ["sparse"]);
      return {
        upkeep: { storage: has("whole") ? 26 : 6, writes: new Map() },
        reads: new Map([
          ["gold ones", read(10, ["sparse"])],
          ["those of a kind", kind],
        ]),
      };
    },
  };
}

test("a sparse index is there only beside what keeps others from misreading it", () => {
  const found = select(misreadOption([]), {}, solver);
  expect(found?.drafts.map(({ id }) => id)).toEqual(["sparse", "whole"]);
  expect(found?.dollars).toBe(26 + 10 + 90);
});

test("an index that may be misread takes no other one's place", () => {
  const other: Way = { dollars: 10, rank: 0, needs: ["other"], trips: 1 };
  const option = misreadOption([other]);
  const [sparse] = option.indexes;
  const plain = {
    draft: {
      id: "other",
      document: { key: { partition: "other" } },
      words: "",
      entity: "E",
      makes: "mark",
    },
    upkeep: { storage: 6, writes: new Map() },
  };
  const left = pruned({ ...option, indexes: [...(sparse ? [sparse] : []), plain] });
  expect(left.indexes.map(({ draft }) => draft.id)).toEqual(["sparse", "other"]);
});
