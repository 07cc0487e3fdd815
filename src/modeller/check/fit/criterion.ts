import type { Path } from "../../../document/path.ts";
import type { CheckContext } from "../check-context.ts";

/**
 * `for`: a reason to take DynamoDB. `neutral`: no reason either way. `exception`: fits but for the parts that are named.
 * `against`: a reason to take something else.
 */
export type Weight = "for" | "neutral" | "exception" | "against";

/** What does it better. */
export type Instead =
  | "relational database"
  | "search engine"
  | "analytics"
  | "time-series database"
  | "graph database"
  | "object storage"
  | "cache in memory";

export interface Exception {
  readonly path: Path;
  /** One sentence. */
  readonly text: string;
  readonly instead: Instead;
  /** The service that the document names for it. */
  readonly service: string | undefined;
}

export interface Judgement {
  readonly weight: Weight;
  /** Sentences with numbers. */
  readonly evidence: readonly string[];
  readonly exceptions: readonly Exception[];
  /** For `against`: what would fit better. */
  readonly instead: readonly Instead[];
}

export interface Criterion {
  readonly id: string;
  readonly title: string;
  readonly judge: (context: CheckContext) => Judgement;
}

export function judged(
  weight: Weight,
  evidence: readonly string[],
  more: Partial<Pick<Judgement, "exceptions" | "instead">> = {},
): Judgement {
  return { weight, evidence, exceptions: [], instead: [], ...more };
}
