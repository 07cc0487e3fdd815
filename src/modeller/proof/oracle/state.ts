/** What the oracle looks at: entities as their attributes alone, and what a caller hands in. Nothing here knows keys or tables. */
import type { AttributeValue } from "../../../item/attribute-value.ts";

/** The values of one entity by attribute; what is missing is not in it. */
export type EntityValues = ReadonlyMap<string, AttributeValue>;

/** All entities there are, by name. */
export type State = ReadonlyMap<string, readonly EntityValues[]>;

export type Parameters = ReadonlyMap<string, readonly AttributeValue[]>;

/** What a caller of a pattern hands in. */
export interface CallerInputs {
  readonly parameters: Parameters;
  /** The entities that are created. */
  readonly items: (entity: string) => readonly EntityValues[];
}
