import type { SeededRandom } from "../../base/random.ts";
import type { AttributeValue } from "../../item/attribute-value.ts";
import type { Model } from "../../model/model.ts";
import type { Attribute, Entity } from "../../model/requirements.ts";
import type { Reference, References } from "./references.ts";
import type { SampleCounts } from "./sample-counts.ts";

/** One entity of a sample while it is made. */
export interface Row {
  readonly entity: Entity;
  readonly values: Map<string, AttributeValue>;
  /** Whom it refers to. */
  readonly targets: Map<Reference, Row>;
  /** When it began. */
  born: number;
}

/** What is known while a sample is made. */
export interface Making {
  readonly model: Model;
  readonly now: number;
  readonly references: ReadonlyMap<string, References>;
  readonly counts: SampleCounts;
  /** The rows that are there by now. */
  readonly rows: Map<string, readonly Row[]>;
  /** A source of its own for everything, so that a new attribute does not change the others. */
  readonly random: (entity: string, attribute: string) => SeededRandom;
  /** The number of the versions that are kept of an entity, if they are. */
  readonly versionOf: (entity: Entity) => string | undefined;
  /** The few values that an attribute has, if it says so; attributes with the same name share them. */
  readonly pool: (entity: Entity, attribute: Attribute) => readonly AttributeValue[] | undefined;
}
