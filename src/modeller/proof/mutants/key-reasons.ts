import type { Index, Table } from "../../../model/design.ts";
import type { KeyText, Segment } from "../../../model/key-text.ts";
import type { Action, Operand, Order, Predicate, Together } from "../../../model/requirements.ts";
import type { Plan, ReadRequest } from "../../plans/plan.ts";
import type { StoredRecord } from "../../records/record.ts";
import { takesLists } from "./mutant.ts";

/** A key attribute, as a request uses it. */
export interface KeyUse {
  readonly plan: Plan;
  /** Nothing if it is the key of what is written. */
  readonly request: ReadRequest | undefined;
  readonly table: Table;
  readonly index: Index | undefined;
  readonly record: StoredRecord;
  readonly text: KeyText;
  readonly attribute: string;
  readonly isPartition: boolean;
  /** So many segments are known to who asks. */
  readonly known: number;
  /** The attribute that a range is asked of, if one is. */
  readonly compared: string | undefined;
}

/** A text that is wrong in one place. */
export interface Wrong {
  readonly kind: "swapped" | "lost" | "pad" | "descending" | "lower" | "upper" | "truncate";
  readonly what: string;
  readonly text: KeyText;
  /** The segments that are touched. */
  readonly at: readonly number[];
}

/** One item by its whole key, whatever that is made of. */
const byKey: readonly string[] = ["GetItem", "BatchGetItem", "TransactGetItems"];

/** Why a wrong text gives the same answers; nothing if it does not, or nobody knows. */
export function whyUnseen(use: KeyUse, wrong: Wrong): string | undefined {
  const names = wrong.at.map((at) => attributeAt(use.text, at));
  if (wrong.kind === "lost") return whyLossIsUnseen(use, wrong, names[0] ?? "");
  if (wrong.kind === "lower" || wrong.kind === "upper") return undefined;
  if (wrong.kind === "truncate") {
    const isByKey = use.request !== undefined && byKey.includes(use.request.operation);
    const isKnown = wrong.at.every((at) => at < use.known);
    return isByKey && isKnown
      ? `${names[0]} is known to who asks for one item, so how much of it is in the key cannot matter`
      : undefined;
  }
  // Without zeros 1 before 23 is 12 before 3.
  if (wrong.kind === "pad" && !wrong.at.every((at) => isSeparate(use.text, at))) return undefined;
  if (wrong.at.every((at) => at < use.known)) {
    return wrong.kind === "swapped"
      ? `${names.join(" and ")} are both known to who asks, so their order cannot matter`
      : `${names[0]} is known to who asks, so how it is written cannot matter`;
  }
  // A part that was known comes behind one that is not: the range becomes wider.
  if (wrong.kind === "swapped" && wrong.at.some((at) => at < use.known)) return undefined;
  if (names.some((name) => name === use.compared)) return undefined;
  return whyOrderIsUnseen(use, names) ?? whySwapIsUnseen(use, wrong, names);
}

/** One of two parts is the same in all of an answer, so the other one sorts as before. */
function whySwapIsUnseen(
  { plan, request, record, text }: KeyUse,
  { kind, at }: Wrong,
  names: readonly string[],
): string | undefined {
  if (kind !== "swapped" || request === undefined) return undefined;
  const asked = [...plan.pattern.actions, ...plan.pattern.together][request.part];
  if (asked?.entity !== record.entity.name) return undefined;
  const isOneLength = (place: number): boolean => {
    const segment = text.segments[place];
    if (segment?.kind !== "attribute") return false;
    const isPadded = segment.transforms.some((one) => one.kind === "pad");
    return isPadded || record.entity.attributes.get(segment.attribute)?.format !== undefined;
  };
  const same = names.find((name) => isSame(plan, asked, name));
  // Behind the same beginning the other part sorts by itself, if nothing follows it.
  const isLast = same === names[1] && at[1] === text.segments.length - 1;
  return same !== undefined && (isLast || at.every(isOneLength))
    ? `${same} is the same in all of an answer, so its place cannot matter`
    : undefined;
}

/** Whether an attribute has one value in all that is found. */
function isSame({ pattern }: Plan, { where }: Action | Together, name: string): boolean {
  return (
    !takesLists(pattern) &&
    where.some(
      ({ attribute, operator, operands }) =>
        attribute === name &&
        operator === "equals" &&
        operands.length === 1 &&
        !where.some((one) => one.operator === "one-of" && sharesOperand(one, operands)),
    )
  );
}

