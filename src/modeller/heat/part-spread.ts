import { formats } from "../../model/formats.ts";
import type { Transform } from "../../model/key-text.ts";
import type { Attribute, Entity, Pattern, Predicate, Skew } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import type { Binding } from "../plans/plan.ts";
import { unitsKept } from "../plans/read-numbers.ts";
import { constantsIn, holdsFor } from "../records/shares.ts";
import type { Spread } from "./spread.ts";

/** What is known about the use of one attribute in a partition key. */
export interface PartContext {
  readonly facts: Facts;
  readonly entity: Entity;
  readonly name: string;
  readonly transforms: readonly Transform[];
  readonly skew: Pattern["skew"];
  readonly binding: Binding | undefined;
  /** Only items for which this holds are there. */
  readonly only: readonly Predicate[];
}

export interface PartSpread {
  readonly spread: Spread;
  readonly assumptions: readonly string[];
  readonly open: readonly string[];
}

/**
 * How the values of an attribute are used: what the request names, then the pattern's skew, the time, the attribute's
 * skew, the shares of its values; else all alike. If nobody said how many there are, all is on one.
 */
export function partSpread(context: PartContext): PartSpread {
  const { facts, entity, name, binding, skew } = context;
  const attribute = entity.attributes.get(name);
  const of = `${entity.name}.${name}`;
  const named = namedBy(binding);
  if (named !== undefined) return told(named);
  const count = attribute && facts.cardinality.distinct(entity, attribute);
  if (skew !== undefined && isAbout(context, skew.key)) {
    return skewed(skew, count?.value, of);
  }
  const own = skewOf(facts, entity, name);
  if (own === undefined && isTimed(attribute, context.transforms)) {
    const assumptions = [`that ${of} is the time of the request`];
    return { spread: { kind: "single", value: undefined, why: "now" }, assumptions, open: [] };
  }
  const narrowed = narrowedBy(context, attribute);
  if (narrowed !== undefined) return told(narrowed);
  if (own !== undefined) return skewed(own, count?.value, of);
  if (attribute?.values !== undefined) {
    const shares = new Map(attribute.values.map(({ value, share }) => [String(value), share]));
    return told({ kind: "values", shares });
  }
  const least = count === undefined ? leastOf(facts, entity, name) : undefined;
  if (least !== undefined) {
    const assumptions = [`that all ${of} are used alike`, `how many different ${of} there are`];
    return { spread: { kind: "even", count: least }, assumptions, open: [] };
  }
  if (count === undefined) {
    const open = [questionOf(of)];
    return { spread: { kind: "single", value: undefined, why: "unknown" }, assumptions: [], open };
  }
  const assumptions = [`that all ${of} are used alike`];
  if (count.assumed) assumptions.push(`how many different ${of} there are`);
  return { spread: { kind: "even", count: count.value }, assumptions, open: [] };
}

export const questionOf = (attribute: string): string =>
  `How many different ${attribute} are there? (distinct)`;

/** Of an attribute in an id there are at least as many values as items for one value of the others. */
function leastOf(facts: Facts, entity: Entity, name: string): number | undefined {
  const count = facts.cardinality.count(entity);
  if (count === undefined || !entity.id.includes(name)) return undefined;
  const others = entity.id
    .filter((one) => one !== name)
    .map((one) => {
      const attribute = entity.attributes.get(one);
      return attribute && facts.cardinality.distinct(entity, attribute)?.value;
    });
  const known = others.filter((one) => one !== undefined);
  if (known.length < others.length) return undefined;
  return Math.max(
    1,
    known.reduce((left, one) => left / Math.max(1, one), count.value),
  );
}

/** How many different values a part of a key has; nothing if nobody knows. */
export function partCount(
  facts: Facts,
  entity: Entity,
  name: string,
  transforms: readonly Transform[],
): number | undefined {
  const cut = transforms.find(({ kind }) => kind === "truncate");
  if (cut?.kind === "truncate") return unitsKept(entity.retentionMs, cut.unit, [], entity.name);
  const attribute = entity.attributes.get(name);
  const count = attribute && facts.cardinality.distinct(entity, attribute)?.value;
  return count ?? leastOf(facts, entity, name);
}

/**
 * What the values of an attribute are: ids of another entity, a copy of another attribute, or its own. Attributes of
 * the same name are taken to have the same values.
 */
