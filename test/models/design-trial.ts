import { complaintsText } from "../../src/document/complaint.ts";
import type { ModelDocument } from "../../src/model/model-document.ts";
import { modelFrom } from "../../src/model/parse.ts";
import { printModel } from "../../src/model/print.ts";
import { designOf } from "../../src/modeller/designer/designer.ts";
import type { PatternProof } from "../../src/modeller/proof/prove.ts";
import { integerSolver } from "../../src/workbench/integer-solver.ts";
import { checkModel } from "../../src/workbench/model-check.ts";
import { lintModel } from "../../src/workbench/model-lint.ts";
import { proveModel } from "../../src/workbench/model-prove.ts";
import type { Random } from "../random.ts";
import { type Json, jsonOf, repair } from "./document-repair.ts";
import { randomModel } from "./random-model.ts";
import type { Sabotage, Sabotaged } from "./sabotage.ts";
import { namesIn, normalise, stackTop } from "./signature.ts";

/** Runs the reader, the proof, check and lint on a design, and compares two designs by what these tools report. */

const now = Date.UTC(2026, 0, 15, 12);
const file = "model.yaml";
const patternsMax = 6;
const entitiesMax = 5;

/** A small random model with the design of the designer; undefined if the seed gives none. */
export async function randomDesign(
  seed: number,
  random: Random,
): Promise<ModelDocument | undefined> {
  const document = smaller(randomModel(seed), random);
  const { model } = modelFrom(document);
  if (model === undefined || model.patterns.size === 0) return undefined;
  const style = random.chance(0.25) ? "generic" : "natural";
  const settings = { whole: random.chance(0.3), style } as const;
  const { designed } = designOf(model, await integerSolver(), settings);
  if (designed === undefined) return undefined;
  const { decisions: _, tradeoffs: __, ...design } = designed.design;
  const whole = { ...document, design };
  return modelFrom(whole).model === undefined ? undefined : whole;
}

/** A few patterns and entities of a document, so that many designs of it can be proved. */
function smaller(document: ModelDocument, random: Random): ModelDocument {
  const small = jsonOf(document);
  delete small.workflows;
  delete small.ignore;
  delete small.overview;
  const keep = (member: string, count: number): void => {
    const all = small[member] as { [name: string]: Json };
    const names = new Set(random.sample(Object.keys(all), count));
    for (const name of Object.keys(all)) if (!names.has(name)) delete all[name];
  };
  keep("entities", entitiesMax);
  repair(small);
  keep("patterns", patternsMax);
  return repair(small) as unknown as ModelDocument;
}

export interface Result {
  readonly kind: PatternProof["verdict"]["kind"];
  /** The same for failures that differ only in names and numbers. */
  readonly signature: string;
  readonly message: string;
}

/** The verdict of each pattern; the complaints of the reader if it refuses the document. */
export interface Proved {
  readonly complaints: string | undefined;
  readonly results: ReadonlyMap<string, Result>;
}

export async function proveDesign(
  document: ModelDocument,
  only?: ReadonlySet<string>,
  seed = 1,
  mutants = false,
): Promise<Proved> {
  const { model, complaints } = modelFrom(document);
  if (model === undefined) return { complaints: complaintsText(complaints), results: new Map() };
  const options = { now, seed, mutants, ...(only && { only }) };
  const proofs = await proveModel(model, options);
  const names = namesIn(document);
  return {
    complaints: undefined,
    results: new Map(proofs.map((one) => [one.pattern, resultOf(one, names)])),
  };
}

function resultOf({ verdict, kind: pattern }: PatternProof, names: readonly string[]): Result {
  const { kind } = verdict;
  if (verdict.kind === "proved") return { kind, signature: "proved", message: "" };
  if (verdict.kind === "not-provable") {
    const { reason } = verdict;
    return { kind, signature: `${kind}: ${normalise(reason, names)}`, message: reason };
  }
  if (verdict.kind === "defect") {
    const { message, stack } = verdict.defect;
    const signature = `${kind} ${pattern}: ${normalise(message, names)} @ ${stackTop(stack)}`;
    return { kind, signature, message: stack ?? message };
  }
  const { requests, what } = verdict.counterExample;
  const operations = [...new Set(requests.map(({ operation }) => operation))].join(", ");
  const signature = `${kind} ${pattern} by ${operations || "nothing"}: ${normalise(what, names)}`;
  return { kind, signature, message: what };
}

