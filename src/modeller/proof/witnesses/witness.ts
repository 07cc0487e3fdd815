import type { EntityValues } from "../../values/render-key.ts";
import type { Parameters, State } from "../oracle/state.ts";
import type { Inputs } from "../trial.ts";

/** Data and inputs of one trial that tells a mutant from the original. */
export type Witness = ReadWitness | WriteWitness | RaceWitness;

export interface ReadWitness {
  readonly kind: "read";
  readonly state: State;
  /** The entity that a read is about; parameters that the witness does not state are taken from it. */
  readonly chosen: EntityValues;
  readonly parameters: Parameters;
}

export interface WriteWitness {
  readonly kind: "write";
  readonly state: State;
  readonly inputs: Inputs;
}

/** Other clients change what is there between the reads and the writes of a pattern. */
export interface RaceWitness {
  readonly kind: "race";
  /** What the reads find. */
  readonly state: State;
  readonly inputs: Inputs;
  /** What is there when the writes are sent. */
  readonly changed: State;
}

/** Either witnesses, or why there can be none: then the mutant is equivalent. */
export type Construction =
  | { readonly kind: "witnesses"; readonly witnesses: readonly Witness[] }
  | { readonly kind: "impossible"; readonly reason: string };

export const impossible = (reason: string): Construction => ({ kind: "impossible", reason });
export const witnesses = (list: readonly Witness[]): Construction => ({
  kind: "witnesses",
  witnesses: list,
});

/** What a mutant is: the kind of mistake, and the parts of the pattern that it touches. */
export type MutantOperator =
  | { readonly kind: "key"; readonly entity: string; readonly attributes: readonly string[] }
  | {
      readonly kind: "projection" | "stored" | "together";
      readonly part: number;
      readonly attribute: string;
    }
  | { readonly kind: "filter"; readonly attribute: string }
  | { readonly kind: "direction" | "limit" | "page" | "values" | "shard" }
  | { readonly kind: "action"; readonly entity: string }
  | { readonly kind: "owner"; readonly entity: string; readonly attribute: string }
  | { readonly kind: "condition"; readonly entity: string }
  | {
      readonly kind: "beyond the key";
      readonly entity: string;
      readonly attributes: readonly string[];
    }
  | {
      readonly kind: "change" | "written";
      readonly entity: string;
      readonly attributes: readonly string[];
    }
  | { readonly kind: "index key"; readonly entity: string; readonly index: string };
