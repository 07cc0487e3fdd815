import type {
  Amount,
  BytesDocument,
  Constant,
  Direction,
  DurationText,
  RateDocument,
  SkewDocument,
  WhereDocument,
} from "./document-parts.ts";

/** The requirements as they are written: what there is, and what is asked of it. */

export interface OverviewDocument {
  readonly domain?: string;
  readonly context?: readonly string[];
  readonly compliance?: readonly string[];
  readonly scale?: { readonly users?: Amount; readonly requests?: Amount };
  readonly region?: string;
}

export type AttributeType = "S" | "N" | "B" | "BOOL" | "NULL" | "L" | "M" | "SS" | "NS" | "BS";

export type FormatName =
  | "iso-date"
  | "iso-time"
  | "epoch-seconds"
  | "epoch-milliseconds"
  | "ulid"
  | "ksuid"
  | "uuid";

export interface AttributeDocument {
  readonly type: AttributeType;
  readonly description?: string;
  readonly format?: FormatName;
  readonly bytes?: BytesDocument;
  readonly digits?: number;
  readonly elements?: { readonly average: Amount; readonly max?: Amount };
  readonly values?: readonly (string | number)[] | Readonly<Record<string, number>>;
  readonly distinct?: Amount;
  readonly skew?: SkewDocument;
  readonly present?: Amount;
  readonly unique?: boolean;
  readonly mutable?: boolean;
  readonly counter?: boolean;
  readonly personal?: boolean;
  /** `Entity.attribute` that this one repeats. */
  readonly copyOf?: string;
  /** `Entity.attribute`: the attribute of an id that this one holds under another name. */
  readonly refersTo?: string;
  readonly keeps?: KeepsDocument;
  readonly staleness?: "accepted" | "refused";
}

/** What a number is worked out from: one of these. */
export interface KeepsDocument {
  /** How many there are of an entity that belong to the one that has the number. */
  readonly count?: string;
  /** `Entity.attribute` of which it is the sum, the greatest or the least. */
  readonly sum?: string;
  readonly max?: string;
  readonly min?: string;
}

export interface EntityDocument {
  readonly description?: string;
  readonly id: readonly string[];
  readonly count?: Amount;
  readonly growth?: {
    readonly perDay?: Amount;
    readonly perMonth?: Amount;
    readonly perYear?: Amount;
  };
  readonly retention?: DurationText;
  /** The number that is raised with every change, for optimistic locking. */
  readonly version?: string;
  readonly attributes: Readonly<Record<string, AttributeDocument>>;
}

export interface RelationDocument {
  readonly from: string;
  readonly to: string;
  readonly kind: "one-to-one" | "one-to-many" | "many-to-many";
  readonly via?: string;
  readonly description?: string;
  readonly average?: Amount;
  readonly max?: Amount;
  readonly reverse?: { readonly average?: Amount; readonly max?: Amount };
  readonly identifying?: boolean;
  readonly together?: Amount;
}

export type ConditionDocument = "exists" | "absent" | "version" | WhereDocument;

export interface TogetherDocument {
  readonly entity: string;
  readonly limit?: number | "all";
  readonly order?: Readonly<Record<string, Direction>>;
  readonly where?: WhereDocument;
  readonly returns?: readonly string[] | "all" | "keys";
}

/** What one step does to one entity. */
export interface ActionDocument {
  readonly read?: string;
  readonly create?: string;
  readonly update?: string;
  readonly delete?: string;
  readonly where?: WhereDocument;
  readonly order?: Readonly<Record<string, Direction>>;
  readonly limit?: number | "all";
  readonly returns?: readonly string[] | "all" | "keys";
  readonly changes?: readonly string[] | Readonly<Record<string, Constant>>;
  readonly adds?: Readonly<Record<string, number>>;
  readonly appends?: readonly string[];
  readonly removes?: readonly string[];
  readonly condition?: ConditionDocument;
}

/** A step of a transaction; `check` looks at an item without changing it. */
export interface StepDocument extends ActionDocument {
  readonly check?: string;
  /** How many of them there are in one transaction. */
  readonly average?: Amount;
}

export type WithDocument = string | { readonly entity: string; readonly average?: Amount };

export type PatternStatus = "solved" | "open" | "alternative" | "declined";

export interface PatternDocument extends ActionDocument {
  readonly name: string;
  readonly story?: string;
  readonly transaction?: readonly StepDocument[];
  readonly together?: readonly (string | TogetherDocument)[];
  readonly with?: readonly WithDocument[];
  readonly consistency?: "eventual" | "strong";
  readonly matches?: Amount;
  readonly batch?: Amount;
  readonly rps?: RateDocument;
  readonly latency?: DurationText;
  readonly writers?: Amount;
  readonly scope?: readonly string[];
  readonly skew?: SkewDocument & { readonly key: string };
  readonly requirements?: readonly string[];
  readonly considerations?: readonly string[];
  readonly status?: PatternStatus;
  readonly alternative?: { readonly service: string; readonly via?: string; readonly why: string };
  readonly declined?: string;
}

export interface WorkflowDocument {
  readonly description?: string;
  readonly steps: readonly (string | number)[];
  readonly rps?: RateDocument;
}
