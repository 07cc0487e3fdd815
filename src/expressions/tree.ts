import type { AttributeValue } from "../item/attribute-value.ts";

/**
 * The trees that the parsers and the legacy compiler produce and that evaluator, printer and engine
 * consume. Plain data: no methods, no table, names and values already substituted.
 */

/** A document path: the first step is an attribute name, later ones are map keys or list indices. */
export interface Path {
  readonly kind: "path";
  readonly steps: readonly [string, ...(string | number)[]];
}

/** A constant, with the placeholder it came from (absent in trees made from legacy parameters). */
export interface Constant {
  readonly kind: "value";
  readonly value: AttributeValue;
  readonly placeholder?: string;
}

export interface Size {
  readonly kind: "size";
  readonly of: Path | Constant;
}

export type Operand = Path | Constant | Size;

export type Comparator = "=" | "<>" | "<" | "<=" | ">" | ">=";

/** A condition without AND, OR and NOT. */
export type Comparison =
  | {
      readonly kind: "compare";
      readonly op: Comparator;
      readonly left: Operand;
      readonly right: Operand;
    }
  | {
      readonly kind: "between";
      readonly subject: Operand;
      readonly low: Operand;
      readonly high: Operand;
    }
  | { readonly kind: "in"; readonly subject: Operand; readonly candidates: readonly Operand[] }
  | { readonly kind: "attribute_exists"; readonly path: Path }
  | { readonly kind: "attribute_not_exists"; readonly path: Path }
  | {
      readonly kind: "attribute_type";
      readonly subject: Operand;
      readonly type: Operand;
    }
  | { readonly kind: "begins_with"; readonly subject: Operand; readonly prefix: Operand }
  | { readonly kind: "contains"; readonly subject: Operand; readonly member: Operand };

/**
 * A tree of AND, OR and NOT over leaves. It can be thousands of levels deep: walk over it with the
 * functions of `logical-tree.ts`, or with a list of what is still open, never by recursion.
 */
export type Logical<Leaf> = Leaf | Junction<Leaf> | Negation<Leaf>;

export type Junction<Leaf> =
  | { readonly kind: "and"; readonly left: Logical<Leaf>; readonly right: Logical<Leaf> }
  | { readonly kind: "or"; readonly left: Logical<Leaf>; readonly right: Logical<Leaf> };

export interface Negation<Leaf> {
  readonly kind: "not";
  readonly inner: Logical<Leaf>;
}

export type Condition = Logical<Comparison>;

export interface Projection {
  readonly kind: "projection";
  readonly paths: readonly Path[];
}

/** The right-hand side of a SET action. */
export type UpdateValue =
  | Path
  | Constant
  | {
      readonly kind: "plus" | "minus";
      readonly left: UpdateValue;
      readonly right: UpdateValue;
    }
  | { readonly kind: "if_not_exists"; readonly path: Path; readonly otherwise: UpdateValue }
  | { readonly kind: "list_append"; readonly left: UpdateValue; readonly right: UpdateValue };

export type UpdateAction =
  | { readonly kind: "set"; readonly path: Path; readonly value: UpdateValue }
  | { readonly kind: "remove"; readonly path: Path }
  | { readonly kind: "add"; readonly path: Path; readonly value: AttributeValue }
  | { readonly kind: "delete"; readonly path: Path; readonly value: AttributeValue };

export interface Update {
  readonly kind: "update";
  readonly actions: readonly UpdateAction[];
  /** Made from AttributeUpdates, whose ADD also appends to lists and whose PUT replaces. */
  readonly legacy?: boolean;
}

/** One comparison of a key attribute with constants, as a key condition allows it. */
export type KeyComparison =
  | { readonly op: "=" | "<" | "<=" | ">" | ">="; readonly value: AttributeValue }
  | { readonly op: "begins_with"; readonly value: AttributeValue }
  | { readonly op: "between"; readonly low: AttributeValue; readonly high: AttributeValue };

/** What a key condition says, attribute by attribute, before a key schema is known. */
export interface KeyCondition {
  readonly kind: "key-condition";
  readonly comparisons: readonly { readonly attribute: string; readonly is: KeyComparison }[];
  /** Attributes that KeyConditions compares as no key can be: refused when their turn comes. */
  readonly unindexable?: readonly string[];
}
