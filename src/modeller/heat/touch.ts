import type { Index, Table } from "../../model/design.ts";
import type { KeyText } from "../../model/key-text.ts";
import type { StoredRecord } from "../records/record.ts";
import type { Spread } from "./spread.ts";

/** Requests per second of a pattern; what is missing is an open question. */
export interface TouchRate {
  readonly average: number | undefined;
  readonly peak: number | undefined;
  readonly assumed: boolean;
}

/** One attribute in a partition key, as one pattern uses it. */
export interface TouchPart {
  /** `Order.customerId`. */
  readonly attribute: string;
  /** What the values are: the same for all attributes that hold ids of the same entity. */
  readonly root: string;
  readonly spread: Spread;
}

/** What a pattern, or the design by itself, asks of the partition keys of one table or global index. */
export interface Touch {
  /** The pattern's id; nothing for what the design does by itself. */
  readonly pattern: string | undefined;
  /** In a few words: `Query`, `put Order`, `entry of Order`. */
  readonly what: string;
  readonly table: Table;
  /** Nothing for the table itself, and for local indexes, which lie with it. */
  readonly index: Index | undefined;
  readonly record: StoredRecord;
  readonly direction: "read" | "write";
  /** Writes of one item belong together: the table's part, then those of its indexes. */
  readonly group: number;
  readonly rate: TouchRate;
  /** Units of one run, over all keys that it visits. */
  readonly units: number;
  /** Keys, or items of a write, that one run visits; a gathering of shards counts as one. */
  readonly keys: number;
  /** They are different ones, so a single key gets no more than its part. */
  readonly distinct: boolean;
  /** The share that a cache leaves. */
  readonly uncached: number;
  /** A Scan has no key: it goes through all partitions. */
  readonly scan: boolean;
  /** The texts of the partition key's attributes. */
  readonly texts: readonly KeyText[];
  readonly parts: readonly TouchPart[];
  /** How many shards the key has, and the share of the one that is used most. */
  readonly shards: number;
  readonly shardShare: number;
  /** A read that does not know the shard asks all of them. */
  readonly gathers: boolean;
  /** New items come in the order of their sort keys, so a collection cannot be split where it is hot. */
  readonly monotonic: "rising" | "falling" | undefined;
  readonly assumptions: readonly string[];
  /** Questions that nobody has answered: the numbers are the worst case. */
  readonly open: readonly string[];
}
