import type { AttributeValue, Item } from "../../item/attribute-value.ts";
import type { Model } from "../../model/model.ts";
import type { Execute } from "../requests/run.ts";
import type { Answer } from "../requests/run-plan.ts";

/** Tables that are made for a proof and thrown away after it. */
export interface World {
  readonly execute: Execute;
  /** Whether an error is the service's word that a condition did not hold. */
  readonly isRefusal: (error: unknown) => boolean;
  /** Another world with the same tables and items. Neither sees what is changed in the other from now on. */
  readonly fork: () => Promise<World>;
  readonly close: () => Promise<void>;
}

/** Makes the named tables of a design. */
export type OpenWorld = (model: Model, tables: ReadonlySet<string>) => Promise<World>;

/** What went wrong, with what. */
export interface Failure {
  readonly what: string;
  readonly parameters: ReadonlyMap<string, readonly AttributeValue[]>;
  /** What was handed in to be written, by entity. */
  readonly written: ReadonlyMap<string, readonly Item[]>;
  readonly requests: Answer["sent"];
  /** What should have come, and what came, each as lines. */
  readonly expected: readonly string[];
  readonly got: readonly string[];
  /** What was stored before, by table; all of it, if it was not made smaller. */
  readonly stored: readonly { readonly table: string; readonly item: Item }[];
}
