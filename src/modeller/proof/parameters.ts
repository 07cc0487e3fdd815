import type { AttributeValue } from "../../item/attribute-value.ts";
import { compareValues } from "../../item/compare.ts";
import type { AttributeType } from "../../model/document-requirements.ts";
import type { Action, Entity, Pattern, Predicate, Together } from "../../model/requirements.ts";
import { hasListParameter } from "../requests/given.ts";
import { constantValue } from "../values/holds.ts";
import type { EntityValues } from "../values/render-key.ts";

/** Parameters with which a read finds an entity that there is, and others if it asks for several. */
export function parametersFor(
  pattern: Pattern,
  { where }: Pick<Action | Together, "where">,
  chosen: EntityValues,
  others: readonly EntityValues[],
  attributes: Entity["attributes"] = new Map(),
): ReadonlyMap<string, readonly AttributeValue[]> {
  const parameters = new Map<string, readonly AttributeValue[]>();
  const batch = hasListParameter(where) ? 1 : (pattern.batch?.value ?? 1);
  for (const predicate of where) {
    const names = predicate.operands.flatMap((one) => (one.kind === "parameter" ? [one.name] : []));
    if (names.length === 0) continue;
    const absent = absentValue(attributes.get(predicate.attribute)?.type);
    const values = valuesFor(predicate, chosen, others, batch, absent);
    if (predicate.operator === "between") {
      for (const [name, value] of boundsFor(predicate, values, attributes)) {
        parameters.set(name, [value]);
      }
    } else for (const name of names) parameters.set(name, values);
  }
  return parameters;
}

/** The bounds that are parameters; a bound that is a constant limits the other one, for a range is never upside down. */
function boundsFor(
  { attribute, operands }: Predicate,
  [low = none, high = low]: readonly AttributeValue[],
  attributes: Entity["attributes"],
): readonly (readonly [string, AttributeValue])[] {
  const described = attributes.get(attribute);
  const fixed = operands.map((one) =>
    one.kind === "constant" && described !== undefined
      ? constantValue(described, one.value)
      : undefined,
  );
  const bounds = [low, high].map((own, i) => {
    const other = fixed[1 - i];
    const order = other === undefined ? 0 : (compareValues(own, other) ?? 0);
    const isUpsideDown = i === 0 ? order > 0 : order < 0;
    return isUpsideDown && other !== undefined ? other : own;
  });
  return operands.flatMap((one, i) => {
    const bound = bounds[i];
    return one.kind === "parameter" && bound !== undefined ? [[one.name, bound] as const] : [];
  });
}

const none: AttributeValue = { S: "none" };

/** A value for a parameter where no entity has one. Numbers in keys are never negative. */
function absentValue(type: AttributeType | undefined): AttributeValue {
  if (type === "N" || type === "NS") return { N: "77" };
  if (type === "B" || type === "BS") return { B: "bm9uZQ==" };
  return type === "BOOL" ? { BOOL: false } : { S: "none" };
}

function valuesFor(
  { attribute, operator }: Predicate,
  chosen: EntityValues,
  others: readonly EntityValues[],
  batch: number,
  absent: AttributeValue,
): readonly AttributeValue[] {
  const own = [chosen, ...others].find((one) => one.has(attribute))?.get(attribute);
  if (own === undefined) return operator === "between" ? [absent, absent] : [absent];
  if (operator === "one-of" || (operator === "equals" && batch > 1)) {
    const all = new Map([chosen, ...others].flatMap((one) => keyed(one.get(attribute))));
    return [...all.values()].slice(0, Math.max(batch, operator === "one-of" ? 3 : 1));
  }
  if (operator === "between") {
    const far = others[0]?.get(attribute) ?? own;
    return [own, far].toSorted((a, b) => compareValues(a, b) ?? 0);
  }
  if (operator === "greater" || operator === "less") {
    return [
      beyond(
        operator,
        own,
        others.flatMap((one) => one.get(attribute) ?? []),
      ),
    ];
  }
  if (operator === "begins-with" && "S" in own) {
    return [{ S: own.S.slice(0, Math.max(1, Math.min(10, Math.ceil(own.S.length / 2)))) }];
  }
  if (operator === "contains") {
    if ("SS" in own) return own.SS.slice(0, 1).map((S) => ({ S }));
    if ("NS" in own) return own.NS.slice(0, 1).map((N) => ({ N }));
    if ("BS" in own) return own.BS.slice(0, 1).map((B) => ({ B }));
    if ("L" in own) return own.L.slice(0, 1);
  }
  return [own];
}

/** Nothing is greater than itself: a bound that the value passes, another one's if there is one. */
export function beyond(
  operator: "greater" | "less",
  own: AttributeValue,
  others: readonly AttributeValue[],
): AttributeValue {
  const sign = operator === "greater" ? -1 : 1;
  const found = others.find((one) => Math.sign(compareValues(one, own) ?? 0) === sign);
  if (found !== undefined || !("N" in own)) return found ?? own;
  return { N: String(Number(own.N) + sign) };
}

function keyed(value: AttributeValue | undefined): readonly (readonly [string, AttributeValue])[] {
  return value === undefined ? [] : [[JSON.stringify(value), value]];
}
