/** What an update does to the values of an entity, and what writes do to numbers that are kept with them. */
import type { AttributeValue } from "../../../item/attribute-value.ts";
import type { Aggregate } from "../../../model/design.ts";
import type { Model } from "../../../model/model.ts";
import type { Action, Entity, Pattern } from "../../../model/requirements.ts";
import { belongsTo, pairsBetween } from "./belonging.ts";
import { addDecimals, negated } from "./decimals.ts";
import { isSame, operandValues } from "./meaning.ts";
import { keptBy } from "./promises.ts";
import type { EntityValues, Parameters } from "./state.ts";

/** The values after an update; nothing if a number becomes one that cannot be stored. */
export function changedValues(
  { changes, adds, appends, removes, condition }: Action,
  entity: Entity,
  parameters: Parameters,
  before: EntityValues,
): EntityValues | undefined {
  const after = new Map(before);
  for (const { attribute, to } of changes) {
    const described = entity.attributes.get(attribute);
    const [value] = described === undefined ? [] : operandValues(to, described, parameters);
    if (value !== undefined) after.set(attribute, value);
  }
  const touched = [...changes, ...adds].map(({ attribute }) => attribute);
  const raised =
    condition?.kind === "version" && !touched.includes(condition.attribute)
      ? [{ attribute: condition.attribute, amount: 1 }]
      : [];
  for (const { attribute, amount } of [...adds, ...raised]) {
    const sum = addDecimals(numberIn(after.get(attribute)), String(amount));
    if (sum === undefined) return undefined;
    after.set(attribute, { N: sum });
  }
  for (const attribute of appends) {
    const [value] = parameters.get(attribute) ?? [];
    if (value !== undefined) after.set(attribute, joined(after.get(attribute), value));
  }
  for (const attribute of removes) after.delete(attribute);
  return after;
}

function numberIn(value: AttributeValue | undefined): string {
  return value !== undefined && "N" in value ? value.N : "0";
}

/** A list has the new elements at its end; a set has each element once. */
function joined(before: AttributeValue | undefined, more: AttributeValue): AttributeValue {
  if (before === undefined) return more;
  if ("L" in more && "L" in before) return { L: [...before.L, ...more.L] };
  if ("SS" in more && "SS" in before) return { SS: [...new Set([...before.SS, ...more.SS])] };
  if ("BS" in more && "BS" in before) return { BS: [...new Set([...before.BS, ...more.BS])] };
  if (!("NS" in more && "NS" in before)) return more;
  const known = before.NS;
  const isNew = (N: string): boolean => !known.some((one) => isSame({ N: one }, { N }));
  return { NS: [...known, ...more.NS.filter(isNew)] };
}

/**
 * Changes the numbers that are kept in the same transaction as an entity, which was something before and is something after
 * it. Answers why they cannot be: the entity with the number is missing, or the number cannot be stored.
 */
export function keepNumbers(
  model: Model,
  pattern: Pattern,
  entity: Entity,
  { action, before, after }: Kept,
  next: Map<string, EntityValues[]>,
): "missing" | "overflow" | undefined {
  for (const aggregate of keptBy(model, pattern, entity.name)) {
    const { into, attribute } = aggregate;
    const holder = model.entities.get(into.entity);
    if (holder === undefined) continue;
    const pairs = pairsBetween(model, entity, holder);
    const counted = [...pairs.map(({ own }) => own), attribute ?? ""];
    if (action.kind === "update" && !counted.some((name) => isTouched(action, name))) continue;
    const list = next.get(into.entity) ?? [];
    for (const [item, sign] of [[before, -1] as const, [after, 1] as const]) {
      if (item === undefined || pairs.some(({ own }) => !item.has(own))) continue;
      const at = list.findIndex((one) => belongsTo(pairs, item, one));
      const target = list[at];
      if (target === undefined) return "missing";
      const sum = sumOf(aggregate, target, item, sign);
      if (sum === undefined) return "overflow";
      list[at] = new Map([...target, ...sum]);
    }
  }
  return undefined;
}

/** An entity before and after a step; nothing where it is not there. */
interface Kept {
  readonly action: Action;
  readonly before: EntityValues | undefined;
  readonly after: EntityValues | undefined;
}

function isTouched({ changes, adds, removes }: Action, name: string): boolean {
  return (
    [...changes, ...adds].some(({ attribute }) => attribute === name) || removes.includes(name)
  );
}

/** The number with what an entity counts, or without it; nothing if it cannot be stored, or if fewer were counted than there are. */
function sumOf(
  { what, into, attribute = "" }: Aggregate,
  target: EntityValues,
  item: EntityValues,
  sign: 1 | -1,
): EntityValues | undefined {
  const value = item.get(attribute);
  if (what === "sum" && value === undefined) return new Map();
  const amount = what === "sum" ? numberIn(value) : "1";
  const before = numberIn(target.get(into.attribute));
  const sum = addDecimals(before, sign === 1 ? amount : negated(amount));
  const isLess = what === "count" && sum?.startsWith("-");
  return sum === undefined || isLess ? undefined : new Map([[into.attribute, { N: sum }]]);
}