/** Patterns that are proved. */
export function provedIn({ results }: Proved): ReadonlySet<string> {
  return new Set([...results].flatMap(([id, { kind }]) => (kind === "proved" ? [id] : [])));
}

/** What check and lint report about a design, as texts that can be compared. */
export interface Reports {
  /** Points of the checklist that are wrong, with the name of their line. */
  readonly check: readonly Report[];
  /** Errors and warnings, with the name of their rule. */
  readonly lint: readonly Report[];
}

export interface Report {
  readonly id: string;
  readonly text: string;
}

export function reportsOn(document: ModelDocument): Reports {
  const text = printModel(document);
  const { checks = [] } = checkModel(text, file);
  const { result } = lintModel(text, file);
  return {
    check: checks.flatMap(({ id, points }) =>
      points.flatMap((one) => (one.kind === "wrong" ? [{ id, text: one.text }] : [])),
    ),
    lint: (result?.findings ?? []).flatMap(({ rule, severity, message }) =>
      severity === "hint" ? [] : [{ id: rule, text: message }],
    ),
  };
}

/** Reports that the second design has and the first one does not. */
export function addedReports(
  before: readonly Report[],
  after: readonly Report[],
): readonly Report[] {
  const known = new Set(before.map(({ id, text }) => `${id}: ${text}`));
  return after.filter(({ id, text }) => !known.has(`${id}: ${text}`));
}

/** What the tools report about a design with one mistake. */
export interface Judged {
  /** By reader, prove, check and lint: what each of them found, or nothing. */
  readonly found: Readonly<Record<Tool, string | undefined>>;
  /** The verdict of the design without the mistake that keeps the mistake from being tried. */
  readonly unusable: string | undefined;
}

export const tools = ["reader", "prove", "check", "lint"] as const;
export type Tool = (typeof tools)[number];

const nothingFound = { reader: undefined, prove: undefined, check: undefined, lint: undefined };

/** Runs all tools on a design with a mistake. `base` is the design that was handed in, `proved` are its patterns that are proved. */
export async function judgeSabotage(
  base: ModelDocument,
  proved: ReadonlySet<string>,
  { rules }: Pick<Sabotage, "rules">,
  { document, right = base, pattern }: Sabotaged,
): Promise<Judged> {
  if (pattern !== undefined) {
    const before =
      right === base
        ? { complaints: undefined, results: new Map<string, Result>() }
        : await proveDesign(right, new Set([pattern]));
    const isProved = right === base ? proved.has(pattern) : provedIn(before).has(pattern);
    const unusable = before.complaints ?? before.results.get(pattern)?.signature ?? "not proved";
    if (!isProved) return { found: nothingFound, unusable };
  }
  const wanted = pattern === undefined || right === base ? proved : new Set([pattern]);
  const after = await proveDesign(document, wanted);
  if (after.complaints !== undefined) {
    return { found: { ...nothingFound, reader: after.complaints }, unusable: undefined };
  }
  const failingIn = ({ results }: Proved): readonly Result[] =>
    [...results.values()].filter(({ kind }) => kind !== "proved");
  const [before, reports] = [reportsOn(right), reportsOn(document)];
  const about = (all: readonly Report[]): string | undefined => {
    const own = all.filter(({ id }) => rules.includes(id));
    return own.length === 0 ? undefined : own.map(({ id }) => id).join(", ");
  };
  const check = about(addedReports(before.check, reports.check));
  const lint = about(addedReports(before.lint, reports.lint));
  const isFound = (check ?? lint) !== undefined || failingIn(after).length > 0;
  // The data that tells mutants apart shows more mistakes and takes longer.
  const failing = failingIn(isFound ? after : await proveDesign(document, wanted, 1, true));
  const prove =
    failing.length === 0 ? undefined : failing.map(({ signature }) => signature).join("; ");
  return { found: { reader: undefined, prove, check, lint }, unusable: undefined };
}
