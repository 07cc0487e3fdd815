import type { ModelDocument } from "../../src/model/model-document.ts";
import type { DesignOptions } from "../../src/workbench/model-design.ts";
import { Random } from "../random.ts";

/** Draws options of `keywright design`, and says whether they need a document that has a design already. */

export type DrawnOptions = Partial<DesignOptions>;

/** The same seed draws the same options for the same document. */
export function drawOptions(seed: number, { patterns }: ModelDocument): DrawnOptions {
  const random = new Random(Math.imul(seed, 0x85ebca6b) ^ 0xc2b2ae35);
  const dollars = (): number => random.pick([0, 0, 0.5, 2, 20]);
  const pattern = random.pick(Object.keys(patterns ?? {}));
  return random.choose<DrawnOptions>([
    [3, () => ({ style: "generic" })],
    [2, () => ({ whole: true })],
    [1, () => ({ whole: true, style: "generic" })],
    [2, () => ({ billing: true })],
    [1, () => ({ billing: true, style: "generic" })],
    [2, () => ({ weights: { index: dollars(), roundTrip: dollars(), table: dollars() } })],
    [1, () => ({ explain: true })],
    [1, () => ({ replace: true })],
    [1, () => ({ keep: "all" })],
    [2, () => ({ keep: "some" })],
    [2, () => ({ whatIf: `${pattern}.rps.average=${10 ** random.between(-2, 4)}` })],
  ]);
}

/** `some` tables and indexes become names of the design that the document has. */
export function withNames(
  options: DrawnOptions,
  seed: number,
  { design }: ModelDocument,
): DrawnOptions {
  if (options.keep !== "some") return options;
  const names = Object.entries(design?.tables ?? {}).flatMap(([table, { indexes = {} }]) => [
    table,
    ...Object.keys(indexes).map((index) => `${table}.${index}`),
  ]);
  const random = new Random(seed);
  return { ...options, keep: random.sample(names, random.between(1, 3)).join(", ") };
}

/** Whether the options speak of a design that is there. */
export function needsDesign({ keep, replace }: DrawnOptions): boolean {
  return keep !== undefined || replace === true;
}
