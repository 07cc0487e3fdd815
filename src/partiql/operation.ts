import type { Condition, KeyCondition, Path, Update } from "../expressions/tree.ts";
import type { Item } from "../item/attribute-value.ts";
import type { Returning } from "./syntax.ts";

/**
 * What a statement comes to: the operation that a request of the API would be, with the same trees.
 * Nothing here is evaluated; whether it scans is known.
 */
export type CompiledStatement = CompiledRead | CompiledWrite;

/** One attribute of what a SELECT answers: where it is found, and what it is called. */
export interface Column {
  readonly path: Path;
  readonly name: string;
}

interface ReadBase {
  /** As the statement names it. */
  readonly table: string;
  readonly index: string | undefined;
  /** Undefined: all that there is. */
  readonly columns: readonly Column[] | undefined;
}

/** A part of what is read: one partition of a table or index, or a stretch of one. */
export interface KeyedRead {
  readonly keyCondition: KeyCondition;
  readonly filter: Condition | undefined;
}

export type CompiledRead =
  | (ReadBase & { readonly kind: "get"; readonly key: Item })
  | (ReadBase & {
      readonly kind: "query";
      /** In the order in which they are read. */
      readonly reads: readonly KeyedRead[];
      readonly descending: boolean;
    })
  | (ReadBase & { readonly kind: "scan"; readonly filter: Condition | undefined });

export type CompiledWrite =
  | {
      readonly kind: "put";
      readonly table: string;
      readonly item: Item;
      readonly condition: Condition;
    }
  | {
      readonly kind: "update";
      readonly table: string;
      readonly key: Item;
      readonly update: Update;
      readonly condition: Condition;
      readonly returning: Returning | undefined;
    }
  | {
      readonly kind: "delete";
      readonly table: string;
      readonly key: Item;
      readonly condition: Condition | undefined;
      readonly returning: Returning | undefined;
    }
  | {
      readonly kind: "check";
      readonly table: string;
      readonly key: Item;
      readonly condition: Condition;
    };
