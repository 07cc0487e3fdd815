import type { ModelDocument } from "../../src/model/model-document.ts";
import type { Random } from "../random.ts";
import { draftOf, type Transformation } from "./design-draft.ts";
import { indexVariants } from "./index-variants.ts";
import { partVariants } from "./part-variants.ts";
import { settingVariants } from "./setting-variants.ts";
import { statedPlan } from "./stated-plans.ts";
import { tableVariants } from "./table-variants.ts";

/** Draws designs that are right by construction: the design of the designer, after transformations that keep it right. */

export const variants: readonly Transformation[] = [
  ...indexVariants,
  ...tableVariants,
  ...partVariants,
  ...settingVariants,
  statedPlan,
];

export interface Step {
  readonly name: string;
  readonly what: string;
  readonly document: ModelDocument;
}

/**
 * Applies some transformations, one after the other. The last step may be one that the reader refuses, which is a finding;
 * no step follows it.
 */
export function drawVariant(
  base: ModelDocument,
  random: Random,
  count: number,
  match = "",
): readonly Step[] {
  const steps: Step[] = [];
  let document = base;
  while (steps.length < count) {
    const draft = draftOf(document, random);
    if (draft === undefined) break;
    const step = drawStep(draft, steps.length === 0 ? match : "", steps);
    if (step === undefined) break;
    steps.push(step);
    ({ document } = step);
  }
  return steps;
}

function drawStep(
  draft: NonNullable<ReturnType<typeof draftOf>>,
  match: string,
  before: readonly Step[],
): Step | undefined {
  // A stated plan names tables and indexes that a later step could change.
  const isStated = before.some(({ name }) => name === statedPlan.name);
  if (isStated) return undefined;
  const candidates = variants.filter(({ name }) => isMatch(name, match));
  for (const { name, apply } of draft.random.sample(candidates, candidates.length)) {
    const change = apply(draft);
    if (change !== undefined) return { name, ...change };
  }
  return undefined;
}

/** Whether a name contains one of some texts, which are separated by commas. */
export function isMatch(name: string, match: string): boolean {
  return match.split(",").some((text) => name.includes(text));
}
