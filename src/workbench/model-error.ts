import type { Cut } from "../modeller/values/sample.ts";

export type { ModelDocument } from "../model/model-document.ts";

/** A model that cannot be served, and why: the user can mend it. */
export class ModelError extends Error {}

/** What was made of a model, and what was left as it is. */
export interface ModelTables {
  readonly model: string;
  readonly made: readonly MadeTable[];
  /** Tables that were there already, with the indexes of the model that they lack. */
  readonly kept: readonly { readonly name: string; readonly lacks: readonly string[] }[];
  /** Fan-outs that are not as stated, because the sample is too small for them. */
  readonly cuts: readonly Cut[];
  /** What the model asks for and there is nothing of here, in sentences. */
  readonly missing: readonly string[];
}

export interface MadeTable {
  readonly name: string;
  readonly indexes: readonly string[];
  readonly items: number;
  readonly deletionProtection: boolean;
}
