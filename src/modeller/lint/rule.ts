import type { Edit } from "../../document/edit.ts";
import type { Path } from "../../document/path.ts";
import type { TopicId } from "../learn/topics.ts";
import type { LintContext } from "./lint-context.ts";

/** From what must be changed to what is worth a thought. */
export const severities = ["error", "warning", "hint"] as const;
export type Severity = (typeof severities)[number];

/** What is known of a rule without running it. */
export interface RuleHead {
  /** The name of its file. */
  readonly id: string;
  readonly severity: Severity;
  /** One sentence: what is wrong when the rule speaks. */
  readonly title: string;
  /** The page of `keywright learn` that explains it. */
  readonly topic: TopicId;
}

export interface Rule extends RuleHead {
  readonly check: (context: LintContext) => Iterable<Finding>;
}

/** What it costs to leave it as it is. */
export type Price =
  | { readonly kind: "money"; readonly perMonth: number; readonly assumed: boolean }
  | { readonly kind: "throttled"; readonly share: number };

/** A change of the document that cures a finding. */
export interface Fix {
  /** Goes on after the rule's name: "pads position to 3 digits". */
  readonly what: string;
  readonly edits: readonly Edit[];
}

export interface Finding {
  /** The part of the document that it is about. */
  readonly path: Path;
  /** One sentence that names the part. */
  readonly message: string;
  /** The numbers behind it, with their units; those that are assumed say so. */
  readonly evidence: string;
  readonly price?: Price | undefined;
  /** What to do, in one or two sentences. */
  readonly cure: string;
  readonly fix?: Fix | undefined;
  /** Where this case is worse or better than others of the rule. */
  readonly severity?: Severity;
}
