/** Where a price is from. A price that is not `confirmed` is marked in everything printed. */
export type Basis =
  /** Read in the price list, or in a tool that AWS publishes. */
  | "confirmed"
  /** From other prices of the Region, by a rule that holds where both are known. */
  | "derived"
  /** Known by hearsay only. */
  | "unsure";

export interface Price {
  readonly usd: number;
  readonly basis: Basis;
  /** The name of an entry in `sources`. */
  readonly source: string;
}

export interface ClassPrices {
  /** For a million request units. */
  readonly readRequests: Price;
  readonly writeRequests: Price;
  readonly replicatedWriteRequests: Price;
  /** For a capacity unit and hour. */
  readonly readCapacity: Price;
  readonly writeCapacity: Price;
  readonly replicatedWriteCapacity: Price;
  /** For a GB (of 1024³ B) and month. */
  readonly storage: Price;
}

/** For a hundred capacity units: paid at the beginning of the term, and for each hour of it. */
export interface ReservedPrice {
  readonly upfront: Price;
  readonly hour: Price;
}

export interface RegionPrices {
  readonly region: string;
  readonly place: string;
  readonly standard: ClassPrices;
  readonly infrequentAccess: ClassPrices;
  readonly reserved: Readonly<
    Record<1 | 3, { readonly read: ReservedPrice; readonly write: ReservedPrice } | undefined>
  >;
  /** For a GB and month of what the table and its local indexes weigh. */
  readonly pointInTimeRecovery: Price;
  readonly backup: Price;
  /** For a GB. */
  readonly restore: Price;
  readonly exporting: Price;
  readonly importing: Price;
  /** For 100,000 units of GetRecords. */
  readonly streamReads: Price;
  /** For a node and hour, by the type of the node. */
  readonly dax: ReadonlyMap<string, Price>;
}
