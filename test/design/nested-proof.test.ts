import { expect, test } from "vitest";
import { undecidedIn } from "../../src/modeller/proof/verdict.test-support.ts";
import { proveModel } from "../../src/workbench/model-prove.ts";
import { nestedModel } from "../generate/typescript-models.test-support.ts";

const now = Date.UTC(2026, 0, 15, 12);

/** Appends, changes and deletions of what lies in one item, by eight clients at once, too. */
test.each([1, 2])(
  "what lies inside of others is written and read as if it lay apart: seed %i",
  {
    timeout: 120_000,
  },
  async (seed) => {
    const model = nestedModel();
    const proofs = await proveModel(model, { now, seed });
    expect(proofs.map(({ pattern, verdict }) => [pattern, verdict.kind])).toEqual(
      [...model.patterns.keys()].map((id) => [id, "proved"]),
    );
    expect(undecidedIn(proofs)).toEqual([]);
  },
);
