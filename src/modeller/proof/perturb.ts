import type { SeededRandom } from "../../base/random.ts";
import type { AttributeValue } from "../../item/attribute-value.ts";
import { attributesOf } from "../../model/key-text.ts";
import type { Model } from "../../model/model.ts";
import type { Attribute, Entity, Predicate } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import type { EntityValues } from "../values/render-key.ts";
import type { State } from "./oracle.ts";

/**
 * Makes entities awkward, so that a wrong design shows: values that tie, that differ in case or only in length, numbers
 * that sort otherwise as texts, moments around the turn of a unit, attributes that are missing.
 */
export function awkward(facts: Facts, state: State, random: SeededRandom): State {
  const asked = askedAbout(facts.model);
  return new Map(
    [...state].map(([name, list]) => {
      const entity = facts.model.entities.get(name) as Entity;
      const fixed = fixedIn(facts, entity);
      const folded = foldedIn(facts, entity);
      const pools = new Map(
        [...entity.attributes.values()]
          .filter((one) => !fixed.has(one.name) && asked.has(`${name}.${one.name}`))
          .map((one) => [one.name, poolOf(one, list, random, folded.has(one.name))] as const),
      );
      return [
        name,
        list.map((values) => inOneCase(changed(entity, values, pools, random), folded)),
      ];
    }),
  );
}

/** Attributes that conditions and orders look at: others need not be awkward. */
function askedAbout({ patterns }: Model): ReadonlySet<string> {
  const asked = new Set<string>();
  const note = (entity: string, predicates: readonly Pick<Predicate, "attribute">[]): void => {
    for (const { attribute } of predicates) asked.add(`${entity}.${attribute}`);
  };
  for (const { actions, together } of patterns.values()) {
    for (const { entity, where, order } of actions) {
      note(entity, where);
      note(entity, order);
    }
    for (const { entity, where, order } of together) {
      note(entity, where);
      note(entity, order);
    }
  }
  return asked;
}

/** Attributes that must stay: ids and what refers to them, unique values, copies, counters, periods and versions. */
function fixedIn({ model, cardinality }: Facts, entity: Entity): ReadonlySet<string> {
  const fixed = new Set(entity.id);
  for (const { name, unique, copyOf, counter } of entity.attributes.values()) {
    if (unique || copyOf !== undefined || counter) fixed.add(name);
    if (cardinality.parentOf(entity, name) !== undefined) fixed.add(name);
  }
  if (entity.version !== undefined) fixed.add(entity.version);
  for (const { periods, versioning, ttl, aggregates } of model.design?.tables.values() ?? []) {
    if (periods !== undefined) fixed.add(periods.attribute);
    if (ttl !== undefined) fixed.add(ttl.attribute);
    if (versioning?.entity === entity.name) fixed.add(versioning.attribute);
    for (const { into } of aggregates) if (into.entity === entity.name) fixed.add(into.attribute);
  }
  return fixed;
}

/**
 * Attributes whose case a key does not keep: to the design, values that differ only in case are the same, so there
 * are none that do.
 */
function foldedIn({ records }: Facts, entity: Entity): ReadonlySet<string> {
  const texts = records.flatMap((record) =>
    record.entity === entity
      ? record.attributes.flatMap(({ content }) => (content.kind === "key" ? [content.text] : []))
      : [],
  );
  return new Set(
    texts.flatMap((text) =>
      attributesOf(text).flatMap(({ attribute, transforms }) =>
        transforms.some(({ kind }) => kind === "lower" || kind === "upper") ? [attribute] : [],
      ),
    ),
  );
}

/** A few values that are hard to tell apart or to sort. */
function poolOf(
  { name, type, format, digits, values }: Attribute,
  list: readonly EntityValues[],
  random: SeededRandom,
  isFolded: boolean,
): readonly AttributeValue[] {
  if (values !== undefined) {
    return values.map(({ value }) => (type === "N" ? { N: String(value) } : { S: String(value) }));
  }
  if (type === "N" && format === undefined) {
    const most = 10 ** Math.min(digits ?? 10, 15) - 1;
    return [1, 2, 9, 10, 11, 99, 100, 101, most]
      .filter((one) => one <= most)
      .map((one) => ({ N: String(one) }));
  }
  if (type === "S" && format === undefined && isFolded) {
    return ["b", "ba", "a", "ab", "c-d"].map((S) => ({ S }));
  }
  if (type === "S" && format === undefined)
    return ["b", "B", "ba", "a", "Ab", "c-d"].map((S) => ({ S }));
  // Moments and the like: a few that there are, so that they tie.
  const some = list.flatMap((values) => values.get(name) ?? []);
  return Array.from(
    { length: Math.min(4, some.length) },
    () => some[random.below(some.length)] as AttributeValue,
  );
}

function changed(
  entity: Entity,
  values: EntityValues,
  pools: ReadonlyMap<string, readonly AttributeValue[]>,
  random: SeededRandom,
): EntityValues {
  const after = new Map(values);
  for (const [name, pool] of pools) {
    const value = pool[random.below(pool.length)];
    if (value !== undefined && random.unit() < 0.7) after.set(name, value);
    const { present } = entity.attributes.get(name) as Attribute;
    if (present.value < 1 && random.unit() < 0.4) after.delete(name);
  }
  return after;
}

function inOneCase(values: EntityValues, folded: ReadonlySet<string>): EntityValues {
  return new Map(
    [...values].map(([name, value]) => [
      name,
      folded.has(name) && "S" in value ? { S: value.S.toLowerCase() } : value,
    ]),
  );
}
