import { type KeyText, type Segment, type Transform, truncationOf } from "../../model/key-text.ts";
import type { Attribute, Order, Predicate } from "../../model/requirements.ts";
import type { MadeKey } from "../records/record.ts";
import type { Binding, Bindings, KeyCondition, Times } from "./plan.ts";
import type { Structure } from "./structures.ts";

/** How far a key answers what is asked. */
export interface KeyMatch {
  readonly partition: readonly KeyCondition[];
  readonly sort: readonly KeyCondition[];
  readonly bindings: Bindings;
  /** All key attributes are equal to something: at most one item of the table. */
  readonly whole: boolean;
  /** Conditions that the key does not answer, or not exactly. */
  readonly rest: readonly Predicate[];
  /** Attributes that the key holds fast, to their exact values. */
  readonly fixed: readonly string[];
  /** Attributes of which the key holds a coarser time fast. */
  readonly coarse: readonly TimedAttribute[];
  readonly times: readonly Omit<Times, "text">[];
  /** The direction in which the key gives the order that is asked for; nothing if it does not. */
  readonly forward: boolean | undefined;
}

interface TimedAttribute {
  readonly attribute: string;
  readonly transforms: readonly Transform[];
}

/** What is asked of a key. */
export interface KeyQuestion {
  readonly where: readonly Predicate[];
  /** Values that are known besides the conditions. */
  readonly known: Bindings;
  readonly order?: readonly Order[];
  readonly batch?: number | undefined;
}

const rangeOperators: readonly string[] = [
  "less",
  "at-most",
  "greater",
  "at-least",
  "between",
  "begins-with",
];

/** What says where a span begins and where it ends. */
const spanOperators: readonly string[] = ["between", "begins-with"];

/** What is known before the key is looked at: conditions with `equals` and `one-of`, and values from elsewhere. */
export function bindingsOf(where: readonly Predicate[], known: Bindings): Map<string, Binding> {
  const bindings = new Map<string, Binding>(known);
  for (const { attribute, operator, operands } of where) {
    const [first] = operands;
    if (operator === "equals" && first !== undefined) bindings.set(attribute, first);
    else if (operator === "one-of" && !bindings.has(attribute)) {
      bindings.set(attribute, { kind: "each", operands });
    }
  }
  return bindings;
}

/** Holds a key against what is asked; answers with a sentence if the partition key is not known. A Scan has no key. */
export function matchKey(
  { partition, sort, record, index }: Pick<Structure, "partition" | "sort" | "record" | "index">,
  { where, known, order = [], batch = 1 }: KeyQuestion,
): KeyMatch | string {
  const { attributes } = record.entity;
  const matching = new Matching(where, known, attributes);
  const { bindings, fixed, coarse, times, answered } = matching;
  const missing = matching.missingIn(partition);
  if (missing !== undefined) return `needs ${missing}, which is not asked for by its value`;
  const { conditions, open } = matching.sort(sort);
  // Attributes that have one value in the whole answer: a batch has several, and so has a list of values.
  const constant = [...fixed].filter((name) => {
    const { kind } = bindings.get(name) ?? {};
    return kind === "constant" || kind === "result" || (kind === "parameter" && batch <= 1);
  });
  return {
    partition: partition.map(equalKey),
    sort: conditions,
    bindings,
    whole: index === undefined && partition.length > 0 && open.length === 0,
    rest: where.filter((predicate) => !answered.has(predicate)),
    fixed: [...fixed],
    coarse,
    times,
    forward: directionOf(
      open,
      order.filter(({ attribute }) => !constant.includes(attribute)),
      attributes,
    ),
  };
}

/** The condition that all segments of a key are known. */
export function equalKey({ attribute, text }: MadeKey): KeyCondition {
  return { attribute, text, kind: "equals", segments: text.segments.length };
}

type OpenSegment = readonly [KeyText, Segment];
type AttributeSegment = Segment & { readonly kind: "attribute" };

class Matching {
  readonly bindings: Map<string, Binding>;
  readonly answered = new Set<Predicate>();
  readonly fixed = new Set<string>();
  readonly coarse: TimedAttribute[] = [];
  readonly times: Omit<Times, "text">[] = [];
  private readonly fanned = new Set<string>();
  private readonly where: readonly Predicate[];
  private readonly attributes: ReadonlyMap<string, Attribute>;

  constructor(
    where: readonly Predicate[],
    known: Bindings,
    attributes: ReadonlyMap<string, Attribute>,
  ) {
    this.where = where;
    this.attributes = attributes;
    this.bindings = bindingsOf(where, known);
  }

  /** The attribute of a partition key that is not known, if there is one. */
  missingIn(parts: readonly MadeKey[]): string | undefined {
    for (const { text } of parts) {
      const open = text.segments.find((one) => !this.take(one) && !this.span(one));
      if (open?.kind === "attribute") return open.attribute;
    }
    return undefined;
  }

