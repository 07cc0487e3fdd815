import type { AttributeValue } from "../../item/attribute-value.ts";
import type { Pattern } from "../../model/requirements.ts";
import { type Answer, compareBy } from "../requests/run-plan.ts";
import type { EntityValues } from "../values/render-key.ts";
import type { Expected } from "./oracle.ts";

/** What is wrong with an answer, in a sentence; nothing if it is right. */
export function difference(
  pattern: Pattern,
  expected: Expected,
  answer: Answer,
): string | undefined {
  const [action] = pattern.actions;
  if (action === undefined) return undefined;
  const returns = pattern.transaction ? undefined : action.returns;
  const text = (values: EntityValues): string => shown(values, returns);
  const { matches, limit } = expected;
  const count = Math.min(matches.length, limit ?? matches.length);
  if (answer.items.length !== count) {
    return `${answer.items.length} items came, and there are ${count}`;
  }
  // What the order does not tell apart may come in any order, and at the end of a page any of them may come.
  for (let at = 0; at < count; ) {
    const first = matches[at] as EntityValues;
    const group = matches.slice(at).filter((one) => compareBy(action.order, first, one) === 0);
    const size = Math.min(group.length, count - at);
    const left = group.map(text);
    for (const item of answer.items.slice(at, at + size)) {
      const found = left.indexOf(text(item));
      if (found < 0) return `${text(item)} came at a place where it does not belong`;
      left.splice(found, 1);
    }
    at += size;
  }
  for (const [entity, wanted] of expected.together) {
    const names = pattern.together.find((one) => one.entity === entity)?.returns;
    const came = (answer.together.get(entity) ?? []).map((one) => shown(one, names)).toSorted();
    const right = wanted.map((one) => shown(one, names)).toSorted();
    if (JSON.stringify(came) !== JSON.stringify(right)) {
      return `${came.length} ${entity} came with it, and ${right.length} belong to it`;
    }
  }
  return undefined;
}

/** The attributes that are asked for, as one text. */
export function shown(values: EntityValues, returns: readonly string[] | undefined): string {
  const names = returns ?? [...values.keys()];
  const entries = names.toSorted().flatMap((name): [string, AttributeValue][] => {
    const value = values.get(name);
    return value === undefined ? [] : [[name, canonical(value)]];
  });
  return JSON.stringify(entries);
}

/** Sets have no order. */
function canonical(value: AttributeValue): AttributeValue {
  if ("SS" in value) return { SS: value.SS.toSorted() };
  if ("NS" in value) return { NS: value.NS.toSorted() };
  return "BS" in value ? { BS: value.BS.toSorted() } : value;
}
