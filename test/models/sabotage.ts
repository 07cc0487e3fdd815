import type { ModelDocument } from "../../src/model/model-document.ts";
import type { Draft } from "./design-draft.ts";

/** One mistake in a design. */
export interface Sabotage {
  readonly name: string;
  /** Rules of lint and lines of the checklist that are about exactly this mistake. */
  readonly rules: readonly string[];
  /** The design with the mistake; undefined if the mistake cannot be made in it, or would change nothing. */
  readonly apply: (draft: Draft) => Sabotaged | undefined;
}

export interface Sabotaged {
  readonly document: ModelDocument;
  readonly what: string;
  /** Why some answer or some effect is another one than before. */
  readonly why: string;
  /** The design that differs in nothing but the mistake, if it is not the one that was handed in. */
  readonly right?: ModelDocument;
  /** The pattern that has to be proved without the mistake. */
  readonly pattern?: string;
}