export function rootOf(facts: Facts, entity: Entity, name: string): string {
  const source = sourceOf(facts, entity, name);
  return source === undefined ? name : JSON.stringify(source);
}

/** Copies of copies are followed so far. */
const copiesMax = 5;

/** The entity and the attribute that values are from; nothing if that is not told. */
function sourceOf(
  facts: Facts,
  entity: Entity,
  name: string,
  depth = 0,
): readonly [entity: string, attribute: string] | undefined {
  const parent = facts.cardinality.parentOf(entity, name);
  if (parent !== undefined) return [parent.name, parent.id[0] ?? ""];
  const copy = entity.attributes.get(name)?.copyOf;
  const other = copy && facts.model.entities.get(copy.entity);
  if (copy !== undefined && other !== undefined && depth < copiesMax) {
    return sourceOf(facts, other, copy.attribute, depth + 1) ?? [copy.entity, copy.attribute];
  }
  return entity.id.length === 1 && entity.id[0] === name ? [entity.name, name] : undefined;
}

const told = (spread: Spread): PartSpread => ({ spread, assumptions: [], open: [] });

function namedBy(binding: Binding | undefined): Spread | undefined {
  if (binding?.kind === "constant") {
    return { kind: "single", value: String(binding.value), why: "constant" };
  }
  if (binding?.kind !== "each") return undefined;
  const values = binding.operands.flatMap((one) =>
    one.kind === "constant" ? [String(one.value)] : [],
  );
  if (values.length === 0 || values.length < binding.operands.length) return undefined;
  return { kind: "values", shares: new Map(values.map((value) => [value, 1 / values.length])) };
}

/**
 * A pattern's skew is about an attribute by its name, or about another one that holds the same ids. A skew of whole
 * items is at least as large for anything that follows from the item.
 */
function isAbout({ facts, entity, name }: PartContext, key: string): boolean {
  if (key === name) return true;
  const root = rootOf(facts, entity, name);
  if (entity.attributes.has(key)) {
    return entity.id.length === 1 && entity.id[0] === key;
  }
  return [...facts.model.entities.values()].some(
    (other) => other.attributes.has(key) && rootOf(facts, other, key) === root,
  );
}

function skewed(
  { kind, value: quantity }: Skew,
  count: number | undefined,
  of: string,
): PartSpread {
  const { value, assumed } = quantity;
  const assumptions = assumed ? [`how unevenly ${of} is used`] : [];
  if (kind === "hottest") {
    return { spread: { kind: "hottest", count, share: value }, assumptions, open: [] };
  }
  if (count === undefined) {
    const open = [questionOf(of)];
    return { spread: { kind: "single", value: undefined, why: "unknown" }, assumptions, open };
  }
  return { spread: { kind: "zipf", count, exponent: value }, assumptions, open: [] };
}

/** The skew of an attribute, or of the one that its values are from. */
function skewOf(facts: Facts, entity: Entity, name: string): Skew | undefined {
  const own = entity.attributes.get(name)?.skew;
  if (own !== undefined) return own;
  const [other = "", attribute = ""] = sourceOf(facts, entity, name) ?? [];
  return facts.model.entities.get(other)?.attributes.get(attribute)?.skew;
}

/** A time that is cut off, or a date: what happens now has the same value. */
function isTimed(attribute: Attribute | undefined, transforms: readonly Transform[]): boolean {
  if (transforms.some(({ kind }) => kind === "truncate")) return true;
  const { format } = attribute ?? {};
  return format === "iso-date";
}

/** Whether values of an attribute come in the order of time. */
export function isInOrderOfTime(attribute: Attribute | undefined): boolean {
  const { format } = attribute ?? {};
  return format !== undefined && formats[format].order === "time";
}

function narrowedBy(
  { name, only }: PartContext,
  attribute: Attribute | undefined,
): Spread | undefined {
  const about = only.find((one) => one.attribute === name && one.operator !== "exists");
  if (about === undefined) return undefined;
  const holds = holdsFor(about);
  const left = attribute?.values?.filter(({ value }) => holds?.(value) ?? true);
  const total = left?.reduce((sum, { share }) => sum + share, 0) ?? 0;
  if (left !== undefined && total > 0) {
    const shares = new Map(left.map(({ value, share }) => [String(value), share / total]));
    return { kind: "values", shares };
  }
  const [first] = constantsIn(about.operands);
  if (about.operator !== "equals" || first === undefined) return undefined;
  return { kind: "single", value: String(first), why: "constant" };
}
