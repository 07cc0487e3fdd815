import type { AttributeValue } from "../../item/attribute-value.ts";
import { equalValues } from "../../item/compare.ts";
import type { Order, Pattern, Together } from "../../model/requirements.ts";
import type { Answer } from "../requests/run-plan.ts";
import type { EntityValues } from "../values/render-key.ts";
import type { Children, Expected } from "./oracle/answers.ts";
import { inOneCase } from "./oracle/case.ts";
import { compareInOrder } from "./oracle/meaning.ts";

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
  const { matches, limit, returnsOf } = expected;
  const count = Math.min(matches.length, limit ?? matches.length);
  const wrong = (what: string): Difference => ({
    what,
    expected: matches.slice(0, count).map((one) => readableEntity(one, returnsOf(one))),
    got: answer.items.map((one) =>
      readableEntity(one, pattern.transaction ? undefined : action.returns),
    ),
  });
  if (answer.items.length !== count) {
    return wrong(`${answer.items.length} items came, and there are ${count}`);
  }
  const shownMatches: EntityValues[] = [];
  // What the order does not tell apart may come in any order, and at the end of a page any of them may come.
  let at = 0;
  for (const { count: own, order } of expected.steps) {
    const ofStep = matches.slice(0, at + own);
    while (at < Math.min(ofStep.length, count)) {
      const first = inOneCase(matches[at] as EntityValues, folded);
      const isTied = (one: EntityValues): boolean =>
        compareInOrder(order, first, inOneCase(one, folded)) === 0;
      const left = tiesFrom(ofStep, at, isTied);
      const end = Math.min(at + left.length, count);
      for (const item of answer.items.slice(at, end)) {
        const alike = left.filter((one) => {
          const returns = returnsOf(one);
          return shown(one, returns) === shown(item, returns);
        });
        const found = alike.find((one) => isSameEntity(expected.id, one, item)) ?? alike[0];
        if (found === undefined) return wrong("an item came at a place where it does not belong");
        left.splice(left.indexOf(found), 1);
        shownMatches.push(found);
      }
      at = end;
    }
  }
  for (const [entity, parents] of expected.childrenOf(shownMatches)) {
    const child = pattern.together.find((one) => one.entity === entity);
    const found = child && childDifference(child, parents, answer.together.get(entity) ?? []);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The matches that tie with the one at a place. They follow each other. */
function tiesFrom(
  matches: readonly EntityValues[],
  at: number,
  isTied: (one: EntityValues) => boolean,
): EntityValues[] {
  const end = matches.findIndex((one, i) => i > at && !isTied(one));
  return matches.slice(at, end < 0 ? undefined : end);
}

function isSameEntity(id: readonly string[], a: EntityValues, b: EntityValues): boolean {
  return id.every((name) => {
    const [one, other] = [a.get(name), b.get(name)];
    return one !== undefined && other !== undefined && equalValues(one, other);
  });
}

/** What is wrong with the children that came with the entities of an answer. */
function childDifference(
  { entity, returns, order }: Together,
  parents: readonly Children[],
  came: readonly EntityValues[],
): Difference | undefined {
  const text = (values: EntityValues): string => shown(values, returns);
  const wanted = parents.map(({ matches, limit }) => cutAtTies(matches, limit, order));
  const isShared =
    new Set(parents.flatMap(({ matches }) => matches)).size <
    parents.reduce((sum, { matches }) => sum + matches.length, 0);
  const wrong = (what: string): Difference => ({
    what,
    expected: wanted.flatMap(({ sure, ties, open }) =>
      [...sure, ...ties.slice(0, open)].map((one) => readableEntity(one, returns)),
    ),
    got: came.map((one) => readableEntity(one, returns)),
  });
  const sure = new Set(wanted.flatMap((one) => one.sure));
  const ties = new Set(wanted.flatMap((one) => one.ties));
  const most = sure.size + wanted.reduce((sum, { open }) => sum + open, 0);
  const isRight = isShared ? came.length <= most : came.length === most;
  if (!isRight) return wrong(`${came.length} ${entity} came with it, and ${most} belong to it`);
  const left = came.map(text);
  for (const one of [...sure, ...ties]) {
    const at = left.indexOf(text(one));
    if (at >= 0) left.splice(at, 1);
    else if (sure.has(one)) return wrong(`${entity} that came with it are not as they are`);
  }
  if (left.length > 0) return wrong(`${entity} that came with it are not as they are`);
  if (isShared) return undefined;
  const texts = wanted.map((one) => new Set([...one.sure, ...one.ties].map(text)));
  const isSorted = texts.every((own) => {
    // Whose a child is cannot be told if another parent has one that looks the same.
    const list = came.filter((item) => texts.every((one) => one.has(text(item)) === (one === own)));
    return list.every(
      (item, i) => i === 0 || compareInOrder(order, list[i - 1] as EntityValues, item) <= 0,
    );
  });
  return isSorted ? undefined : wrong(`${entity} did not come in their order`);
}

/** The first few of a list: those that have to be in the answer, and those that tie for the `open` last places. */
function cutAtTies(
  matches: readonly EntityValues[],
  limit: number | undefined,
  order: readonly Order[],
): {
  readonly sure: readonly EntityValues[];
  readonly ties: readonly EntityValues[];
  readonly open: number;
} {
  const last = limit === undefined ? undefined : matches[limit - 1];
  if (limit === undefined || last === undefined) return { sure: matches, ties: [], open: 0 };
  const sure = matches.filter((one) => compareInOrder(order, one, last) < 0);
  const ties = matches.filter((one) => compareInOrder(order, one, last) === 0);
  return { sure, ties, open: limit - sure.length };
}

const shownTexts = new WeakMap<object, WeakMap<EntityValues, string>>();
const allAttributes = {};

/** The attributes that are asked for, as one text. A trial asks many times for each entity, so texts are kept. */
export function shown(values: EntityValues, returns: readonly string[] | undefined): string {
  const selection = returns ?? allAttributes;
  let texts = shownTexts.get(selection);
  if (texts === undefined) {
    texts = new WeakMap();
    shownTexts.set(selection, texts);
  }
  let text = texts.get(values);
  if (text === undefined) {
    text = attributesText(values, returns);
    texts.set(values, text);
  }
  return text;
}

function attributesText(values: EntityValues, returns: readonly string[] | undefined): string {
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
