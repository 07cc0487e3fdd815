import type { Index, Table } from "../../model/design.ts";
import type { KeyText } from "../../model/key-text.ts";
import type {
  Condition,
  Entity,
  Operand,
  Order,
  Pattern,
  Predicate,
} from "../../model/requirements.ts";
import type { HostLink, MadeKey, StoredRecord } from "../records/record.ts";
import { needsValue } from "../records/shares.ts";

/**
 * How a pattern is carried out: requests in their order, with the values that each takes. Proof, generated
 * code, units and prices all come from this one plan.
 */
export interface Plan extends Planned {
  readonly pattern: Pattern;
  /** The document says it so; it was not derived. */
  readonly stated: boolean;
}

/** Requests, or why there are none. */
export interface Planned<Request extends PlannedRequest = PlannedRequest> {
  readonly requests: readonly Request[];
  /** Why there are no requests. */
  readonly problem: string | undefined;
  /** What a reader of the plan should know, in sentences. */
  readonly notes: readonly string[];
  /** Access paths that were not taken, and why. */
  readonly rejected: readonly Rejection[];
}

export interface Rejection {
  /** `Shop` or `Shop.GSI1`. */
  readonly structure: string;
  readonly why: string;
}

export type PlannedRequest = ReadRequest | WriteRequest;

/** Where a value in a request comes from. */
export type Binding =
  | Operand
  /** An attribute of the item that is written. */
  | { readonly kind: "item"; readonly attribute: string }
  /** An attribute of each item that an earlier request returned. */
  | { readonly kind: "result"; readonly request: number; readonly attribute: string }
  /** One of several values, one request or key for each. */
  | { readonly kind: "each"; readonly operands: readonly Operand[] }
  /** Every unit of time of the pattern's span, one request for each. */
  | { readonly kind: "span"; readonly predicate: Predicate };

export type Bindings = ReadonlyMap<string, Binding>;

/** Attributes of each item that an earlier request returned. */
export function resultBindings(names: Iterable<string>, request: number): Bindings {
  return new Map(
    [...names].map((attribute) => [attribute, { kind: "result", request, attribute }]),
  );
}

/** A condition on one key attribute. */
export interface KeyCondition {
  readonly attribute: MadeKey["attribute"];
  readonly text: KeyText;
  /**
   * `equals`: all segments are known. `begins`: the first `segments` are. `range`: they are, and the next one is
   * compared as `predicate` says; what comes after it is open.
   */
  readonly kind: "equals" | "begins" | "range";
  readonly segments: number;
  readonly predicate?: Predicate;
}

/**
 * What the caller does with the rows of a request, in this order: join, filter, sort, limit. For a child entity (`together`) it
 * is done for each parent separately.
 */
export interface Remainder {
  /** Attributes that have to equal those of the parent, where no key has seen to it. */
  readonly links: readonly Link[];
  readonly filter: readonly Predicate[];
  /** Empty if the rows come in the order that is asked for, or in any order. */
  readonly order: readonly Order[];
  readonly limit: number | undefined;
}

/** An attribute of a row, and the attribute of a row of an earlier request that it equals. */
export interface Link {
  readonly attribute: string;
  readonly request: number;
  readonly of: string;
}

export const noRemainder: Remainder = { links: [], filter: [], order: [], limit: undefined };

export interface ReadRequest {
  readonly kind: "read";
  /** The question of the pattern that it answers: the place in its actions, followed by its `together`. */
  readonly part: number;
  /** The request whose rows this one completes with further attributes, item by item; undefined if it finds rows itself. */
  readonly completes: number | undefined;
  readonly remainder: Remainder;
  readonly operation: "GetItem" | "BatchGetItem" | "Query" | "Scan" | "TransactGetItems";
  readonly table: Table;
  readonly index: Index | undefined;
  /** What it is meant to find. */
  readonly record: StoredRecord;
  /** Other kinds of items that are wanted from the same range. */
  readonly together: readonly StoredRecord[];
  /** Kinds of items that lie in the range and are not wanted. */
  readonly beside: readonly StoredRecord[];
  /** The partition key's attributes, all equal to something. Empty for a Scan. */
  readonly partition: readonly KeyCondition[];
  readonly sort: readonly KeyCondition[];
  readonly bindings: Bindings;
  /** The entity that is created, where `item` in bindings is an attribute of it; that of the record unless stated. */
  readonly of?: string;
  /**
   * Predicates that are checked where the items are read: by the FilterExpression of a Query or Scan; by the caller for
   * items that are read by key, and for key attributes, which a Query does not filter by.
   */
  readonly filter: readonly Predicate[];
  readonly forward: boolean;
  /** The most items that one call evaluates. */
  readonly limit: number | undefined;
  /** The answer has to be sorted by the caller, so all of it is read. */
  readonly sortsInClient: boolean;
  /** Answers of several calls are merged in the order of the key. */
  readonly merges: boolean;
  readonly consistent: boolean;
  /** The attributes that are asked for, by their names in the entity. */
  readonly returns: readonly string[];
  /** Attributes that a local index takes from the table by itself. */
  readonly fetches: boolean;
  /** One call, or one key of a batch, for each of these combinations. */
  readonly times: readonly Times[];
  /** The numbers for one run of the pattern. */
  readonly expected: ExpectedRead;
}

