import type { Index, KeyAttribute, KeyPart, Table } from "../../model/design.ts";
import type { KeyText } from "../../model/key-text.ts";
import type { Attribute, Entity, Predicate } from "../../model/requirements.ts";

/** A kind of item that a design stores: an entity's own item, a part of it, or one that guards a value. */
export interface StoredRecord {
  /** `Customer`, `Customer.preferences` (a split), `Customer.email` (a unique value), `Page (latest)`. */
  readonly name: string;
  readonly role: "item" | "split" | "unique" | "latest";
  readonly table: Table;
  readonly entity: Entity;
  /** The table's key: partition first. */
  readonly key: readonly KeyPart[];
  readonly attributes: readonly StoredAttribute[];
  readonly memberships: readonly Membership[];
}

/** What one attribute of an item holds. */
export type Content =
  | { readonly kind: "attribute"; readonly attribute: Attribute }
  | { readonly kind: "key"; readonly text: KeyText }
  | { readonly kind: "text"; readonly text: string }
  /** Other entities: a list of maps, a map of them by an attribute, or a single one. */
  | {
      readonly kind: "embedded";
      readonly entity: Entity;
      readonly by: string | undefined;
      readonly one: boolean;
      /** How one of them states whose it is; nothing if it does not. */
      readonly links: readonly HostLink[];
    };

/** An attribute of an embedded entity that holds a part of its host's id. The item does not repeat it for each of them. */
export interface HostLink {
  readonly own: string;
  readonly host: string;
}

export interface StoredAttribute {
  /** The name in the table. */
  readonly name: string;
  readonly content: Content;
  /** It is only there for index entries, in this share of the items (see memberships). */
  readonly membership?: string;
}

/** A key attribute of a table or an index, and what it is made of for one kind of item. */
export interface MadeKey {
  readonly attribute: KeyAttribute;
  readonly text: KeyText;
}

/** The presence of a kind of item in an index. */
export interface Membership {
  readonly index: Index;
  readonly partition: readonly MadeKey[];
  readonly sort: readonly MadeKey[];
  /** Only items for which this holds are in it. */
  readonly only: readonly Predicate[];
  /** Entity attributes that must be there for an item to be in it, and need not be. */
  readonly optional: readonly Attribute[];
  /** What an entry holds. */
  readonly attributes: readonly StoredAttribute[];
}
