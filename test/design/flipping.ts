import { expect } from "vitest";
import { editText } from "../../src/document/edit.ts";
import type { Model } from "../../src/model/model.ts";
import { parseModel } from "../../src/model/parse.ts";
import { type Designed, designOf } from "../../src/modeller/designer/designer.ts";
import type { Flip } from "../../src/modeller/designer/flips.ts";
import { trialOf } from "../../src/modeller/designer/what-if.ts";
import { integerSolver } from "../../src/workbench/integer-solver.ts";

const solver = await integerSolver();

const modelOf = (text: string): Model => parseModel(text, "model.yaml").model as Model;

export function designed(text: string): Designed {
  const { designed: found, refused } = designOf(modelOf(text), solver);
  if (found === undefined) throw new Error(refused.map(({ text }) => text).join(" "));
  return found;
}

/** The tables if a number of the document were another one, as `--what-if` tries it. */
export function tablesWith(text: string, path: string, value: number): string {
  const trial = trialOf(modelOf(text), `${path}=${value}`);
  if (typeof trial === "string") throw new Error(trial);
  const { designed: found, refused } = designOf(modelOf(editText(text, trial.edits)), solver);
  return JSON.stringify(found?.design.tables ?? refused);
}

/** The number beside it that is printed with as many digits, beyond the flip point. */
function beyond({ value, direction, path }: Flip): number {
  const step = path.endsWith(".bytes") ? 1 : 10 ** (Math.floor(Math.log10(value)) - 3);
  return Number((value + (direction === "above" ? step : -step)).toPrecision(4));
}

/** The design is the same up to the number that is printed, and another one right behind it. */
export function expectFlip(text: string, path: string, direction: Flip["direction"]): void {
  const before = designed(text);
  const flip = before.flips().find((one) => one.path === path && one.direction === direction);
  if (flip === undefined) throw new Error(`no flip of ${path}`);
  const now = JSON.stringify(before.design.tables);
  expect(tablesWith(text, path, flip.value)).toBe(now);
  expect(tablesWith(text, path, beyond(flip))).not.toBe(now);
}
