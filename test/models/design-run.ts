import type { ModelDocument } from "../../src/model/model-document.ts";
import { Random } from "../random.ts";
import { draftOf } from "./design-draft.ts";
import { sabotages } from "./design-sabotage.ts";
import {
  judgeSabotage,
  type Proved,
  proveDesign,
  provedIn,
  randomDesign,
  type Tool,
  tools,
} from "./design-trial.ts";
import { drawVariant, isMatch } from "./design-variants.ts";
import { refusedSabotages } from "./refused-sabotage.ts";
import type { Sabotage } from "./sabotage.ts";

/** Draws correct and sabotaged designs of one random model and states what the tools say about each: plain data. */

export interface DrawOptions {
  /** Correct designs of a model; each is made in one to three steps. */
  readonly variants: number;
  /** Designs of a model with one mistake. */
  readonly sabotages: number;
  /** Only steps and mistakes whose names contain this. */
  readonly match: string;
}

export type VariantOutcome = "proved" | "not provable" | "refused" | "wrong" | "defect";

/** A correct design. */
export interface VariantResult {
  readonly kind: "variant";
  readonly seed: number;
  readonly draw: number;
  readonly steps: readonly string[];
  readonly what: readonly string[];
  readonly outcome: VariantOutcome;
  /** Patterns that are not proved, with the signature of what was said about them. */
  readonly failures: readonly Failing[];
  /** Nothing if it is proved. */
  readonly document?: ModelDocument;
}

export interface Failing {
  readonly pattern: string;
  readonly signature: string;
}

/** A design with one mistake. */
export interface SabotageResult {
  readonly kind: "sabotage";
  readonly seed: number;
  readonly name: string;
  readonly what: string;
  readonly why: string;
  readonly rules: readonly string[];
  /** Tools that found it; `unusable` if the same design without the mistake is not proved. */
  readonly found: readonly Tool[] | "unusable";
  /** What the first of these tools reports, or why it is of no use. */
  readonly report: string;
  readonly pattern?: string;
  /** Nothing if it was found. */
  readonly document?: ModelDocument;
  readonly right?: ModelDocument;
}

export type DesignResult = VariantResult | SabotageResult;

/** Mistakes that the reader refuses in any case are rare: they apply to all designs, and would crowd out the others. */
const refusedChance = 0.03;
/** A mistake can be made in several places of a design. */
const placesMax = 4;
const refusedNames = new Set(refusedSabotages.map(({ name }) => name));

/** Nothing if the seed gives no design with a pattern that is proved. */
export async function drawDesigns(
  seed: number,
  options: DrawOptions,
): Promise<readonly DesignResult[] | undefined> {
  const base = await randomDesign(seed, new Random(seed));
  if (base === undefined) return undefined;
  const proved = provedIn(await proveDesign(base));
  if (proved.size === 0) return undefined;
  const results: DesignResult[] = [];
  for (let draw = 0; draw < options.variants; draw += 1) {
    const result = await runVariant(base, proved, { seed, draw, match: options.match });
    if (result !== undefined) results.push(result);
  }
  const random = new Random(seed * 100 + 50);
  const draft = draftOf(base, random);
  if (draft === undefined) return results;
  const known = new Set<string>();
  for (const sabotage of inRandomOrder(random, options.match)) {
    if (known.size === options.sabotages) break;
    const made = sabotage.apply(draft);
    if (made === undefined) continue;
    const text = JSON.stringify(made);
    if (known.has(text)) continue;
    known.add(text);
    const judged = await judgeSabotage(base, proved, sabotage, made);
    const found =
      judged.unusable === undefined
        ? tools.filter((tool) => judged.found[tool] !== undefined)
        : ("unusable" as const);
    const [first] = found === "unusable" ? [] : found;
    const { name, rules } = sabotage;
    const { what, why, pattern } = made;
    const report = (first === undefined ? judged.unusable : judged.found[first]) ?? "";
    const result = { kind: "sabotage", seed, name, what, why, rules, found, report } as const;
    const isOpen = found === "unusable" || found.length === 0;
    results.push({
      ...result,
      ...(pattern !== undefined && { pattern }),
      ...(isOpen && { document: made.document, right: made.right ?? base }),
    });
  }
  return results;
}

async function runVariant(
  base: ModelDocument,
  proved: ReadonlySet<string>,
  { seed, draw, match }: { readonly seed: number; readonly draw: number; readonly match: string },
): Promise<VariantResult | undefined> {
  const drawn = drawVariant(base, new Random(seed * 100 + draw), 1 + (draw % 3), match);
  const last = drawn.at(-1);
  if (last === undefined) return undefined;
  const { outcome, failures } = outcomeOf(await proveDesign(last.document, proved));
  return {
    kind: "variant",
    seed,
    draw,
    steps: drawn.map(({ name }) => name),
    what: drawn.map(({ what }) => what),
    outcome,
    failures,
    ...(outcome !== "proved" && { document: last.document }),
  };
}

/** What the tools say about a correct design: the worst that they say about one of its patterns. */
export function outcomeOf({
  complaints,
  results,
}: Proved): Pick<VariantResult, "outcome" | "failures"> {
  if (complaints !== undefined) {
    return { outcome: "refused", failures: [{ pattern: "", signature: complaints }] };
  }
  const open = [...results].filter(([, { kind }]) => kind !== "proved");
  const failures = open.map(([pattern, { signature }]) => ({ pattern, signature }));
  const has = (kind: string): boolean => open.some(([, one]) => one.kind === kind);
  if (open.length === 0) return { outcome: "proved", failures };
  const outcome = has("wrong") ? "wrong" : has("defect") ? "defect" : "not provable";
  return { outcome, failures };
}

/** All mistakes several times, and few of those that the reader refuses. */
function* inRandomOrder(random: Random, match: string): Generator<Sabotage> {
  const all = sabotages.filter(({ name }) => isMatch(name, match));
  const refused = all.filter(({ name }) => refusedNames.has(name));
  const others = all.filter(({ name }) => !refusedNames.has(name));
  for (let place = 0; place < placesMax; place += 1) {
    const rest = random.sample(refused, refused.length);
    for (const one of random.sample(others, others.length)) {
      if (random.chance(refusedChance)) yield* rest.splice(0, 1);
      yield one;
    }
  }
  yield* refused;
}

/** Whether a design that should be proved is not, or a mistake was not found. */
export function isOpen(result: DesignResult): boolean {
  if (result.kind === "variant") return result.outcome !== "proved";
  return result.found === "unusable" ? isWrongRight(result) : result.found.length === 0;
}

/** A design without a mistake that is not proved. */
export function isWrongRight({ found, report }: SabotageResult): boolean {
  return found === "unusable" && /^(wrong|defect|not-provable)/.test(report);
}
