import type { AttributeValue } from "../../item/attribute-value.ts";
import { compareValues } from "../../item/compare.ts";
import type { Action, Pattern, Predicate } from "../../model/requirements.ts";
import type { EntityValues } from "../values/render-key.ts";

/** Parameters with which a read finds an entity that there is, and others if it asks for several. */
export function parametersFor(
  pattern: Pattern,
  action: Action,
  chosen: EntityValues,
  others: readonly EntityValues[],
): ReadonlyMap<string, readonly AttributeValue[]> {
  const parameters = new Map<string, readonly AttributeValue[]>();
  const batch = pattern.batch?.value ?? 1;
  for (const predicate of action.where) {
    const names = predicate.operands.flatMap((one) => (one.kind === "parameter" ? [one.name] : []));
    if (names.length === 0) continue;
    const values = valuesFor(predicate, chosen, others, batch);
    if (predicate.operator === "between") {
      for (const [i, name] of names.entries()) parameters.set(name, values.slice(i, i + 1));
    } else for (const name of names) parameters.set(name, values);
  }
  return parameters;
}

function valuesFor(
  { attribute, operator }: Predicate,
  chosen: EntityValues,
  others: readonly EntityValues[],
  batch: number,
): readonly AttributeValue[] {
  const own = chosen.get(attribute);
  if (own === undefined) return [{ S: "none" }];
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