  /** Conditions from the left as far as values are known, and the segments that stay open. */
  sort(parts: readonly MadeKey[]): {
    readonly conditions: readonly KeyCondition[];
    readonly open: readonly OpenSegment[];
  } {
    const conditions: KeyCondition[] = [];
    for (const [i, made] of parts.entries()) {
      const { attribute, text } = made;
      const next = text.segments.find((segment) => !this.take(segment));
      if (next === undefined) {
        conditions.push(equalKey(made));
        continue;
      }
      const segments = text.segments.indexOf(next);
      const predicate = this.range(text, next);
      if (predicate !== undefined) {
        conditions.push({ attribute, text, kind: "range", segments, predicate });
      } else if (segments > 0) conditions.push({ attribute, text, kind: "begins", segments });
      const open = parts.slice(i).flatMap(({ text: one }) => {
        return one.segments.map((segment): OpenSegment => [one, segment]);
      });
      return { conditions, open: open.slice(segments) };
    }
    return { conditions, open: [] };
  }

  /** Uses a known value; answers false if there is none. */
  private take(segment: Segment): boolean {
    if (segment.kind === "text") return true;
    if (segment.kind === "shard") return this.shard(segment);
    const { attribute, transforms } = segment;
    const binding = this.bindings.get(attribute);
    if (binding === undefined || binding.kind === "span") return false;
    if (binding.kind === "each" && !this.fanned.has(attribute)) {
      this.fanned.add(attribute);
      this.times.push({ count: binding.operands.length, why: "values", assumed: false });
    }
    if (truncationOf(transforms) !== undefined) {
      this.coarse.push({ attribute, transforms });
      return true;
    }
    this.fixed.add(attribute);
    for (const predicate of this.where) {
      if (predicate.attribute === attribute && isBoundBy(predicate, binding)) {
        this.answered.add(predicate);
      }
    }
    return true;
  }

  /** Every shard is read, unless the value that its number is calculated from is known. */
  private shard({ count, by }: Segment & { kind: "shard" }): true {
    const known = by.kind === "calculated" ? this.bindings.get(by.attribute) : undefined;
    if (known === undefined || known.kind === "span") {
      this.times.push({ count, why: "shards", assumed: false });
    }
    return true;
  }

  /** A span of time, asked unit by unit. */
  private span(segment: Segment): boolean {
    if (segment.kind !== "attribute" || truncationOf(segment.transforms) === undefined)
      return false;
    const { attribute, transforms } = segment;
    const predicate = this.where.find(
      (one) => one.attribute === attribute && spanOperators.includes(one.operator),
    );
    if (predicate === undefined) return false;
    this.bindings.set(attribute, { kind: "span", predicate });
    this.coarse.push({ attribute, transforms });
    this.times.push({ count: 1, why: "span", assumed: true });
    return true;
  }

  private range(text: KeyText, segment: Segment): Predicate | undefined {
    if (segment.kind !== "attribute") return undefined;
    const order = orderOf(text, segment, this.attributes);
    const predicate = this.where.find(
      ({ attribute, operator }) =>
        attribute === segment.attribute && rangeOperators.includes(operator),
    );
    if (order === undefined || predicate === undefined) return undefined;
    const isCoarse = truncationOf(segment.transforms) !== undefined;
    // What begins with something is found in a text as it is, not in one that is turned round or cut off.
    const isChanged = isCoarse || order === "descending";
    if (predicate.operator === "begins-with" && isChanged) return undefined;
    if (!isCoarse) this.answered.add(predicate);
    return predicate;
  }
}

/** Whether a key with this value answers a condition: another condition on the same attribute may have told the value. */
function isBoundBy({ operator, operands }: Predicate, binding: Binding): boolean {
  const [first] = operands;
  if (operator === "one-of") return binding.kind === "each" && binding.operands === operands;
  if (operator !== "equals" || first === undefined) return false;
  return first.kind === "parameter"
    ? binding.kind === "parameter" && binding.name === first.name
    : binding.kind === "constant" && binding.value === first.value;
}

/** How a segment sorts: like its attribute, the other way round, or in no way that means anything. */
function orderOf(
  { native }: KeyText,
  { attribute: name, transforms }: AttributeSegment,
  attributes: ReadonlyMap<string, Attribute>,
): Order["direction"] | undefined {
  if (native !== undefined) return "ascending";
  const { type, format } = attributes.get(name) ?? {};
  // Numbers of one length, such as times, sort like texts; others do not.
  const isEven = format === "epoch-seconds" || format === "epoch-milliseconds";
  const isMade = transforms.some(({ kind }) => kind !== "lower" && kind !== "upper");
  if (type === "N" && !isMade && !isEven) return undefined;
  return transforms.some(({ kind }) => kind === "descending") ? "descending" : "ascending";
}

function directionOf(
  open: readonly OpenSegment[],
  order: readonly Order[],
  attributes: ReadonlyMap<string, Attribute>,
): boolean | undefined {
  const left = open.filter(([, segment]) => segment.kind !== "text");
  const directions = order.map(({ attribute, direction }, i): boolean | undefined => {
    const [text, segment] = left[i] ?? [];
    if (text === undefined || segment?.kind !== "attribute") return undefined;
    if (segment.attribute !== attribute || truncationOf(segment.transforms)) return undefined;
    const own = orderOf(text, segment, attributes);
    return own && own === direction;
  });
  const [forward = true] = directions;
  return directions.every((one) => one === forward) ? forward : undefined;
}
