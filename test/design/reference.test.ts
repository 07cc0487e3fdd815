import { readFileSync } from "node:fs";
import { beforeAll, expect, test, vi } from "vitest";
import type { Model } from "../../src/model/model.ts";
import { modelFrom, parseModel } from "../../src/model/parse.ts";
import { designOf } from "../../src/modeller/designer/designer.ts";
import { weight } from "../../src/modeller/designer/options.ts";
import { Pricing } from "../../src/modeller/designer/pricing.ts";
import type { Solver } from "../../src/modeller/designer/program.ts";
import { upkeepSum } from "../../src/modeller/designer/read-cost.ts";
import { integerSolver } from "../../src/workbench/integer-solver.ts";
import { requirements } from "./cases/mixes.ts";
import { requirementSet } from "./requirement-sets.ts";

let solver: Solver;

beforeAll(async () => {
  solver = await integerSolver();
});

const tiny = 1e-6;

/** Designs a model and holds what indexes cost at least in each layout against what they cost. */
function heldAgainst(
  model: Model,
  /** In one piece, or those with a part of the items apart, beside the same in one piece. */
  items: "whole" | "apart" = "whole",
): { readonly wrong: readonly string[]; readonly seen: number } {
  const wrong: string[] = [];
  let seen = 0;
  const { least } = Pricing.prototype;
  const spy = vi.spyOn(Pricing.prototype, "least").mockImplementation(function (
    this: Pricing,
    reference,
    base,
    layout,
    drafts,
    patterns,
    isLikely = false,
  ) {
    const found = least.call(this, reference, base, layout, drafts, patterns, isLikely);
    const isCompared = (layout.idea === "split") !== (reference.layout.idea === "split");
    if (isLikely || isCompared !== (items === "apart")) return found;
    const exact = this.added(base, layout, drafts, [], patterns);
    for (const [draft, atLeast] of found) {
      const cost = exact.get(draft);
      if (cost === undefined || cost.reads.size === 0) continue;
      // What somebody would take who does not find everything in it is not offered.
      if ([...cost.reads.keys()].some((id) => draft.readers?.has(id) === false)) continue;
      seen += 1;
      if (upkeepSum(atLeast.upkeep) > upkeepSum(cost.upkeep) + tiny) {
        wrong.push(`${draft.id}: ${upkeepSum(atLeast.upkeep)}, ${upkeepSum(cost.upkeep)}`);
      }
      for (const [id, read] of cost.reads) {
        const one = atLeast.reads.get(id) ?? base.reads.get(id);
        if (one === undefined || weight(one) > weight(read) + tiny) {
          wrong.push(`${id} in ${draft.id}: ${one?.dollars}, ${read.dollars}`);
        }
      }
    }
    return found;
  });
  designOf(model, solver, { whole: items === "whole" });
  spy.mockRestore();
  return { wrong, seen };
}

/** What comes out, and what comes out if every layout is priced with all its indexes. */
function bothWays(model: Model): readonly (number | undefined)[] {
  const total = (): number | undefined => designOf(model, solver).designed?.total;
  const quick = total();
  const spy = vi.spyOn(Pricing.prototype, "reference").mockReturnValue(undefined);
  const whole = total();
  expect(spy).toHaveBeenCalled();
  spy.mockRestore();
  return [quick, whole];
}

test.each(["online-shop", "device-readings", "documents", "voting"])(
  "nothing is missed: %s",
  { timeout: 120_000 },
  (name) => {
    const text = readFileSync(`examples/models/${name}.yaml`, "utf8");
    const [quick, whole] = bothWays(parseModel(text, name).model as Model);
    expect(quick).toBeCloseTo(whole ?? Number.NaN, 6);
  },
);

test("nothing is missed where planners would take a sparse index that lacks something", () => {
  const text = requirements("retail-cart", "read-heavy");
  const [quick, whole] = bothWays(parseModel(text, "retail-cart").model as Model);
  expect(quick).toBeCloseTo(whole ?? Number.NaN, 6);
}, 120_000);

// Somebody who would not find everything in a sparse index does well with one table, and not with another one.
test.each([135, 376])("nothing is missed where caches are: requirement set %i", (seed) => {
  const [quick, whole] = bothWays(modelFrom(requirementSet(seed)).model as Model);
  expect(quick).toBeCloseTo(whole ?? Number.NaN, 6);
});

test("what an index costs at least is never more than it costs: drawn requirements", () => {
  let all = 0;
  for (let seed = 0; seed < 100; seed += 1) {
    const { model } = modelFrom({ ...requirementSet(seed), overview: { region: "us-east-2" } });
    const { wrong, seen } = heldAgainst(model as Model);
    expect(wrong, `seed ${seed}`).toEqual([]);
    all += seen;
  }
  expect(all).toBeGreaterThan(10);
}, 120_000);

test.each(["saas-workspaces", "device-readings", "game-leaderboard", "code-hosting"])(
  "what an index costs at least is never more than it costs: %s",
  { timeout: 120_000 },
  (name) => {
    const text = readFileSync(`examples/models/${name}.yaml`, "utf8");
    const { wrong, seen } = heldAgainst(parseModel(text, name).model as Model);
    expect(wrong).toEqual([]);
    expect(seen).toBeGreaterThan(20);
  },
);

test.each(["saas-workspaces", "online-shop", "game-leaderboard", "code-hosting"])(
  "nor where a part of the items lies apart: %s",
  { timeout: 120_000 },
  (name) => {
    const text = readFileSync(`examples/models/${name}.yaml`, "utf8");
    const { wrong, seen } = heldAgainst(parseModel(text, name).model as Model, "apart");
    expect(wrong).toEqual([]);
    expect(seen).toBeGreaterThan(1);
  },
);

test("nor where a part of the items lies apart: drawn requirements", { timeout: 120_000 }, () => {
  let all = 0;
  for (let seed = 0; seed < 200; seed += 1) {
    const { model } = modelFrom({ ...requirementSet(seed), overview: { region: "us-east-2" } });
    const { wrong, seen } = heldAgainst(model as Model, "apart");
    expect(wrong, `seed ${seed}`).toEqual([]);
    all += seen;
  }
  expect(all).toBeGreaterThan(10);
});
