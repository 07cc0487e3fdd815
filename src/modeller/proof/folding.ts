import type { AttributeValue } from "../../item/attribute-value.ts";
import { attributesOf, type KeyText } from "../../model/key-text.ts";
import type { Entity, Predicate } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import type { Plan, ReadRequest } from "../plans/plan.ts";
import { structuresOf } from "../plans/structures.ts";
import type { EntityValues } from "../values/render-key.ts";
import { fnv1a } from "../values/shard-hash.ts";

/**
 * Attributes whose case a key does not keep. To such a design values that differ only in case are the same, so data has
 * none that do; but the same value may be asked for in another case.
 */
export function foldedIn(facts: Facts, entity: Entity): ReadonlySet<string> {
  const known = foldedEntities.get(facts) ?? new Map<Entity, ReadonlySet<string>>();
  foldedEntities.set(facts, known);
  const folded = known.get(entity) ?? workOut(facts, entity);
  known.set(entity, folded);
  return folded;
}

const foldedEntities = new WeakMap<Facts, Map<Entity, ReadonlySet<string>>>();

function workOut({ records }: Facts, entity: Entity): ReadonlySet<string> {
  const texts = records.flatMap((record) =>
    record.entity === entity
      ? record.attributes.flatMap(({ content }) => (content.kind === "key" ? [content.text] : []))
      : [],
  );
  return new Set(texts.flatMap(foldedBy));
}

function foldedBy(text: KeyText): readonly string[] {
  return attributesOf(text).flatMap(({ attribute, transforms }) =>
    transforms.some(({ kind }) => kind === "lower" || kind === "upper") ? [attribute] : [],
  );
}

/** By pattern: what its right plan does not tell apart by case. */
export type Folded = ReadonlyMap<string, ReadonlySet<string>>;

/** Attributes of the pattern's entity whose case does not matter to a read: the keys that it uses do not keep it. */
export function foldedFor({ pattern, requests }: Plan): ReadonlySet<string> {
  const [action] = pattern.actions;
  const reads = requests.filter(
    (one): one is ReadRequest =>
      one.kind === "read" && one.record.entity.name === (action?.entity ?? ""),
  );
  const folded = new Set(
    reads.flatMap(({ record, index }) =>
      structuresOf(record)
        .filter((one) => one.index === index)
        .flatMap(({ partition, sort }) =>
          [...partition, ...sort].flatMap(({ text }) => foldedBy(text)),
        ),
    ),
  );
  // What is left to a filter or to the caller is looked at as it is.
  for (const { filter, sortsInClient } of reads) {
    for (const { attribute } of filter) folded.delete(attribute);
    if (sortsInClient) for (const { attribute } of action?.order ?? []) folded.delete(attribute);
  }
  return folded;
}

/** Values as a design sees them that does not keep the case of some. */
export function inOneCase(values: EntityValues, folded: ReadonlySet<string>): EntityValues {
  return folded.size === 0 ? values : mapped(values, folded, lowered);
}

/** The same values in a case of their own: equal texts stay equal. */
export function inAnyCase(values: EntityValues, folded: ReadonlySet<string>): EntityValues {
  return folded.size === 0 ? values : mapped(values, folded, capitalised);
}

function mapped(
  values: EntityValues,
  names: ReadonlySet<string>,
  change: (value: AttributeValue) => AttributeValue,
): EntityValues {
  return new Map(
    [...values].map(([name, value]) => [name, names.has(name) ? change(value) : value]),
  );
}

export type Parameters = ReadonlyMap<string, readonly AttributeValue[]>;

/** Parameters that are compared with what is folded, in one case or in another one than they are. */
export function parametersIn(
  parameters: Parameters,
  where: readonly Predicate[],
  folded: ReadonlySet<string>,
  way: "one case" | "another case",
): Parameters {
  const names = new Set(
    where
      .filter(({ attribute }) => folded.has(attribute))
      .flatMap(({ operands }) =>
        operands.flatMap((one) => (one.kind === "parameter" ? [one.name] : [])),
      ),
  );
  if (names.size === 0) return parameters;
  const change = way === "one case" ? lowered : swapped;
  return new Map(
    [...parameters].map(([name, values]) => [name, names.has(name) ? values.map(change) : values]),
  );
}

/** The same value in another case, if there is one. */
export function swapped(value: AttributeValue): AttributeValue {
  if (!("S" in value)) return value;
  const low = value.S.toLowerCase();
  const high = low.toUpperCase();
  // Some letters have no way back from upper case.
  return value.S === low && high.toLowerCase() === low ? { S: high } : { S: low };
}

function lowered(value: AttributeValue): AttributeValue {
  return "S" in value ? { S: value.S.toLowerCase() } : value;
}

function capitalised(value: AttributeValue): AttributeValue {
  if (!("S" in value)) return value;
  const low = value.S.toLowerCase();
  const high = low.slice(0, 1).toUpperCase() + low.slice(1);
  return fnv1a(low) % 2 === 0 && high.toLowerCase() === low ? { S: high } : { S: low };
}
