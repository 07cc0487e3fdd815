/** Sums proofs up for assertions of tests. */
import type { PatternProof } from "./prove.ts";
import type { Verdict } from "./verdict.ts";
import { verdictText } from "./verdict-text.ts";

/** Patterns with a counter-example or a defect, each with its verdict. */
export function failuresIn(proofs: readonly PatternProof[]): readonly string[] {
  return textsOf(proofs, ({ kind }) => kind === "wrong" || kind === "defect");
}

/** Patterns that the design has to serve and that are not proved. */
export function unprovedIn(proofs: readonly PatternProof[]): readonly string[] {
  return textsOf(proofs, (verdict) =>
    verdict.kind === "not-provable" ? !verdict.isExcluded : verdict.kind !== "proved",
  );
}

/** Mutants that survived without a reason. */
export function undecidedIn(proofs: readonly PatternProof[]): readonly string[] {
  return proofs.flatMap(({ pattern, verdict }) =>
    verdict.kind === "proved" ? verdict.undecided.map((name) => `${pattern}: ${name}`) : [],
  );
}

/** Proved patterns of which no mutant was killed. */
export function unchallengedIn(proofs: readonly PatternProof[]): readonly string[] {
  return proofs.flatMap(({ pattern, verdict }) =>
    verdict.kind === "proved" && verdict.killed === 0 ? [pattern] : [],
  );
}

function textsOf(
  proofs: readonly PatternProof[],
  isWanted: (verdict: Verdict) => boolean,
): readonly string[] {
  return proofs.flatMap(({ pattern, verdict }) =>
    isWanted(verdict) ? [`${pattern}: ${verdictText(verdict)}`] : [],
  );
}
