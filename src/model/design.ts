import type { Path } from "../document/path.ts";
import type {
  DecisionDocument,
  EmbedDocument,
  KeyType,
  OperationName,
  ScalingDocument,
  StreamView,
} from "./document-design.ts";
import type { UnitsDocument } from "./document-parts.ts";
import type { KeyText } from "./key-text.ts";
import type { Quantity } from "./quantities.ts";
import type { Predicate } from "./requirements.ts";

/** The design, read: names are checked, key texts are segments, defaults are in their places. */

export interface KeyAttribute {
  readonly name: string;
  readonly type: KeyType;
}

/** A key attribute and what it is made of. */
export interface KeyPart {
  readonly attribute: string;
  readonly path: Path;
  readonly text: KeyText;
}

export interface Split {
  readonly name: string;
  readonly key: readonly KeyPart[];
  readonly attributes: readonly string[];
}

export interface Placement {
  readonly entity: string;
  readonly path: Path;
  readonly key: readonly KeyPart[];
  /** The attributes of its main item: without those that are split off or lie elsewhere. */
  readonly stores: readonly string[];
  /** What attributes are stored as, where that differs. */
  readonly names: ReadonlyMap<string, string>;
  readonly splits: readonly Split[];
  readonly embeds: readonly EmbedDocument[];
  readonly elsewhere: readonly {
    readonly attribute: string;
    readonly service: string;
    readonly pointer: string | undefined;
  }[];
}

export interface IndexMember {
  readonly entity: string;
  /** Key attributes that are made for the index; the others are attributes of the entity or the table. */
  readonly sets: readonly KeyPart[];
  /** Only items for which this holds are in it. */
  readonly only: readonly Predicate[] | undefined;
}

export interface Provisioned {
  readonly read: number;
  readonly write: number;
  readonly autoScaling: {
    readonly read: Required<ScalingDocument> | undefined;
    readonly write: Required<ScalingDocument> | undefined;
  };
}

export interface Index {
  readonly name: string;
  readonly path: Path;
  readonly purpose: string | undefined;
  readonly local: boolean;
  readonly partition: readonly KeyAttribute[];
  readonly sort: readonly KeyAttribute[];
  readonly projection: "all" | "keys" | readonly string[];
  /** The entities that can be in it. */
  readonly members: ReadonlyMap<string, IndexMember>;
  readonly throughput: Provisioned | undefined;
  readonly maximum: UnitsDocument | undefined;
  readonly prewarm: UnitsDocument | undefined;
}

export type Billing =
  | { readonly mode: "on-demand" }
  | {
      readonly mode: "provisioned";
      readonly provisioned: Provisioned;
      readonly reserved:
        | { readonly read: number; readonly write: number; readonly years: 1 | 3 }
        | undefined;
    };

export type TableClass = "standard" | "infrequent-access";

export interface Unique {
  readonly path: Path;
  readonly entity: string;
  readonly attribute: string;
  /** The table that the look-up items lie in. */
  readonly table: string;
  readonly key: readonly KeyPart[];
}

export interface Aggregate {
  readonly path: Path;
  readonly of: string;
  readonly into: { readonly entity: string; readonly attribute: string };
  readonly what: "count" | "sum" | "max" | "min";
  readonly attribute: string | undefined;
  readonly by: "transaction" | "stream" | { readonly schedule: string };
}

export interface Table {
  readonly name: string;
  readonly path: Path;
  readonly purpose: string | undefined;
  readonly billing: Billing;
  readonly class: TableClass;
  readonly partition: KeyAttribute;
  readonly sort: KeyAttribute | undefined;
  readonly discriminator: string | undefined;
  readonly placements: ReadonlyMap<string, Placement>;
  readonly indexes: ReadonlyMap<string, Index>;
  readonly ttl: { readonly attribute: string; readonly entities: readonly string[] } | undefined;
  readonly stream: StreamView | undefined;
  readonly consumers: readonly {
    readonly name: string;
    readonly purpose: string | undefined;
    readonly batch: number;
    readonly windowMs: number;
    readonly filter: Readonly<Record<string, unknown>> | undefined;
    readonly start: "latest" | "trim-horizon";
    /** Nothing: until the records are gone from the stream. */
    readonly retries: number | undefined;
    readonly maxAgeMs: number | undefined;
    readonly bisect: boolean;
    readonly reportItemFailures: boolean;
    readonly parallel: number;
  }[];
  readonly pitrDays: number | undefined;
  readonly backups: { readonly everyMs: number; readonly keepMs: number } | undefined;
  readonly encryption: "owned" | "managed" | { readonly key: string };
  readonly deletionProtection: boolean;
  readonly versioning:
    | {
        readonly entity: string;
        readonly attribute: string;
        readonly latest: "copy" | "query";
        readonly key: readonly KeyPart[];
      }
    | undefined;
  readonly unique: readonly Unique[];
  readonly aggregates: readonly Aggregate[];
  readonly periods:
    | {
        readonly every: "day" | "week" | "month" | "quarter" | "year";
        readonly attribute: string;
        readonly keep: number | undefined;
        readonly older: { readonly class: TableClass; readonly billing: Billing };
      }
    | undefined;
  readonly dax:
    | {
        readonly node: string;
        readonly nodes: number;
        readonly hitRate: Quantity | undefined;
        readonly itemTtlMs: number;
        readonly queryTtlMs: number;
        readonly patterns: readonly string[];
      }
    | undefined;
  readonly prewarm: UnitsDocument | undefined;
  readonly maximum: UnitsDocument | undefined;
  readonly replicas: readonly string[];
  readonly tags: ReadonlyMap<string, string>;
}

export interface PlanStep {
  readonly path: Path;
  readonly operation: OperationName;
  readonly table: string | undefined;
  readonly index: string | undefined;
  readonly entity: string | undefined;
  readonly key: readonly KeyPart[];
  readonly filter: readonly Predicate[];
  readonly order: "ascending" | "descending";
  readonly limit: number | undefined;
  readonly note: string | undefined;
}

export interface Design {
  readonly style: "natural" | "generic";
  readonly decisions: readonly DecisionDocument[];
  readonly tables: ReadonlyMap<string, Table>;
  readonly plans: ReadonlyMap<string, readonly PlanStep[]>;
  readonly services: readonly {
    readonly name: string;
    readonly for: readonly string[];
    readonly via: string | undefined;
    readonly why: string | undefined;
  }[];
  readonly tradeoffs: readonly string[];
}
