import { expect, test } from "vitest";
import { modelOf } from "../../src/model/model.test-support.ts";
import {
  unchallengedIn,
  undecidedIn,
  unprovedIn,
} from "../../src/modeller/proof/verdict.test-support.ts";
import { proveModel } from "../../src/workbench/model-prove.ts";
import { largeModel } from "./large-model.ts";

/** In short runs a tenth of the patterns, with all kinds of them; in long ones all. */
const step = process.env.KEYWRIGHT_LONG === undefined ? 11 : 1;

test("a model of 50 entities and 200 patterns is proved", { timeout: 600_000 }, async () => {
  const model = modelOf(largeModel(50, 200));
  const ids = [...model.patterns.keys()].filter((_, i) => i % step === 0);
  const now = Date.UTC(2026, 0, 15, 12);
  const proofs = await proveModel(model, { now, only: new Set(ids) });
  expect(proofs).toHaveLength(ids.length);
  expect([...unprovedIn(proofs), ...undecidedIn(proofs), ...unchallengedIn(proofs)]).toEqual([]);
});
