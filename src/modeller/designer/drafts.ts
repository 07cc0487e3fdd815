import type { IndexDocument, TableDocument } from "../../model/document-design.ts";

/** A way to lay entities out: the table that they share, and tables that this one needs beside it. */
export interface Layout {
  /** Unique among all layouts of a model. */
  readonly id: string;
  readonly entities: readonly string[];
  /** The table that the entities lie in. */
  readonly main: string;
  /** The main table first. */
  readonly tables: ReadonlyMap<string, TableDocument>;
  /** What it is, in words: `by orderId`. */
  readonly words: string;
  /** Its partition key is in so many shards. */
  readonly shards?: number;
  /** What it does beyond keys: a decision says what the best without that costs. */
  readonly idea?: "split" | "nested";
  /** Entities that lie inside of the items of another one. */
  readonly inside?: readonly string[];
  /** The same without that. */
  readonly plain?: Layout;
  /** It is there already and stays as it is, with the indexes that its tables have. */
  readonly kept?: true;
  readonly cache?: Cache;
  /** How the newest of versions is found, where somebody asks for it. */
  readonly versions?: "copy" | "query";
  /** The layout that has the same key and not what this one has besides. */
  readonly variantOf?: string;
}

/** A cache in front of a layout's table. */
export interface Cache {
  /** The patterns that it answers. */
  readonly patterns: readonly string[];
  /** The share of their reads that it is assumed to answer. */
  readonly hitRate: number;
  /** Why it is there: it saves more than it costs, or a key is read more than a partition gives. */
  readonly by: "price" | "heat";
}

/** An index that a layout's main table may have. */
export interface IndexDraft {
  /** Unique among all drafts of a model; the name while it is priced. */
  readonly id: string;
  readonly document: IndexDocument;
  /** `by customerId, sorted by createdAt`. */
  readonly words: string;
  /** Its partition key is in so many shards. */
  readonly shards?: number;
  /** The entity that it was thought of for. */
  readonly entity: string;
  /** What it puts on the items of the table besides their attributes: indexes with the same text share it. */
  readonly makes?: string;
  /** Patterns that find in it all they ask for; all who read it, if nothing is said. */
  readonly readers?: ReadonlySet<string>;
  /** One for several sparse conditions, each under a key of its own. */
  readonly joins?: true;
  /** It has a key for each part of time. */
  readonly bucket?: true;
  /** What its entries are, where they are not all items of the entity: `OpenOrders`. */
  readonly label?: string;
}
