/** Parts that the document is made of, as they are written. */

/** A number that was given, or one that was assumed, which says so. */
export type Amount = number | { readonly assumed: number; readonly why?: string };

/** Bytes, or a text with a unit: "4 KB". */
export type SizeText = number | string;

export type BytesDocument =
  | SizeText
  | { readonly min: SizeText; readonly max: SizeText }
  | { readonly shares: Readonly<Record<string, number>> }
  | { readonly assumed: SizeText; readonly why?: string };

/** Seconds, or a text with a unit: "50ms", "365d". */
export type DurationText = number | string;

/** Requests per second. */
export type RateDocument = Amount | { readonly average?: Amount; readonly peak?: Amount };

/** How unevenly values are used: the share of the hottest one, or the exponent of Zipf's law. */
export interface SkewDocument {
  readonly hottest?: Amount;
  readonly zipf?: Amount;
}

export type Constant = string | number | boolean;

/** What an attribute is compared with. `$name` is a parameter; all else is a constant. */
export interface OperatorsDocument {
  readonly equals?: Constant;
  readonly "one-of"?: readonly Constant[] | string;
  readonly less?: Constant;
  readonly "at-most"?: Constant;
  readonly greater?: Constant;
  readonly "at-least"?: Constant;
  readonly between?: readonly [Constant, Constant];
  readonly "begins-with"?: string;
  readonly exists?: boolean;
  readonly contains?: Constant;
}

export type OperatorName = keyof OperatorsDocument;

export type WhereDocument<Attribute extends string = string> = {
  readonly [A in Attribute]?: OperatorName | OperatorsDocument;
};

export type Direction = "ascending" | "descending";

export interface UnitsDocument {
  readonly read?: number;
  readonly write?: number;
}