function sharesOperand({ operands }: Predicate, others: readonly Operand[]): boolean {
  return operands.some((one) =>
    others.some((other) => JSON.stringify(one) === JSON.stringify(other)),
  );
}

/** A whole key tells as much without an attribute that it has twice, or if what is left still tells entities apart. */
function whyLossIsUnseen(use: KeyUse, { text }: Wrong, name: string): string | undefined {
  const { plan, request, record, attribute, table } = use;
  if (request !== undefined && request.operation === "Query") return undefined;
  const { entity, key } = record;
  const other = key.find(
    (one) =>
      one.attribute !== attribute &&
      one.text.segments.some(
        (part) =>
          part.kind === "attribute" && part.attribute === name && part.transforms.length === 0,
      ),
  );
  if (other !== undefined) {
    return `${name} is in ${other.attribute} as well, and the whole key is known`;
  }
  if (request === undefined || record.role !== "item" || table.placements.size > 1)
    return undefined;
  const [action] = plan.pattern.actions;
  const isAlone = plan.pattern.together.length === 0 && plan.pattern.actions.length === 1;
  const asked = [...(action?.where ?? []), ...(action?.order ?? [])].map((one) => one.attribute);
  // A key that is an attribute by itself holds the attribute's value, which is lost with it.
  const isSeen = !isAlone || [...asked, ...(action?.returns ?? [])].includes(name);
  if (use.text.native !== undefined && isSeen) return undefined;
  const texts = key.map((one) => (one.attribute === attribute ? text : one.text));
  const left = new Set(texts.flatMap((one) => clearIn(record, one)));
  const unique = [...left].find((one) => entity.attributes.get(one)?.unique);
  if (unique !== undefined || entity.id.every((one) => left.has(one))) {
    const what = unique ?? entity.id.join(" and ");
    return `the rest of the key has ${what}, so no two items have one key, and the whole key is known`;
  }
  const isOneOfThem = isAlone && action?.limit === 1 && asked.every((one) => left.has(one));
  return isOneOfThem
    ? `items with one key are the same in all that is asked, and only one item is wanted`
    : undefined;
}

/** Attributes that a text tells apart: no value of one can look like another part of the text. */
function clearIn({ entity }: StoredRecord, { segments, native }: KeyText): readonly string[] {
  return segments.flatMap((part) => {
    if (part.kind !== "attribute") return [];
    const described = entity.attributes.get(part.attribute);
    const isWhole = part.transforms.every(({ kind }) => kind === "pad" || kind === "descending");
    const isClear =
      native !== undefined || described?.type === "N" || described?.format !== undefined;
    return isWhole && isClear ? [part.attribute] : [];
  });
}

/** Whether a key text separates a number of any length from its neighbours. */
function isSeparate({ segments }: KeyText, at: number): boolean {
  const [before, after] = [segments[at - 1], segments[at + 1]];
  const isText = (segment: Segment | undefined, last: RegExp): boolean =>
    segment === undefined || (segment.kind === "text" && last.test(segment.text));
  return isText(before, /[^0-9]$/) && isText(after, /^[^0-9]/);
}

function attributeAt({ segments }: KeyText, at: number): string {
  const segment = segments[at] as Segment;
  return segment.kind === "attribute" ? segment.attribute : "";
}

/** Why the order of what comes does not depend on some attributes of a sort key. */
function whyOrderIsUnseen({ plan, request }: KeyUse, names: readonly string[]): string | undefined {
  if (request === undefined) return undefined;
  const order = orderOf(plan, request);
  if (!order.some(({ attribute }) => names.includes(attribute))) {
    return `no order by ${names.join(" or ")} is asked for`;
  }
  const [action, second] = plan.pattern.actions;
  const isOnly = second === undefined && plan.pattern.together.length === 0;
  if (isOnly && action?.returns.every((name) => isSame(plan, action, name))) {
    return `all that is returned, ${action.returns.join(" and ")}, is the same in all of an answer`;
  }
  return whyOrderIsRestored([request]);
}

/** Why reads in another order give the same answer. */
export function whyOrderIsRestored(requests: readonly ReadRequest[]): string | undefined {
  return requests.length > 0 && requests.every(({ sortsInClient }) => sortsInClient)
    ? "the caller reads all of it and sorts it"
    : undefined;
}

/** The order in which what a request finds is wanted. */
export function orderOf({ pattern }: Plan, request: ReadRequest): readonly Order[] {
  const kinds = new Set([request.record, ...request.together].map(({ entity }) => entity.name));
  return [...pattern.actions, ...pattern.together]
    .filter(({ entity }) => kinds.has(entity))
    .flatMap(({ order }) => order);
}