export interface Times {
  readonly count: number;
  readonly why: "shards" | "values" | "span" | "results" | "batch" | "periods";
  /** In words: `10 shards`. */
  readonly text: string;
  readonly assumed: boolean;
}

/** What a read finds, for all its calls together. */
export interface ExpectedRead {
  /** Keys of GetItem and batches, or partitions that are asked. */
  readonly calls: number;
  /** Items that are read, by kind. */
  readonly evaluated: readonly { readonly record: StoredRecord; readonly count: number }[];
  /** Items that the filter and the limit leave, of the kinds that are wanted. */
  readonly returned: number;
  /** What the numbers rest on and nobody has said. */
  readonly assumptions: readonly string[];
}

export interface WriteRequest {
  readonly kind: "write";
  readonly operation:
    | "PutItem"
    | "UpdateItem"
    | "DeleteItem"
    | "BatchWriteItem"
    | "TransactWriteItems";
  readonly actions: readonly WriteAction[];
}

export interface WriteAction {
  readonly kind: "put" | "update" | "delete" | "check";
  readonly record: StoredRecord;
  /** The entity that the pattern writes; `item` in bindings are its attributes. */
  readonly of: string;
  readonly bindings: Bindings;
  /** How many of these the request has on average. */
  readonly count: number;
  readonly countAssumed: boolean;
  readonly condition: Condition | undefined;
  /** What the pattern asks for beyond the key, and what must hold besides the condition. */
  readonly also: readonly Predicate[];
  /** Attributes outside the key that the item must have with the values of `bindings`: they link it to what is written. */
  readonly equal?: readonly string[];
  readonly changes: Changes;
  /** The item must still be as an earlier request read it, in these attributes; missing, if that request found nothing. */
  readonly asRead?: { readonly request: number; readonly attributes: readonly string[] };
  /** It is looked up first by these values, and nothing at all is written if it is not found. */
  readonly mustBeFound?: Bindings;
  /** There may be an older one: if the entity has no such part, that one is deleted. */
  readonly replaces?: true;
  /** It changes an aggregate, because of another write; what several of them add to one item is one update. */
  readonly counts?: true;
  /** Entities that are written with the item because they lie inside of it. */
  readonly holding?: readonly Held[];
  /** What it does to an entity that lies in a map of the item; `changes` then name that map. */
  readonly inner?: InnerWrite;
  /** In words, for actions that the pattern does not name: `keeps Customer.email unique`. */
  readonly because: string | undefined;
}

/** An entity that lies inside of an item, and the attributes of its own that say whose it is. */
export interface Held {
  readonly entity: Entity;
  readonly links: readonly HostLink[];
}

/** A write of something that lies inside of an item, by itself. */
export interface InnerWrite {
  readonly kind: "create" | "update" | "delete" | "check";
  readonly entity: Entity;
  /** The attribute of the item that it lies in. */
  readonly as: string;
  /** What tells it from others there; nothing if it is the only one. */
  readonly by: { readonly attribute: string; readonly binding: Binding } | undefined;
  readonly changes: Changes;
  readonly condition: Condition | undefined;
  readonly also: readonly Predicate[];
}

/** What an update does to the attributes of an entity. */
export interface Changes {
  readonly sets: readonly { readonly attribute: string; readonly to: Binding }[];
  readonly adds: readonly {
    readonly attribute: string;
    readonly amount: number;
    /** So often this value is added; 1 if there is none. */
    readonly by?: Binding;
  }[];
  readonly appends: readonly string[];
  readonly removes: readonly string[];
}

export const noChanges: Changes = { sets: [], adds: [], appends: [], removes: [] };

/** `Shop` or `Shop.GSI1`. */
export function structureName(table: Table, index: Index | undefined): string {
  return index === undefined ? table.name : `${table.name}.${index.name}`;
}

/** Whether a write is refused where there is no item: once a read has found none, nothing is sent. */
export function needsItem({ condition, also }: Pick<WriteAction, "condition" | "also">): boolean {
  if (condition?.kind === "exists" || condition?.kind === "version") return true;
  return [...also, ...(condition?.kind === "where" ? condition.predicates : [])].some(needsValue);
}

/** The attributes that an update touches. */
export function touchedBy({ sets, adds, appends, removes }: Changes): ReadonlySet<string> {
  return new Set([...[...sets, ...adds].map((one) => one.attribute), ...appends, ...removes]);
}
