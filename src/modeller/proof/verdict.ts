/**
 * Decides the verdict of a pattern from the evidence of its trials, and the verdict of a model from those of its
 * patterns. No other file decides; every command prints what these two functions return. The words for a verdict are in
 * `verdict-text.ts`.
 */
import type { Defect } from "./defect.ts";
import type { MutantOperator } from "./witnesses/witness.ts";
import type { Failure } from "./world.ts";

export type Verdict = Wrong | Proved | NotProvable | Defective;

/** The trial has a counter-example: stored items, request, expected and actual answer. */
export interface Wrong {
  readonly kind: "wrong";
  readonly counterExample: Failure;
}

/** Every answer and every effect agreed with the oracle. */
export interface Proved {
  readonly kind: "proved";
  /** Mutants that a trial told from the original. */
  readonly killed: number;
  readonly equivalent: readonly EquivalentMutant[];
  /** Names of mutants that survived without a reason. They say nothing against the design. */
  readonly undecided: readonly string[];
}

/** A mutant that no trial can tell from the original, and why. */
export interface EquivalentMutant {
  readonly name: string;
  readonly reason: string;
}

export interface NotProvable {
  readonly kind: "not-provable";
  readonly reason: string;
  /** The requirements exclude the pattern: it is declined, or another service serves it. */
  readonly isExcluded: boolean;
}

/** The trial broke off because of a bug in Keywright. */
export interface Defective {
  readonly kind: "defect";
  readonly defect: Defect;
}

/** The result of running a pattern's trials on one mutant. */
export interface TriedMutant {
  readonly name: string;
  /** The kind of mistake. */
  readonly operator: MutantOperator["kind"];
  readonly killed: boolean;
  /** Why the mutant is equivalent. */
  readonly reason?: string;
}

/** The evidence that the prover has about a pattern. */
export type Evidence =
  | { readonly kind: "unplanned"; readonly reason: string; readonly isExcluded: boolean }
  | { readonly kind: "defect"; readonly defect: Defect }
  | {
      readonly kind: "trial";
      readonly failure: Failure | undefined;
      /** How often the pattern ran; 0 if no parameters or items could be drawn for it. */
      readonly runs: number;
      /** All runs of a write were refused, as they should be: its success was never tried. */
      readonly isAlwaysRefused?: boolean;
      readonly mutants: readonly TriedMutant[];
    };

export function decideVerdict(evidence: Evidence): Verdict {
  if (evidence.kind === "unplanned") {
    return {
      kind: "not-provable",
      reason: evidence.reason,
      isExcluded: evidence.isExcluded,
    };
  }
  if (evidence.kind === "defect") return { kind: "defect", defect: evidence.defect };
  const { failure, runs, mutants } = evidence;
  if (failure !== undefined) return { kind: "wrong", counterExample: failure };
  if (runs === 0) {
    const reason = "no parameters or items could be drawn for it from the model";
    return { kind: "not-provable", reason, isExcluded: false };
  }
  if (evidence.isAlwaysRefused === true) {
    const reason = "no data was found for which it is not refused";
    return { kind: "not-provable", reason, isExcluded: false };
  }
  return provedVerdict(mutants);
}

function provedVerdict(mutants: readonly TriedMutant[]): Proved {
  const survivors = mutants.filter(({ killed }) => !killed);
  return {
    kind: "proved",
    killed: mutants.length - survivors.length,
    equivalent: survivors.flatMap(({ name, reason }) =>
      reason === undefined ? [] : [{ name, reason }],
    ),
    undecided: survivors.flatMap(({ name, reason }) => (reason === undefined ? [name] : [])),
  };
}

/** Numbers of mutants. The mutation score is `killed / (killed + undecided)`. */
export interface MutationScore {
  readonly killed: number;
  readonly equivalent: number;
  readonly undecided: number;
}

export interface ModelVerdict {
  /** The worst verdict of the patterns that the design has to serve. */
  readonly kind: Verdict["kind"];
  /** Patterns that the design has to serve: all but the excluded ones. */
  readonly patterns: number;
  readonly proved: number;
  readonly wrong: number;
  readonly defects: number;
  /** Without the excluded patterns. */
  readonly notProvable: number;
  /** Patterns that are declined, or that another service serves. */
  readonly excluded: number;
  readonly score: MutationScore;
  /** 1 if a pattern is wrong or its trial had a defect, else 0. */
  readonly exitCode: 0 | 1;
}

const worstFirst: readonly Verdict["kind"][] = ["wrong", "defect", "not-provable", "proved"];

export function decideModelVerdict(proofs: readonly { readonly verdict: Verdict }[]): ModelVerdict {
  const verdicts = proofs.map(({ verdict }) => verdict);
  const served = verdicts.filter((verdict) => !isExcluded(verdict));
  const count = (kind: Verdict["kind"]): number =>
    served.filter((verdict) => verdict.kind === kind).length;
  const [wrong, defects] = [count("wrong"), count("defect")];
  return {
    // With nothing to serve there is nothing to prove, unless there is no pattern at all.
    kind:
      worstFirst.find((kind) => count(kind) > 0) ??
      (verdicts.length > 0 ? "not-provable" : "proved"),
    patterns: served.length,
    proved: count("proved"),
    wrong,
    defects,
    notProvable: count("not-provable"),
    excluded: verdicts.length - served.length,
    score: sumScores(verdicts.map(getMutationScore)),
    exitCode: wrong + defects > 0 ? 1 : 0,
  };
}

function isExcluded(verdict: Verdict): boolean {
  return verdict.kind === "not-provable" && verdict.isExcluded;
}

/** All numbers are 0 unless the pattern is proved: mutants run only then. */
export function getMutationScore(verdict: Verdict): MutationScore {
  if (verdict.kind !== "proved") return { killed: 0, equivalent: 0, undecided: 0 };
  const { killed, equivalent, undecided } = verdict;
  return { killed, equivalent: equivalent.length, undecided: undecided.length };
}

function sumScores(scores: readonly MutationScore[]): MutationScore {
  const sum = (name: keyof MutationScore): number =>
    scores.reduce((total, score) => total + score[name], 0);
  return { killed: sum("killed"), equivalent: sum("equivalent"), undecided: sum("undecided") };
}

export function getCounterExample({ verdict }: { readonly verdict: Verdict }): Failure | undefined {
  return verdict.kind === "wrong" ? verdict.counterExample : undefined;
}
