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
  /** What its entries are, where they are not all items of the entity: `OpenOrders`. */
  readonly label?: string;
}
