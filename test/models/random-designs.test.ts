import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { Random } from "../random.ts";
import { draftOf } from "./design-draft.ts";
import { sabotages } from "./design-sabotage.ts";
import { judgeSabotage, proveDesign, provedIn, randomDesign, tools } from "./design-trial.ts";
import { drawVariant, variants } from "./design-variants.ts";
import { readDocument } from "./run-model.ts";

const isLong = process.env.KEYWRIGHT_LONG === "1";
/** Small models without findings of their own are for every run; the long run draws about 1,000 designs of each kind. */
const seeds = isLong ? Array.from({ length: 400 }, (_, i) => 600_001 + i) : [600_006, 600_010];
/** Right designs of one model, and designs with a mistake. */
const perModel = isLong ? 3 : 2;
const timeout = isLong ? 6 * 3_600_000 : 60_000;
const regressions = new URL("regressions/", import.meta.url);

async function eachDesign(
  run: (
    base: NonNullable<Awaited<ReturnType<typeof randomDesign>>>,
    proved: ReadonlySet<string>,
    seed: number,
  ) => Promise<void>,
): Promise<void> {
  for (const seed of seeds) {
    const base = await randomDesign(seed, new Random(seed));
    if (base === undefined) continue;
    const proved = provedIn(await proveDesign(base));
    if (proved.size > 0) await run(base, proved, seed);
  }
}

describe("random designs", () => {
  test("right designs are never wrong", { timeout }, async () => {
    const wrong: string[] = [];
    await eachDesign(async (base, proved, seed) => {
      for (let i = 0; i < perModel; i += 1) {
        const steps = drawVariant(base, new Random(seed * 100 + i), 1 + i);
        const last = steps.at(-1);
        if (last === undefined) continue;
        const { complaints, results } = await proveDesign(last.document, proved);
        const names = `${seed}.${i} ${steps.map(({ name }) => name).join(" > ")}`;
        if (complaints !== undefined) wrong.push(`${names}: ${complaints}`);
        for (const [id, { kind, signature }] of results) {
          if (kind === "wrong" || kind === "defect") wrong.push(`${names}: ${id} ${signature}`);
        }
      }
    });
    expect(wrong).toEqual([]);
  });

  test("every mistake is found by the reader, the proof, check or lint", { timeout }, async () => {
    const survivors: string[] = [];
    await eachDesign(async (base, proved, seed) => {
      const random = new Random(seed * 100 + 50);
      const draft = draftOf(base, random);
      if (draft === undefined) return;
      let left = perModel;
      for (const sabotage of random.sample(sabotages, sabotages.length)) {
        const made = left === 0 ? undefined : sabotage.apply(draft);
        if (made === undefined) continue;
        left -= 1;
        const { found, unusable } = await judgeSabotage(base, proved, sabotage, made);
        if (unusable === undefined && tools.every((tool) => found[tool] === undefined)) {
          survivors.push(`${seed} ${sabotage.name}: ${made.what}`);
        }
      }
    });
    expect(survivors).toEqual([]);
  });

  test.runIf(isLong)(
    "every transformation and every mistake applies to one of some models",
    { timeout },
    async () => {
      const missing = new Set([...variants, ...sabotages].map(({ name }) => name));
      for (const seed of seeds.slice(0, 200)) {
        const base = await randomDesign(seed, new Random(seed));
        const draft = base && draftOf(base, new Random(seed));
        if (draft === undefined) continue;
        for (const { name, apply } of [...variants, ...sabotages]) {
          if (missing.has(name) && apply(draft) !== undefined) missing.delete(name);
        }
      }
      expect([...missing]).toEqual([]);
    },
  );

  test("right designs that were taken for wrong once are not any more", { timeout }, async () => {
    for (const file of readdirSync(regressions).filter((name) => name.endsWith(".yaml"))) {
      const document = readDocument(readFileSync(new URL(file, regressions), "utf8"), file);
      if (document.design === undefined) continue;
      const { complaints, results } = await proveDesign(document);
      expect(complaints).toBeUndefined();
      const open = [...results].filter(([, { kind }]) => kind === "wrong" || kind === "defect");
      expect(open.map(([id, { signature }]) => `${file} ${id}: ${signature}`)).toEqual([]);
    }
  });
});
