import type { DurationText, UnitsDocument, WhereDocument } from "./document-parts.ts";

/** The design as it is written: tables, keys, indexes and how they are run. */

export type KeyType = "S" | "N" | "B";

export interface ScalingDocument {
  readonly min: number;
  readonly max: number;
  readonly target?: number;
}

export interface ProvisionedDocument extends UnitsDocument {
  readonly read: number;
  readonly write: number;
  readonly autoScaling?: { readonly read?: ScalingDocument; readonly write?: ScalingDocument };
}

export type BillingDocument =
  | "on-demand"
  | {
      readonly provisioned: ProvisionedDocument;
      readonly reserved?: {
        readonly read?: number;
        readonly write?: number;
        readonly years: 1 | 3;
      };
    };

/** Key attributes and the texts that they are made of. */
export type KeyTexts = Readonly<Record<string, string>>;

export interface SplitDocument {
  readonly name: string;
  readonly key: KeyTexts;
  readonly attributes: readonly string[];
}

export interface EmbedDocument {
  readonly entity: string;
  readonly as: string;
  /** They are a map by this attribute instead of a list, so that each can be changed by itself. */
  readonly by?: string;
  /** There is one at most: a map of its attributes. */
  readonly one?: boolean;
}

export interface PlacementDocument {
  readonly key: KeyTexts;
  readonly stores?: readonly string[];
  readonly names?: Readonly<Record<string, string>>;
  readonly split?: readonly SplitDocument[];
  readonly embeds?: readonly EmbedDocument[];
  readonly elsewhere?: readonly {
    readonly attribute: string;
    readonly service: string;
    readonly pointer?: string;
  }[];
}

export interface IndexDocument {
  readonly purpose?: string;
  readonly key: {
    readonly partition?: string | readonly string[];
    readonly sort?: string | readonly string[];
  };
  readonly local?: boolean;
  readonly projection?: "all" | "keys" | readonly string[];
  readonly sets?: Readonly<Record<string, KeyTexts>>;
  readonly only?: Readonly<Record<string, WhereDocument>>;
  readonly throughput?: ProvisionedDocument;
  readonly maximum?: UnitsDocument;
  readonly prewarm?: UnitsDocument;
}

export interface ConsumerDocument {
  readonly name: string;
  readonly purpose?: string;
  readonly batch?: number;
  readonly window?: DurationText;
  readonly filter?: Readonly<Record<string, unknown>>;
  readonly start?: "latest" | "trim-horizon";
  /** How often a batch that failed is tried again, and until which age of its records. */
  readonly retries?: number;
  readonly maxAge?: DurationText;
  /** A batch that failed is tried again in two halves. */
  readonly bisect?: boolean;
  /** The function says which records of a batch failed. */
  readonly reportItemFailures?: boolean;
  /** Batches of one shard that are worked on at once. */
  readonly parallel?: number;
}

export interface UniqueDocument {
  readonly entity: string;
  readonly attribute: string;
  readonly table?: string;
  readonly key: KeyTexts;
}

export interface AggregateDocument {
  readonly of: string;
  /** `Entity.attribute` that holds the result. */
  readonly into: string;
  readonly what?: "count" | "sum" | "max" | "min";
  readonly attribute?: string;
  readonly by: "transaction" | "stream" | { readonly schedule: string };
}

export interface DaxDocument {
  readonly node: string;
  readonly nodes: number;
  readonly hitRate?: number | { readonly assumed: number; readonly why?: string };
  readonly itemTtl?: DurationText;
  readonly queryTtl?: DurationText;
  readonly patterns?: readonly (string | number)[];
}

export type StreamView = "new-and-old-images" | "new-image" | "old-image" | "keys-only";

export interface TableDocument {
  readonly purpose?: string;
  readonly billing?: BillingDocument;
  readonly class?: "standard" | "infrequent-access";
  readonly key: Readonly<Record<string, KeyType>>;
  readonly discriminator?: string;
  readonly entities?: Readonly<Record<string, PlacementDocument>>;
  readonly indexes?: Readonly<Record<string, IndexDocument>>;
  readonly ttl?: string | { readonly attribute: string; readonly entities?: readonly string[] };
  readonly stream?: StreamView;
  readonly consumers?: readonly ConsumerDocument[];
  readonly pitr?: boolean | { readonly days: number };
  readonly backups?: { readonly every: DurationText; readonly keep: DurationText };
  readonly encryption?: "owned" | "managed" | { readonly key: string };
  readonly deletionProtection?: boolean;
  readonly versioning?: {
    readonly entity: string;
    readonly attribute: string;
    readonly latest: "copy" | "query";
    readonly key?: KeyTexts;
  };
  readonly unique?: readonly UniqueDocument[];
  readonly aggregates?: readonly AggregateDocument[];
  readonly periods?: {
    readonly every: "day" | "week" | "month" | "quarter" | "year";
    readonly attribute: string;
    readonly keep?: number;
    readonly older?: {
      readonly class?: "standard" | "infrequent-access";
      readonly billing?: BillingDocument;
    };
  };
  readonly dax?: DaxDocument;
  readonly prewarm?: UnitsDocument;
  readonly maximum?: UnitsDocument;
  readonly replicas?: readonly string[];
  readonly tags?: Readonly<Record<string, string>>;
}

export type OperationName =
  | "GetItem"
  | "BatchGetItem"
  | "Query"
  | "Scan"
  | "TransactGetItems"
  | "PutItem"
  | "UpdateItem"
  | "DeleteItem"
  | "BatchWriteItem"
  | "TransactWriteItems";

export interface PlanStepDocument {
  readonly operation: OperationName;
  readonly table?: string;
  readonly index?: string;
  readonly entity?: string;
  readonly key?: KeyTexts;
  readonly filter?: WhereDocument;
  readonly order?: "ascending" | "descending";
  readonly limit?: number;
  readonly note?: string;
}

export interface DecisionDocument {
  readonly about: string;
  readonly chosen: string;
  readonly rejected?: readonly {
    readonly what: string;
    readonly why?: string;
    readonly perMonth?: number;
  }[];
  readonly why?: string;
}

export interface DesignDocument {
  readonly style?: "natural" | "generic";
  readonly decisions?: readonly DecisionDocument[];
  readonly tables: Readonly<Record<string, TableDocument>>;
  readonly plans?: Readonly<Record<string, { readonly steps: readonly PlanStepDocument[] }>>;
  readonly services?: readonly {
    readonly name: string;
    readonly for?: readonly (string | number)[];
    readonly via?: string;
    readonly why?: string;
  }[];
  readonly tradeoffs?: readonly string[];
}
