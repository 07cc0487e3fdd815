import { SeededRandom } from "../../base/random.ts";
import type { AttributeValue } from "../../item/attribute-value.ts";
import type { Model } from "../../model/model.ts";
import type { Attribute, Entity, Predicate } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import type { EntityValues } from "../values/render-key.ts";
import { fnv1a } from "../values/shard-hash.ts";
import { inAnyCase } from "./folding.ts";
import { foldedIn } from "./oracle/case.ts";
import type { State } from "./oracle/state.ts";

/**
 * Makes entities awkward, so that a wrong design shows: values that tie, that differ in case or only in length, numbers
 * that sort otherwise as texts, moments around the turn of a unit, attributes that are missing.
 */
export function awkward(facts: Facts, state: State, seed: number): State {
  const asked = askedAbout(facts.model);
  return new Map(
    [...state].map(([name, list]) => {
      const entity = facts.model.entities.get(name) as Entity;
      // Each has draws of its own: what is asked of one entity changes no other.
      const random = new SeededRandom(seed, fnv1a(name));
      const fixed = fixedIn(facts, entity);
      const folded = foldedIn(facts.model, entity);
      const pools = new Map(
        [...entity.attributes.values()]
          .filter((one) => !fixed.has(one.name) && asked.has(`${name}.${one.name}`))
          .map((one) => [one.name, poolOf(one, list, random, folded.has(one.name))] as const),
      );
      const edges = [...edgesOf(facts.model, entity)].filter(([one]) => !fixed.has(one));
      return [
        name,
        list.map((values) => {
          const after = changed(entity, values, pools, random);
          for (const [attribute, numbers] of edges) {
            const number = numbers[random.below(numbers.length * 3)];
            if (number !== undefined) after.set(attribute, { N: String(number) });
          }
          return inAnyCase(after, folded);
        }),
      ];
    }),
  );
}

/** Attributes that conditions and orders look at: others need not be awkward. */
function askedAbout({ patterns, design }: Model): ReadonlySet<string> {
  const asked = new Set<string>();
  const note = (entity: string, predicates: readonly Pick<Predicate, "attribute">[]): void => {
    for (const { attribute } of predicates) asked.add(`${entity}.${attribute}`);
  };
  for (const { actions, together } of patterns.values()) {
    for (const { entity, where, order, condition } of actions) {
      note(entity, where);
      note(entity, order);
      if (condition?.kind === "where") note(entity, condition.predicates);
    }
    for (const { entity, where, order } of together) {
      note(entity, where);
      note(entity, order);
    }
  }
  for (const { indexes } of design?.tables.values() ?? []) {
    for (const { members } of indexes.values()) {
      for (const { entity, only } of members.values()) note(entity, only ?? []);
    }
  }
  return asked;
}

/** Numbers at the edge of what conditions allow. */
function edgesOf({ patterns }: Model, entity: Entity): ReadonlyMap<string, readonly number[]> {
  const edges = new Map<string, number[]>();
  for (const action of [...patterns.values()].flatMap(({ actions }) => actions)) {
    if (action.entity !== entity.name || action.condition?.kind !== "where") continue;
    for (const { attribute, operands } of action.condition.predicates) {
      const isNumber = entity.attributes.get(attribute)?.type === "N";
      for (const operand of isNumber ? operands : []) {
        if (operand.kind !== "constant" || typeof operand.value !== "number") continue;
        const list = edges.get(attribute) ?? [];
        edges.set(attribute, [...list, operand.value, operand.value + 1]);
      }
    }
  }
  return edges;
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

/** A few values that are hard to tell apart or to sort. */
function poolOf(
  attribute: Attribute,
  list: readonly EntityValues[],
  random: SeededRandom,
  isFolded: boolean,
): readonly AttributeValue[] {
  if (attribute.values !== undefined || attribute.format === undefined) {
    const awkwardOnes = awkwardValues(attribute, isFolded);
    if (awkwardOnes.length > 0) return awkwardOnes;
  }
  // Moments and the like: a few that there are, so that they tie.
  const some = list.flatMap((values) => values.get(attribute.name) ?? []);
  return Array.from(
    { length: Math.min(4, some.length) },
    () => some[random.below(some.length)] as AttributeValue,
  );
}

/**
 * One of them, or one that hardly anybody else has: were there ties alone, the first of many would all be the same.
 */
export function varied(
  { digits, values, format }: Attribute,
  value: AttributeValue,
  random: SeededRandom,
): AttributeValue {
  if (values !== undefined || format !== undefined || random.unit() < 0.6) return value;
  if ("S" in value) return { S: value.S + "abcdefghijklmnopqrstuvwxyz"[random.below(26)] };
  if (!("N" in value)) return value;
  const power = 10 ** random.below(Math.min(digits ?? 10, 9));
  return { N: String(power + random.below(9 * power)) };
}

/** Values of a text or number without a format, or of those that are listed; none for others. */
export function awkwardValues(
  { type, digits, values }: Attribute,
  isFolded: boolean,
): readonly AttributeValue[] {
  if (values !== undefined) {
    return values.map(({ value }) => (type === "N" ? { N: String(value) } : { S: String(value) }));
  }
  if (type === "N") {
    const most = 10 ** Math.min(digits ?? 10, 15) - 1;
    return [1, 2, 9, 10, 11, 99, 100, 101, 12, 3, most, 20]
      .filter((one) => one <= most)
      .map((one) => ({ N: String(one) }));
  }
  if (type !== "S") return [];
  const texts = isFolded ? ["b", "Ba", "a", "Ab", "C-d"] : ["b", "B", "ba", "a", "Ab", "c-d"];
  return texts.map((S) => ({ S }));
}

function changed(
  entity: Entity,
  values: EntityValues,
  pools: ReadonlyMap<string, readonly AttributeValue[]>,
  random: SeededRandom,
): Map<string, AttributeValue> {
  const after = new Map(values);
  for (const [name, pool] of pools) {
    const value = pool[random.below(pool.length)];
    const attribute = entity.attributes.get(name) as Attribute;
    if (value !== undefined && random.unit() < 0.7) {
      after.set(name, varied(attribute, value, random));
    }
    if (attribute.isOptional && random.unit() < 0.4) after.delete(name);
  }
  return after;
}
