import type { Path } from "../document/path.ts";
import type { PlacementDocument } from "./document-design.ts";
import type { Constant, Direction, OperatorName } from "./document-parts.ts";
import type { AttributeType, FormatName, PatternStatus } from "./document-requirements.ts";
import type { Quantity, Rate, Size } from "./quantities.ts";

/** The requirements, read: names are checked, defaults are in their places. */

export interface Skew {
  /** The share of the hottest value, or the exponent of Zipf's law. */
  readonly kind: "hottest" | "zipf";
  readonly value: Quantity;
}

export interface Attribute {
  readonly name: string;
  readonly path: Path;
  readonly description: string | undefined;
  readonly type: AttributeType;
  readonly format: FormatName | undefined;
  /** Of the value, or of one element if there are elements; unknown is an open question. */
  readonly size: Size | undefined;
  readonly digits: number | undefined;
  readonly elements: { readonly average: Quantity; readonly max: Quantity | undefined } | undefined;
  /** The only values there are, with their shares. */
  readonly values:
    | readonly { readonly value: string | number; readonly share: number }[]
    | undefined;
  readonly distinct: Quantity | undefined;
  readonly skew: Skew | undefined;
  readonly present: Quantity;
  /** Some items do not have it: `present` is below 1, a pattern removes it, or it repeats such an attribute. */
  readonly isOptional: boolean;
  /** The document states a negative value of it: as one of its values, or in a pattern. */
  readonly canBeNegative: boolean;
  readonly unique: boolean;
  readonly mutable: boolean;
  /** It was said whether it is mutable, not derived. */
  readonly mutableStated: boolean;
  readonly counter: boolean;
  readonly personal: boolean;
  readonly copyOf: { readonly entity: string; readonly attribute: string } | undefined;
  /** The attribute of another id that this one holds under another name. */
  readonly refersTo: { readonly entity: string; readonly attribute: string } | undefined;
  readonly keeps: Keeps | undefined;
  readonly staleness: "accepted" | "refused" | undefined;
}

/** What a number is worked out from, of all that belong to the one that has it. */
export interface Keeps {
  readonly what: "count" | "sum" | "max" | "min";
  readonly of: string;
  /** Nothing of a count. */
  readonly attribute: string | undefined;
}

export interface Entity {
  readonly name: string;
  readonly path: Path;
  readonly description: string | undefined;
  readonly id: readonly string[];
  readonly count: Quantity | undefined;
  readonly growthPerMonth: Quantity | undefined;
  readonly retentionMs: number | undefined;
  readonly version: string | undefined;
  readonly attributes: ReadonlyMap<string, Attribute>;
  /** Attributes that lie elsewhere already, and stay there in a new design. */
  readonly elsewhere?: PlacementDocument["elsewhere"];
}

export interface Relation {
  readonly path: Path;
  readonly from: string;
  readonly to: string;
  readonly kind: "one-to-one" | "one-to-many" | "many-to-many";
  readonly via: string | undefined;
  readonly description: string | undefined;
  readonly average: Quantity | undefined;
  readonly max: Quantity | undefined;
  readonly reverse: {
    readonly average: Quantity | undefined;
    readonly max: Quantity | undefined;
  };
  readonly identifying: boolean;
  readonly together: Quantity | undefined;
}

/** What an attribute is compared with. */
export type Operand =
  | { readonly kind: "parameter"; readonly name: string }
  | { readonly kind: "constant"; readonly value: Constant };

export interface Predicate {
  readonly attribute: string;
  readonly operator: OperatorName;
  /** One for most operators, two for between, any number for one-of, none for exists. */
  readonly operands: readonly Operand[];
  /** With `exists`: whether it must be there. */
  readonly exists: boolean;
}

export interface Order {
  readonly attribute: string;
  readonly direction: Direction;
}

export type Condition =
  | { readonly kind: "exists" | "absent" }
  | { readonly kind: "version"; readonly attribute: string }
  | { readonly kind: "where"; readonly predicates: readonly Predicate[] };

export type ActionKind = "read" | "create" | "update" | "delete" | "check";

/** What is done to one entity. */
export interface Action {
  readonly kind: ActionKind;
  readonly path: Path;
  readonly entity: string;
  readonly where: readonly Predicate[];
  readonly order: readonly Order[];
  readonly limit: number | "all" | undefined;
  readonly returns: readonly string[];
  /** Attributes that get other values; with the constant where it is known. */
  readonly changes: readonly { readonly attribute: string; readonly to: Operand }[];
  readonly adds: readonly { readonly attribute: string; readonly amount: number }[];
  readonly appends: readonly string[];
  readonly removes: readonly string[];
  readonly condition: Condition | undefined;
  /** How many of these one request has. */
  readonly average: Quantity;
  /** It follows from another action: there may be nothing that it changes. */
  readonly follows?: true;
}

export interface Together {
  readonly entity: string;
  readonly limit: number | "all" | undefined;
  readonly order: readonly Order[];
  readonly where: readonly Predicate[];
  readonly returns: readonly string[];
}

export interface Pattern {
  readonly id: string;
  readonly path: Path;
  readonly name: string;
  readonly story: string | undefined;
  readonly kind: "read" | "write";
  /** All actions happen together or not at all, because the pattern says so. */
  readonly transaction: boolean;
  readonly actions: readonly Action[];
  readonly together: readonly Together[];
  readonly with: readonly { readonly entity: string; readonly average: Quantity | undefined }[];
  readonly consistency: "eventual" | "strong";
  readonly matches: Quantity | undefined;
  readonly batch: Quantity | undefined;
  readonly rps: Rate;
  readonly latencyMs: number | undefined;
  readonly writers: Quantity | undefined;
  readonly scope: readonly string[];
  readonly skew: (Skew & { readonly key: string }) | undefined;
  readonly requirements: readonly string[];
  readonly considerations: readonly string[];
  readonly status: PatternStatus | undefined;
  readonly alternative:
    | { readonly service: string; readonly via: string | undefined; readonly why: string }
    | undefined;
  readonly declined: string | undefined;
}

export interface Workflow {
  readonly name: string;
  readonly path: Path;
  readonly description: string | undefined;
  readonly steps: readonly string[];
  readonly rps: Rate;
}

export interface Overview {
  readonly domain: string | undefined;
  readonly context: readonly string[];
  readonly compliance: readonly string[];
  readonly users: Quantity | undefined;
  readonly requests: Quantity | undefined;
  readonly region: string | undefined;
}
