import type { Index, Table } from "../../../model/design.ts";
import type { KeyText, Segment } from "../../../model/key-text.ts";
import type { Order } from "../../../model/requirements.ts";
import type { Plan, ReadRequest } from "../../plans/plan.ts";
import type { StoredRecord } from "../../records/record.ts";

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
  if (wrong.kind === "lost") return whyLossIsUnseen(use, names[0] ?? "");
  if (wrong.kind === "lower" || wrong.kind === "upper") return undefined;
  if (wrong.kind === "truncate") {
    const isByKey = use.request !== undefined && byKey.includes(use.request.operation);
    const isKnown = wrong.at.every((at) => at < use.known);
    return isByKey && isKnown
      ? `${names[0]} is known to who asks for one item, so how much of it is in the key cannot matter`
      : undefined;
  }
  if (wrong.at.every((at) => at < use.known)) {
    return wrong.kind === "swapped"
      ? `${names.join(" and ")} are both known to who asks, so their order cannot matter`
      : `${names[0]} is known to who asks, so how it is written cannot matter`;
  }
  // A part that was known comes behind one that is not: the range becomes wider.
  if (wrong.kind === "swapped" && wrong.at.some((at) => at < use.known)) return undefined;
  if (names.some((name) => name === use.compared)) return undefined;
  return whyOrderIsUnseen(use, names);
}

/** A whole key that has the attribute twice tells as much with one of them. */
function whyLossIsUnseen({ request, record, attribute }: KeyUse, name: string): string | undefined {
  if (request !== undefined && request.operation === "Query") return undefined;
  const other = record.key.find(
    (one) =>
      one.attribute !== attribute &&
      one.text.segments.some(
        (part) =>
          part.kind === "attribute" && part.attribute === name && part.transforms.length === 0,
      ),
  );
  return other && `${name} is in ${other.attribute} as well, and the whole key is known`;
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
  return whyOrderIsRestored(request);
}

/** Why a read in another order gives the same answer. */
export function whyOrderIsRestored({ sortsInClient }: ReadRequest): string | undefined {
  return sortsInClient ? "the caller reads all of it and sorts it" : undefined;
}

/** The order in which what a request finds is wanted. */
export function orderOf({ pattern }: Plan, request: ReadRequest): readonly Order[] {
  const kinds = new Set([request.record, ...request.together].map(({ entity }) => entity.name));
  return [...pattern.actions, ...pattern.together]
    .filter(({ entity }) => kinds.has(entity))
    .flatMap(({ order }) => order);
}
