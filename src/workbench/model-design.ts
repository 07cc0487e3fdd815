import { type Complaint, complaintsText } from "../document/complaint.ts";
import { editText } from "../document/edit.ts";
import { printYaml } from "../document/print.ts";
import { Source } from "../document/source.ts";
import type { DesignDocument } from "../model/document-design.ts";
import type { Model } from "../model/model.ts";
import type { ModelDocument } from "../model/model-document.ts";
import { carriedOver } from "../modeller/designer/carried.ts";
import { copiesIn } from "../modeller/designer/copies.ts";
import { type Designed, designOf, type Settings } from "../modeller/designer/designer.ts";
import { type Flip, partsBetween } from "../modeller/designer/flips.ts";
import { keptOf } from "../modeller/designer/kept.ts";
import { paidFor } from "../modeller/designer/paying.ts";
import type { Choice } from "../modeller/designer/pricing.ts";
import { proposalLines } from "../modeller/designer/proposal-text.ts";
import { type Proposal, proposalsOf } from "../modeller/designer/proposals.ts";
import type { Refusal } from "../modeller/designer/refusal.ts";
import { reasonsFor } from "../modeller/designer/terms.ts";
import { type Before, designText, type Old } from "../modeller/designer/text.ts";
import { type Weights, weightsOf } from "../modeller/designer/weighing.ts";
import { type Trial, trialOf } from "../modeller/designer/what-if.ts";
import type { PatternProof } from "../modeller/proof/prove.ts";
import { briefProofLines } from "../modeller/proof/text.ts";
import { decideModelVerdict, type ModelVerdict } from "../modeller/proof/verdict.ts";
import { integerSolver } from "./integer-solver.ts";
import { checkModel } from "./model-check.ts";
import { costModel } from "./model-cost.ts";
import { diffModels, modelDiffOutput } from "./model-diff.ts";
import { lintModel } from "./model-lint.ts";
import { parsedModel } from "./model-parse.ts";
import { plainVerdict, proveModel } from "./model-prove.ts";

/** A design for a model document, or why there is none. */
export interface ModelDesign {
  readonly file: string;
  readonly complaints: readonly Complaint[];
  /** What stands in the way of a design, in sentences. */
  readonly refused: readonly string[];
  /** The document with the design in it. */
  readonly text: string | undefined;
  readonly designed: Designed | undefined;
  readonly flips: readonly Flip[] | undefined;
  /** Attributes that could be repeated; only worked out if somebody wants to know why. */
  readonly proposals: readonly Proposal[] | undefined;
  /** The requirements that it is for. */
  readonly model: Model | undefined;
  /** The price before a change that was tried, and what was changed. */
  readonly before: Before | undefined;
  /** How it stands to the design that the document had. */
  readonly old: Old | undefined;
  /** Attributes that repeat others, in sentences. */
  readonly copies: readonly string[];
  readonly checks: Checks | undefined;
}

/** How the design stands, looked at by everything that looks at designs. */
export interface Checks {
  readonly verdict: ModelVerdict;
  readonly proofs: readonly PatternProof[];
  /** Lines of the checklist that are wrong. */
  readonly wrong: readonly string[];
  /** Findings that are more than a hint. */
  readonly findings: readonly string[];
}

export interface DesignOptions {
  /** The moment that the data of the proof is of. */
  readonly now: number;
  readonly replace?: boolean;
  readonly explain?: boolean;
  /** `7.rps.average=500`. */
  readonly whatIf?: string;
  /** `all`, or tables and indexes that stay as they are: `Orders, Orders.OrdersByCustomer`. */
  readonly keep?: string;
  /** Also choose how each table is paid for. */
  readonly billing?: boolean;
  /** Names and tables: natural ones if nothing is said, unless a design is replaced that says otherwise. */
  readonly style?: Style;
  /** Dollars in a month beyond the bill. */
  readonly weights?: Weights;
  /** No item in parts, and nothing inside of others. */
  readonly whole?: boolean;
  /** Whether the new design is checked, linted and proved; it is unless this is false. */
  readonly isChecked?: boolean;
}

/** What `index=2, round-trip=0.5` means; a sentence if it means nothing. */
export const readWeights = weightsOf;

export const styles = ["natural", "generic"] as const;
export type Style = (typeof styles)[number];

