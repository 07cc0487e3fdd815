import type { AttributeValue } from "../../item/attribute-value.ts";
import type { Pattern } from "../../model/requirements.ts";
import { type Answer, compareBy } from "../requests/run-plan.ts";
import type { EntityValues } from "../values/render-key.ts";
import { inOneCase } from "./folding.ts";
import type { Expected } from "./oracle.ts";
import { readableEntity } from "./readable.ts";

/** What is wrong with an answer. */
export interface Difference {
  readonly what: string;
  readonly expected: readonly string[];
  readonly got: readonly string[];
}

/** Nothing if an answer is right. */
export function difference(
  pattern: Pattern,
  expected: Expected,
  answer: Answer,
  folded: ReadonlySet<string> = new Set(),
): Difference | undefined {
  const [action] = pattern.actions;
  if (action === undefined) return undefined;
  const returns = pattern.transaction ? undefined : action.returns;
  const text = (values: EntityValues): string => shown(values, returns);
  const { matches, limit } = expected;
  const count = Math.min(matches.length, limit ?? matches.length);
  const wrong = (what: string): Difference => ({
    what,
    expected: matches.slice(0, count).map((one) => readableEntity(one, returns)),
    got: answer.items.map((one) => readableEntity(one, returns)),
  });
  if (answer.items.length !== count) {
    return wrong(`${answer.items.length} items came, and there are ${count}`);
  }
  // What the order does not tell apart may come in any order, and at the end of a page any of them may come.
  for (let at = 0; at < count; ) {
    const first = inOneCase(matches[at] as EntityValues, folded);
    const group = matches
      .slice(at)
      .filter((one) => compareBy(action.order, first, inOneCase(one, folded)) === 0);
    const size = Math.min(group.length, count - at);
    const left = group.map(text);
    for (const item of answer.items.slice(at, at + size)) {
      const found = left.indexOf(text(item));
      if (found < 0) return wrong("an item came at a place where it does not belong");
      left.splice(found, 1);
    }
    at += size;
  }
  for (const [entity, wanted] of expected.together) {
    const names = pattern.together.find((one) => one.entity === entity)?.returns;
    const came = (answer.together.get(entity) ?? []).map((one) => shown(one, names)).toSorted();
    const right = wanted.map((one) => shown(one, names)).toSorted();
    if (JSON.stringify(came) !== JSON.stringify(right)) {
      const what =
        came.length === right.length
          ? `${entity} that came with it are not as they are`
          : `${came.length} ${entity} came with it, and ${right.length} belong to it`;
      return {
        what,
        expected: wanted.map((one) => readableEntity(one, names)),
        got: (answer.together.get(entity) ?? []).map((one) => readableEntity(one, names)),
      };
    }
    const order = pattern.together.find((one) => one.entity === entity)?.order ?? [];
    const list = answer.together.get(entity) ?? [];
    const isSorted = list.every(
      (one, i) => i === 0 || compareBy(order, list[i - 1] as EntityValues, one) <= 0,
    );
    // Of several entities each has an order of its own.
    if (count <= 1 && !isSorted) {
      const text = (one: EntityValues): string => readableEntity(one, names);
      const right = list.toSorted((a, b) => compareBy(order, a, b));
      const what = `${entity} did not come in their order`;
      return { what, expected: right.map(text), got: list.map(text) };
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
