import type { Item, Value } from "./values.ts";

/**
 * A history is a list of steps: plain data, which the oracle understands as it stands and from which
 * `requests.ts` makes the request that the server gets. So a history can be shortened and kept.
 */
export type KeyType = "S" | "N" | "B";

/** Name and type of each key attribute. */
export type KeyPart = readonly [name: string, type: KeyType];

export interface IndexSpec {
  readonly name: string;
  readonly kind: "local" | "global";
  readonly hash: readonly KeyPart[];
  readonly range: readonly KeyPart[];
  /** Undefined: everything. */
  readonly holds?: readonly string[];
}

export interface TableSpec {
  readonly name: string;
  readonly hash: readonly KeyPart[];
  readonly range: readonly KeyPart[];
  readonly indexes: readonly IndexSpec[];
}

/** An attribute, or a member or element one level below it. */
export type Path = readonly [string] | readonly [string, string | number];

export type Comparator = "=" | "<>" | "<" | "<=" | ">" | ">=";

export type Test =
  | { readonly is: "exists" | "missing"; readonly path: Path }
  | { readonly is: "compare"; readonly path: Path; readonly op: Comparator; readonly value: Value }
  | { readonly is: "size"; readonly path: Path; readonly op: Comparator; readonly value: Value }
  | { readonly is: "between"; readonly path: Path; readonly low: Value; readonly high: Value }
  | { readonly is: "in"; readonly path: Path; readonly values: readonly Value[] }
  | { readonly is: "begins"; readonly path: Path; readonly value: Value }
  | { readonly is: "contains"; readonly path: Path; readonly value: Value }
  | { readonly is: "type"; readonly path: Path; readonly value: Value };

export type Condition =
  | Test
  | { readonly is: "not"; readonly inner: Condition }
  | { readonly is: "and" | "or"; readonly left: Condition; readonly right: Condition };

export type Operand =
  | { readonly of: "value"; readonly value: Value }
  | { readonly of: "attribute"; readonly name: string }
  | { readonly of: "plus" | "minus" | "append"; readonly left: Operand; readonly right: Operand }
  | { readonly of: "default"; readonly name: string; readonly value: Value };

export type Action =
  | { readonly do: "set"; readonly path: Path; readonly to: Operand }
  | { readonly do: "remove"; readonly path: Path }
  | { readonly do: "add" | "delete"; readonly path: Path; readonly value: Value };

export type RangeCondition =
  | { readonly op: "=" | "<" | "<=" | ">" | ">=" | "begins"; readonly value: Value }
  | { readonly op: "between"; readonly value: Value; readonly high: Value };

export type Returns = "NONE" | "ALL_OLD" | "ALL_NEW" | "UPDATED_OLD" | "UPDATED_NEW";

/** One write, alone or in a transaction. */
export interface Write {
  readonly kind: "put" | "update" | "delete" | "check";
  readonly table: string;
  /** The whole item for put, else the key. */
  readonly item: Item;
  readonly actions?: readonly Action[];
  readonly condition?: Condition;
  readonly oldOnFailure?: boolean;
}

export interface Read {
  readonly table: string;
  readonly index?: string;
  readonly filter?: Condition;
  readonly projection?: readonly Path[];
  readonly select?: "COUNT" | "ALL_ATTRIBUTES";
  readonly consistent?: boolean;
  readonly limit?: number;
}

export interface QueryStep extends Read {
  readonly step: "query";
  readonly hash: readonly Value[];
  readonly equal: readonly Value[];
  readonly last?: RangeCondition;
  readonly reverse?: boolean;
  /** A key of the table (never of an index) to start after, whether it is there or not. */
  readonly start?: Item;
}

export interface ScanStep extends Read {
  readonly step: "scan";
  readonly segments?: number;
}

export type Step =
  | { readonly step: "write"; readonly write: Write; readonly returns: Returns }
  | {
      readonly step: "get";
      readonly table: string;
      readonly key: Item;
      readonly consistent: boolean;
      readonly projection?: readonly Path[];
    }
  | QueryStep
  | ScanStep
  | {
      readonly step: "batchGet";
      readonly consistent: boolean;
      readonly keys: Readonly<Record<string, readonly Item[]>>;
      readonly projection?: readonly Path[];
    }
  | { readonly step: "batchWrite"; readonly writes: readonly Write[] }
  | {
      readonly step: "transactGet";
      readonly gets: readonly { table: string; key: Item; projection?: readonly Path[] }[];
    }
  | { readonly step: "transactWrite"; readonly writes: readonly Write[]; readonly token?: string }
  | { readonly step: "createTable"; readonly spec: TableSpec }
  | { readonly step: "deleteTable"; readonly table: string }
  | { readonly step: "addIndex"; readonly table: string; readonly index: IndexSpec }
  | { readonly step: "dropIndex"; readonly table: string; readonly index: string }
  | { readonly step: "timeToLive"; readonly table: string; readonly enabled: boolean }
  | { readonly step: "describe"; readonly table: string }
  | { readonly step: "list"; readonly limit: number }
  /** Waits for the building of indexes. */
  | { readonly step: "idle" }
  /** Closes the store and opens it again; nothing on a store in memory. */
  | { readonly step: "reopen" }
  | { readonly step: "advance"; readonly milliseconds: number };

export const keyNames = ({ hash, range }: Pick<TableSpec, "hash" | "range">): string[] =>
  [...hash, ...range].map(([name]) => name);
