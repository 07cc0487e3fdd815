import type { Path } from "../../document/path.ts";

/** Why there is no design: the part of the document that stands in the way, and what to change there. */
export interface Refusal {
  /** Empty if it is about the whole document. */
  readonly path: Path;
  readonly text: string;
  /** The reason alone, without what it stands in the way of. */
  readonly reason?: string;
}

/** Why there is no layout, as the end of a sentence, and what to do, in sentences. */
export interface Unlaid {
  readonly reason: string;
  readonly cure: string;
}

export function unstorable(name: string, path: Refusal["path"], { reason, cure }: Unlaid): Refusal {
  const text = `No table design can store ${name}: ${reason}. ${cure}`.trimEnd();
  return { path, reason, text };
}
