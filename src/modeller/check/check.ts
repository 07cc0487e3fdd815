import type { Path } from "../../document/path.ts";
import type { OpenQuestion } from "../../model/open-questions.ts";
import type { CheckContext } from "./check-context.ts";

/**
 * `fine`: looked at, and it holds. `open`: only the user can answer. `wrong`: the design contradicts it.
 * `not-applicable`: there is nothing in the model that it is about.
 */
export type CheckVerdict = "fine" | "open" | "wrong" | "not-applicable";

/** A line of the checklist that the program goes through by itself. */
export interface Check {
  readonly id: string;
  /** A statement that holds for a good model. */
  readonly title: string;
  readonly run: (context: CheckContext) => CheckOutcome;
}

export interface CheckOutcome {
  readonly verdict: CheckVerdict;
  /** What was looked at, in sentences with numbers. */
  readonly evidence: readonly string[];
  /** What is open or wrong, each at its place. */
  readonly points: readonly CheckPoint[];
}

export interface CheckPoint {
  readonly kind: "open" | "wrong";
  readonly path: Path;
  /** One sentence: a question if it is open. */
  readonly text: string;
}

/** Collects what a check finds. */
export class Findings {
  private readonly evidence: string[] = [];
  private readonly points: CheckPoint[] = [];

  saw(sentence: string): void {
    this.evidence.push(sentence);
  }

  open(path: Path, text: string): void {
    this.points.push({ kind: "open", path, text });
  }

  ask(questions: readonly OpenQuestion[]): void {
    for (const { path, question } of questions) this.open(path, question);
  }

  wrong(path: Path, text: string): void {
    this.points.push({ kind: "wrong", path, text });
  }

  /** What is wrong weighs more than what is open. */
  outcome(): CheckOutcome {
    const { evidence, points } = this;
    const has = (kind: CheckPoint["kind"]): boolean => points.some((one) => one.kind === kind);
    return { verdict: has("wrong") ? "wrong" : has("open") ? "open" : "fine", evidence, points };
  }
}

export function notApplicable(why: string): CheckOutcome {
  return { verdict: "not-applicable", evidence: [why], points: [] };
}
