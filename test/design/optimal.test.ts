import { beforeAll, expect, test } from "vitest";
import type { Model } from "../../src/model/model.ts";
import { modelFrom } from "../../src/model/parse.ts";
import { designOf } from "../../src/modeller/designer/designer.ts";
import type { Solver } from "../../src/modeller/designer/program.ts";
import { heatOf, isOver } from "../../src/modeller/heat/heat.ts";
import { integerSolver } from "../../src/workbench/integer-solver.ts";
import { cheapestOf } from "./brute-force.ts";
import { requirementSet } from "./requirement-sets.ts";

let solver: Solver;

beforeAll(async () => {
  solver = await integerSolver();
});

const isLong = process.env.KEYWRIGHT_LONG !== undefined;
const sets = isLong ? 2_000 : 200;
const each = 50;

test.each(Array.from({ length: sets / each }, (_, i) => i * each))(
  "nothing is cheaper than what the designer finds: requirement sets from %i on",
  { timeout: 600_000 },
  (first) => {
    const wrong: string[] = [];
    let compared = 0;
    for (let seed = first; seed < first + each; seed += 1) {
      const document = requirementSet(seed);
      const cheapest = cheapestOf(document);
      const { designed, refused } = designOf(modelFrom(document).model as Model, solver);
      // Trying all knows nothing of what one partition can take.
      const whole = modelFrom({ ...document, design: { tables: { Things: cheapest.table } } });
      if (isOver(heatOf(whole.model as Model))) continue;
      compared += 1;
      const total = designed?.total ?? Number.NaN;
      if (!(Math.abs(total - cheapest.total) < 0.005)) {
        wrong.push(`${seed}: ${total} instead of ${cheapest.total} ${refused.join(" ")}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(each / 2);
  },
);
