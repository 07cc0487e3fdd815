import type { AttributeValue } from "../../../item/attribute-value.ts";
import { formats } from "../../../model/formats.ts";
import type { Attribute, Entity, Predicate } from "../../../model/requirements.ts";
import { constantValue } from "../../values/holds.ts";
import type { EntityValues } from "../../values/render-key.ts";
import { awkwardValues } from "../perturb.ts";

/** Values that a witness may give to an attribute. They come from the model and from entities, never from a key. */

/** More values of other entities are not considered. */
const knownMax = 12;
/** Moments around a known one, in milliseconds. */
const steps = [86_400_000, -86_400_000, 3_600_000, 60_000, 1_000];

/** `undefined` stands for an entity without the attribute. */
export type Candidate = AttributeValue | undefined;

/**
 * Candidate values of an attribute, without repetitions; those of existing entities come first. A pinned attribute takes
 * no others: it decides when an item expires, or in which table it is stored.
 */
export function domainOf(
  entity: Entity,
  attribute: Attribute,
  where: readonly Predicate[],
  known: readonly EntityValues[],
  isPinned: boolean,
): readonly Candidate[] {
  const found = new Map<string, Candidate>();
  const add = (value: Candidate): void => {
    if (isAllowed(attribute, value)) found.set(JSON.stringify(value) ?? "", value);
  };
  for (const values of known) {
    if (found.size >= knownMax) break;
    const value = values.get(attribute.name);
    if (value !== undefined) add(value);
  }
  for (const { attribute: name, operands } of isPinned ? [] : where) {
    if (name !== attribute.name) continue;
    for (const operand of operands) {
      if (operand.kind !== "constant") continue;
      const value = constantValue(attribute, operand.value);
      if (value === undefined) continue;
      for (const one of aroundConstant(attribute, value)) add(one);
    }
  }
  for (const one of isPinned ? [] : ofType(attribute, [...found.values()])) add(one);
  const canMiss = attribute.isOptional && !entity.id.includes(attribute.name);
  return canMiss ? [...found.values(), undefined] : [...found.values()];
}

/** A constant as the attribute's value, and values next to it. */
function aroundConstant({ type }: Attribute, value: AttributeValue): readonly AttributeValue[] {
  if (type === "SS" && "S" in value) return [{ SS: [value.S] }, { SS: [`${value.S}0`] }];
  if (type === "NS" && "N" in value) {
    return [{ NS: [value.N] }, { NS: [String(Number(value.N) + 1)] }];
  }
  if (type === "BS" && "B" in value) return [{ BS: [value.B] }];
  if (type === "L") return [{ L: [value] }, { L: [] }];
  if ("N" in value) {
    return [value, ...[1, -1].map((step) => ({ N: String(Number(value.N) + step) }))];
  }
  return "S" in value ? [value, { S: `${value.S}0` }, { S: value.S.slice(0, -1) }] : [value];
}

function ofType(attribute: Attribute, known: readonly Candidate[]): readonly AttributeValue[] {
  const { type, format, values } = attribute;
  if (type === "BOOL") return [{ BOOL: true }, { BOOL: false }];
  if (values !== undefined || format === undefined) return awkwardValues(attribute, false);
  const [first] = known.flatMap((one) => (one === undefined ? [] : [one]));
  return first === undefined ? [] : steps.flatMap((step) => moved(attribute, first, step));
}

/** A moment that lies earlier or later. */
function moved(
  { format }: Attribute,
  value: AttributeValue,
  step: number,
): readonly AttributeValue[] {
  if (format === "epoch-seconds" && "N" in value) {
    return [{ N: String(Number(value.N) - Math.round(step / 1_000)) }];
  }
  if (format === "epoch-milliseconds" && "N" in value) {
    return [{ N: String(Number(value.N) - step) }];
  }
  if ((format !== "iso-date" && format !== "iso-time") || !("S" in value)) return [];
  const time = Date.parse(value.S) - step;
  return [{ S: new Date(time).toISOString().slice(0, value.S.length) }];
}

/** Whether the model allows the value. */
function isAllowed({ type, format, digits, values }: Attribute, value: Candidate): boolean {
  if (value === undefined) return true;
  if (!Object.hasOwn(value, type)) return false;
  if (values !== undefined) {
    const text = "N" in value ? value.N : "S" in value ? value.S : undefined;
    return values.some((one) => String(one.value) === text);
  }
  if ("S" in value && value.S === "") return false;
  if ("S" in value && format !== undefined) return value.S.length === formats[format].bytes.S;
  if (!("N" in value) || format !== undefined) return true;
  return value.N.replace(/[-.]/g, "").length <= Math.min(digits ?? 38, 38);
}
