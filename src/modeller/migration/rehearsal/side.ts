import type { AttributeValue } from "../../../item/attribute-value.ts";
import type { Model } from "../../../model/model.ts";
import type { Entity } from "../../../model/requirements.ts";
import { Facts } from "../../facts.ts";
import { linkOf } from "../../plans/links.ts";
import type { Plan } from "../../plans/plan.ts";
import { plansOf } from "../../plans/planner.ts";
import type { EntityValues } from "../../values/render-key.ts";
import type { Naming } from "../naming.ts";

/** Another entity that is known when one is: attributes of its id, and what they equal. */
export interface Parent {
  readonly entity: string;
  readonly pairs: readonly (readonly [theirs: string, ours: string])[];
}

/**
 * One of the two designs, as code that was written for it sees it. Names of the new document are the common ones; the
 * old side translates.
 */
export interface Side {
  readonly which: "old" | "new";
  readonly model: Model;
  readonly facts: Facts;
  readonly plans: ReadonlyMap<string, Plan>;
  /** The common name of one of its entities, and the other way round. */
  readonly common: (entity: string) => string;
  readonly own: (entity: string) => string;
  /** Values under its own names, by its own name of the entity. */
  readonly toOwn: (entity: string, values: EntityValues) => EntityValues;
  /** Values under common names; what this side does not know of stays as it is. */
  readonly toCommon: (entity: string, values: EntityValues, kept?: EntityValues) => EntityValues;
  /** By own name. */
  readonly parents: ReadonlyMap<string, readonly Parent[]>;
}

/** Attributes of an entity, all if nothing is said, under common names. */
export function commonNames(
  side: Side,
  entity: string,
  names: Iterable<string> = side.model.entities.get(entity)?.attributes.keys() ?? [],
): readonly string[] {
  const values = [...names].map((name): [string, AttributeValue] => [name, { NULL: true }]);
  return [...side.toCommon(entity, new Map(values)).keys()];
}

export function oldSide(model: Model, naming: Naming): Side {
  const facts = Facts.of(model);
  return {
    which: "old",
    model,
    facts,
    plans: plansOf(facts),
    common: (entity) => naming.newEntity(entity),
    own: (entity) => naming.oldEntity(entity),
    toOwn: (entity, values) => naming.toOld(model, entity, values),
    toCommon: (entity, values, kept) => naming.toNew(model, entity, values, kept),
    parents: parentsOf(facts),
  };
}

export function newSide(model: Model): Side {
  const facts = Facts.of(model);
  const known = (entity: string): Entity["attributes"] | undefined =>
    model.entities.get(entity)?.attributes;
  return {
    which: "new",
    model,
    facts,
    plans: plansOf(facts),
    common: (entity) => entity,
    own: (entity) => entity,
    toOwn: (entity, values) =>
      new Map([...values].filter(([name]) => known(entity)?.has(name) ?? false)),
    toCommon: (entity, values, kept) =>
      new Map([...[...(kept ?? [])].filter(([name]) => !known(entity)?.has(name)), ...values]),
    parents: parentsOf(facts),
  };
}

function parentsOf(facts: Facts): Side["parents"] {
  const entities = [...facts.model.entities.values()];
  return new Map(
    entities.map((own) => [
      own.name,
      entities.flatMap((other): readonly Parent[] => {
        if (other === own) return [];
        const pairs = [...linkOf(facts, own, other, [], new Map(), 0)].flatMap(
          ([theirs, binding]) =>
            binding.kind === "result" && other.id.includes(theirs)
              ? [[theirs, binding.attribute] as const]
              : [],
        );
        return pairs.length === other.id.length ? [{ entity: other.name, pairs }] : [];
      }),
    ]),
  );
}