export async function designModel(
  text: string,
  file: string,
  options: DesignOptions,
): Promise<ModelDesign> {
  const { now, replace = false, explain = false, whatIf, keep, billing = false } = options;
  const { isChecked = true } = options;
  const nothing = {
    file,
    complaints: [],
    refused: [],
    text: undefined,
    designed: undefined,
    flips: undefined,
    proposals: undefined,
    model: undefined,
    before: undefined,
    old: undefined,
    copies: [],
    checks: undefined,
  };
  const { model, complaints } = parsedModel(text, file);
  if (model === undefined) return { ...nothing, complaints };
  if (model.design !== undefined && !replace && keep === undefined) {
    const refused = [
      `${file} has a design already; --replace makes a new one, --keep one that has parts of it.`,
    ];
    return { ...nothing, refused };
  }
  const solver = await integerSolver();
  const trial = whatIf === undefined ? undefined : trialOf(model, whatIf);
  if (typeof trial === "string") return { ...nothing, refused: [trial] };
  const base = trial === undefined ? text : editText(text, trial.edits);
  const tried = trial === undefined ? { model, complaints: [] } : parsedModel(base, file);
  if (tried.model === undefined) return { ...nothing, complaints: tried.complaints };
  const old = documentOf(text, file)?.design;
  const kept = keep === undefined ? undefined : keptOf(old ?? { tables: {} }, keep);
  if (typeof kept === "string") return { ...nothing, refused: [kept] };
  const style = options.style ?? (kept === undefined ? old?.style : undefined);
  const { weights, whole: inOnePiece = false } = options;
  const settings: Settings = {
    whole: inOnePiece,
    ...(weights && { weights }),
    ...(style && { style }),
  };
  const own = kept === undefined ? settings : { ...settings, kept };
  const { designed: found, refused } = designOf(tried.model, solver, own);
  if (found === undefined) return { ...nothing, refused: refusalTexts(tried.model, refused, file) };
  const carried = old === undefined ? undefined : carriedOver(old, found.design);
  const plain = carried === undefined ? found : { ...found, design: carried.design };
  const asked = (design: DesignDocument): string =>
    editText(base, [{ kind: "set", path: ["design"], value: design }]);
  const first = parsedModel(asked(plain.design), file);
  if (first.model === undefined) return { ...nothing, complaints: first.complaints };
  const stays = new Set(kept?.tables.keys());
  const paid = billing ? paidFor(first.model, plain.design, stays) : undefined;
  const written = asked(paid ?? plain.design);
  const made = parsedModel(written, file);
  if (made.model === undefined) return { ...nothing, complaints: made.complaints };
  const whole = costModel(written, file).report?.total.average;
  const designed =
    paid === undefined ? plain : { ...plain, design: paid, total: whole ?? plain.total };
  const free = kept === undefined ? undefined : designOf(tried.model, solver, settings).designed;
  const next = { text: written, file: `the new design` };
  return {
    ...nothing,
    text: written,
    designed,
    flips: explain ? designed.flips() : undefined,
    proposals: explain
      ? proposalsOf(tried.model, found, (other) => designOf(other, solver, own))
      : undefined,
    model: made.model,
    before: trial && beforeOf(designOf(model, solver, settings).designed, designed, trial),
    old: carried && {
      total: costModel(base, file).report?.total.average,
      next: whole,
      reasons:
        old === undefined || whole === undefined
          ? []
          : reasonsFor({
              model: tried.model,
              there: old,
              next: designed.design,
              total: whole,
              billing,
            }),
      lost: (old && paid ? carriedOver(old, paid) : carried).lost,
      keeping: free && found.total - free.total,
      plan: kept && modelDiffOutput(diffModels({ text, file }, next), "text"),
    },
    copies: copiesIn(made.model),
    checks: isChecked ? await checksOf(written, file, made.model, now) : undefined,
  };
}

/** Each refusal with its place in the document. */
function refusalTexts(model: Model, refusals: readonly Refusal[], file: string): readonly string[] {
  return refusals.map(({ path, text }) => {
    const place = path.length === 0 ? undefined : model.place(path);
    return place === undefined ? text : `${file}:${place.line}:${place.column}: ${text}`;
  });
}

/** The document as it is written; nothing if it cannot be read. */
function documentOf(text: string, file: string): ModelDocument | undefined {
  return Source.read(text, file).source?.value as ModelDocument | undefined;
}

/** What a change that was tried changes; nothing if there is no design without it. */
function beforeOf(
  before: Designed | undefined,
  after: Designed,
  { words }: Trial,
): Before | undefined {
  if (before === undefined) return undefined;
  const { gone, come } = partsBetween(choicesOf(before), choicesOf(after));
  return { total: before.total, change: words, gone, come };
}

function choicesOf({ components }: Designed): readonly Choice[] {
  return components.flatMap(({ choices }) => choices);
}

async function checksOf(text: string, file: string, model: Model, now: number): Promise<Checks> {
  const { checks = [] } = checkModel(text, file);
  const { result } = lintModel(text, file);
  const proofs = await proveModel(model, { now, file });
  return {
    verdict: decideModelVerdict(proofs),
    proofs,
    wrong: checks.filter(({ verdict }) => verdict === "wrong").map(({ id }) => id),
    findings: (result?.findings ?? [])
      .filter(({ severity }) => severity !== "hint")
      .map(({ rule, message }) => `${rule}: ${message}`),
  };
}

/** Whether there is no design, or one with a pattern that is wrong or has a defect. */
export function isFailing({ refused, checks }: ModelDesign): boolean {
  return refused.length > 0 || checks?.verdict.exitCode !== 0;
}

export function modelDesignOutput(design: ModelDesign, format: "text" | "json"): string {
  const { file, complaints, refused, designed, checks, flips, before, old, copies } = design;
  const { proposals, model } = design;
  if (format === "json") {
    const { total, gap, natural, untried } = designed ?? {};
    return `${JSON.stringify({ file, complaints, refused, total, natural, gap, untried, before, old, copies, design: designed?.design, flips, proposals: proposals?.map(plainProposal), checks: checks && plainChecks(checks) })}\n`;
  }
  if (complaints.length > 0) return `${complaintsText(complaints)}\n`;
  if (designed === undefined) return `${refused.join("\n")}\n`;
  const yaml = printYaml({ design: designed.design });
  const proposed = model === undefined ? [] : proposalLines(proposals, model);
  const { proofs = [], wrong = [], findings = [] } = checks ?? {};
  const proof = briefProofLines(proofs);
  const look = { flips, proposed, before, old, copies, proof, wrong, findings };
  return `${designText(designed, look)}\n${yaml}`;
}

function plainProposal({ copies, ...rest }: Proposal) {
  return { ...rest, copies: Object.fromEntries(copies) };
}

function plainChecks({ verdict, proofs, wrong, findings }: Checks) {
  const patterns = proofs.map((proof) => ({
    pattern: proof.pattern,
    verdict: plainVerdict(proof.verdict),
  }));
  return { verdict, patterns, wrong, findings };
}
