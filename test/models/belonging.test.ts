import { describe, expect, test } from "vitest";
import { examples, modelOf } from "../../src/model/model.test-support.ts";
import type { Model } from "../../src/model/model.ts";
import { printModel } from "../../src/model/print.ts";
import { Facts } from "../../src/modeller/facts.ts";
import { linkOf } from "../../src/modeller/plans/links.ts";
import { pairsBetween } from "../../src/modeller/proof/oracle/belonging.ts";
import { parsedModel } from "../../src/workbench/model-parse.ts";
import { randomModel } from "./random-model.ts";

/** The planner and the oracle have code of their own for which entities belong together, and share nothing of it. */
function disagreements(model: Model): string[] {
  const entities = [...model.entities.values()];
  const facts = Facts.of(model);
  return entities.flatMap((own) =>
    entities.flatMap((other) => {
      const planned = [...linkOf(facts, own, other, [], new Map(), 0)].map(
        ([theirs, binding]) =>
          `${theirs} = ${binding.kind === "result" ? binding.attribute : binding.kind}`,
      );
      const expected = pairsBetween(model, own, other).map((pair) => `${pair.other} = ${pair.own}`);
      const [a, b] = [planned, expected].map((one) => one.toSorted().join(", "));
      return a === b ? [] : [`${own.name} with ${other.name}: planner ${a}; oracle ${b}`];
    }),
  );
}

describe("which entities belong together", () => {
  test.each(examples)("is the same to the planner and to the oracle in %s", (_, text) => {
    expect(disagreements(modelOf(text))).toEqual([]);
  });

  test("is the same to the planner and to the oracle in 300 random models", () => {
    const found: string[] = [];
    for (let seed = 1; seed <= 300; seed += 1) {
      const { model } = parsedModel(printModel(randomModel(seed)), "model.yaml");
      if (model === undefined) continue;
      found.push(...disagreements(model).map((one) => `${seed}: ${one}`));
    }
    expect(found).toEqual([]);
  }, 60_000);
});
