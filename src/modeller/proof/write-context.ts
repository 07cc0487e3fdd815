/** What is drawn for one try of a write: the items and parameters so far, and what they name. */
import type { SeededRandom } from "../../base/random.ts";
import type { AttributeValue } from "../../item/attribute-value.ts";
import type { Action, Entity, Pattern } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import type { EntityValues } from "../values/render-key.ts";
import { idText } from "./identity.ts";
import { foldedIn, inOneCase } from "./oracle/case.ts";
import type { State } from "./oracle/state.ts";

/**
 * What a write is tried with. `fitting`: what it is for. The others have to be refused: `taken` creates what is there,
 * `doubled` gives something new a value that has to be unique and is not, `missing` changes what is not there, `unfit`
 * what its condition does not allow.
 */
export type Aim = "fitting" | "taken" | "doubled" | "missing" | "unfit";

/** One of a list that fits, or nothing if none does. */
export type Choose = (
  list: readonly EntityValues[],
  purpose: "like" | "target" | "value",
  fits: (one: EntityValues) => boolean,
) => EntityValues | undefined;

/** What inputs are drawn from. */
export interface WriteDraw {
  readonly facts: Facts;
  readonly pattern: Pattern;
  readonly state: State;
  readonly random: SeededRandom;
  readonly aim: Aim;
  readonly choose: Choose;
  /** The part of an id in which something new differs from what there is; in all, if there is no such part. */
  readonly part: number;
}

export class WriteContext {
  readonly draw: WriteDraw;
  readonly parameters = new Map<string, readonly AttributeValue[]>();
  readonly items = new Map<string, Map<string, AttributeValue>[]>();
  /** Of several entities that are created, the one that is not new. */
  victim: string | undefined;
  /** A transaction names an item once. */
  private readonly named = new Set<string>();

  constructor(draw: WriteDraw) {
    this.draw = draw;
  }

  entity(name: string): Entity {
    return this.draw.facts.model.entities.get(name) as Entity;
  }

  all({ name }: Entity): readonly EntityValues[] {
    return this.draw.state.get(name) ?? [];
  }

  /** How many things an action names. */
  countOf({ average }: Action): number {
    const batch = Math.min(3, this.draw.pattern.batch?.value ?? 1);
    return Math.max(1, Math.round(average.value * batch));
  }

  isNamed(entity: Entity, values: EntityValues): boolean {
    return this.named.has(this.nameOf(entity, values));
  }

  name(entity: Entity, values: EntityValues): void {
    this.named.add(this.nameOf(entity, values));
  }

  folded(entity: Entity): ReadonlySet<string> {
    return foldedIn(this.draw.facts.model, entity);
  }

  private nameOf(entity: Entity, values: EntityValues): string {
    return `${entity.name} ${idText(entity, inOneCase(values, this.folded(entity)))}`;
  }
}
