import type { KeyText, Segment, Transform } from "../../model/key-text.ts";
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
  readonly coarse: readonly {
    readonly attribute: string;
    readonly transforms: readonly Transform[];
  }[];
  /** The key narrows by a range, so how much lies in it is not known from counts. */
  readonly ranged: boolean;
  readonly times: readonly Omit<Times, "text">[];
  /** The direction in which the key gives the order that is asked for; nothing if it does not. */
  readonly forward: boolean | undefined;
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

/** Holds a key against what is asked; answers with a sentence if the partition key is not known. */
export function matchKey(
  { partition, sort, record, index }: Pick<Structure, "partition" | "sort" | "record" | "index">,
  where: readonly Predicate[],
  order: readonly Order[],
  known: Bindings,
  batch = 1,
): KeyMatch | string {
  const matching = new Matching(where, known, record.entity.attributes);
  const equal: KeyCondition[] = [];
  for (const made of partition) {
    const missing = matching.partition(made);
    if (missing !== undefined) return `needs ${missing}, which is not asked for by its value`;
    equal.push(condition(made, "equals", made.text.segments.length));
  }
  const { conditions, open } = matching.sort(sort);
  const whole = index === undefined && open.length === 0;
  return {
    partition: equal,
    sort: conditions,
    bindings: matching.bindings,
    whole,
    rest: where.filter((predicate) => !matching.answered.has(predicate)),
    fixed: [...matching.fixed],
    coarse: matching.coarse,
    ranged: conditions.some(({ kind, predicate }) => kind === "range" && predicate !== undefined),
    times: matching.times,
    forward: directionOf(open, order, matching.constant(batch), record.entity.attributes),
  };
}

/** What a Scan knows: no key, and no order. */
export function matchNothing(
  where: readonly Predicate[],
  order: readonly Order[],
  known: Bindings,
): KeyMatch {
  return {
    partition: [],
    sort: [],
    bindings: bindingsOf(where, known),
    whole: false,
    rest: where,
    fixed: [],
    coarse: [],
    ranged: false,
    times: [],
    forward: order.length === 0 ? true : undefined,
  };
}

function condition(
  { attribute, text }: MadeKey,
  kind: KeyCondition["kind"],
  segments: number,
  predicate?: Predicate,
): KeyCondition {
  return { attribute, text, kind, segments, ...(predicate !== undefined && { predicate }) };
}

class Matching {
  readonly bindings: Map<string, Binding>;
  readonly answered = new Set<Predicate>();
  readonly fixed = new Set<string>();
  readonly coarse: { attribute: string; transforms: readonly Transform[] }[] = [];
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

  /** Attributes that have one value in the whole answer: a batch has several, and so has a list of values. */
  constant(batch: number): ReadonlySet<string> {
    return new Set(
      [...this.fixed].filter((name) => {
        const { kind } = this.bindings.get(name) ?? {};
        return kind === "constant" || kind === "result" || (kind === "parameter" && batch <= 1);
      }),
    );
  }

  /** The attribute that is missing, if one is. */
  partition({ text }: MadeKey): string | undefined {
    for (const segment of text.segments) {
      if (segment.kind === "text") continue;
      if (segment.kind === "shard") this.shard(segment);
      else if (!this.take(segment) && !this.span(segment)) return segment.attribute;
    }
    return undefined;
  }

  /** Conditions from the left as far as values are known, and the segments that stay open. */
  sort(parts: readonly MadeKey[]): {
    readonly conditions: readonly KeyCondition[];
    readonly open: readonly (readonly [KeyText, Segment])[];
  } {
    const conditions: KeyCondition[] = [];
    for (const [i, made] of parts.entries()) {
      const { segments } = made.text;
      const known = this.knownFrom(made.text);
      if (known === segments.length) {
        conditions.push(condition(made, "equals", known));
        continue;
      }
      const next = segments[known] as Segment;
      const range = this.range(made.text, next);
      if (range !== undefined) conditions.push(condition(made, "range", known, range));
      else if (known > 0) conditions.push(condition(made, "begins", known));
      const after = parts
        .slice(i + 1)
        .flatMap(({ text }) => text.segments.map((segment) => [text, segment] as const));
      const own = segments.slice(known).map((segment) => [made.text, segment] as const);
      return { conditions, open: [...own, ...after] };
    }
    return { conditions, open: [] };
  }

  private knownFrom({ segments }: KeyText): number {
    for (const [i, segment] of segments.entries()) {
      if (segment.kind === "text") continue;
      if (segment.kind === "shard") this.shard(segment);
      else if (!this.take(segment)) return i;
    }
    return segments.length;
  }

  /** Uses a known value; answers false if there is none. */
  private take({ attribute, transforms }: Segment & { kind: "attribute" }): boolean {
    const binding = this.bindings.get(attribute);
    if (binding === undefined || binding.kind === "span") return false;
    if (binding.kind === "each") this.fan(attribute, binding.operands.length);
    if (transforms.some(({ kind }) => kind === "truncate")) {
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

  private fan(attribute: string, count: number): void {
    if (this.fanned.has(attribute)) return;
    this.fanned.add(attribute);
    this.times.push({ count, why: "values", assumed: false });
  }

  private shard({ count, by }: Segment & { kind: "shard" }): void {
    if (by.kind === "calculated") {
      const binding = this.bindings.get(by.attribute);
      if (binding !== undefined && binding.kind !== "span") return;
    }
    this.times.push({ count, why: "shards", assumed: false });
  }

  /** A span of time, asked unit by unit. */
  private span({ attribute, transforms }: Segment & { kind: "attribute" }): boolean {
    if (!transforms.some(({ kind }) => kind === "truncate")) return false;
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
    if (order === undefined) return undefined;
    const found = this.where.find(
      ({ attribute, operator }) =>
        attribute === segment.attribute && rangeOperators.includes(operator),
    );
    if (found === undefined) return undefined;
    // What begins with something is found in a text as it is, not in one that is turned round.
    if (found.operator === "begins-with" && order === "descending") return undefined;
    const coarse = segment.transforms.some(({ kind }) => kind === "truncate");
    if (coarse) return found.operator === "begins-with" ? undefined : found;
    this.answered.add(found);
    return found;
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
export function orderOf(
  { native }: KeyText,
  { attribute: name, transforms }: Segment & { kind: "attribute" },
  attributes: ReadonlyMap<string, Attribute>,
): "ascending" | "descending" | undefined {
  if (native !== undefined) return "ascending";
  const attribute = attributes.get(name);
  const turned = transforms.some(({ kind }) => kind === "descending");
  const plainNumber =
    attribute?.type === "N" &&
    !transforms.some(({ kind }) => kind === "pad" || kind === "truncate" || kind === "descending");
  // Numbers of one length, such as times, sort like texts; others do not.
  const even = attribute?.format === "epoch-seconds" || attribute?.format === "epoch-milliseconds";
  if (plainNumber && !even) return undefined;
  return turned ? "descending" : "ascending";
}

function directionOf(
  open: readonly (readonly [KeyText, Segment])[],
  order: readonly Order[],
  constant: ReadonlySet<string>,
  attributes: ReadonlyMap<string, Attribute>,
): boolean | undefined {
  const left = open.filter(([, segment]) => segment.kind !== "text");
  let forward: boolean | undefined;
  let at = 0;
  for (const { attribute, direction } of order) {
    if (constant.has(attribute)) continue;
    const [text, segment] = left[at] ?? [];
    if (text === undefined || segment?.kind !== "attribute") return undefined;
    if (segment.attribute !== attribute) return undefined;
    if (segment.transforms.some(({ kind }) => kind === "truncate")) return undefined;
    const own = orderOf(text, segment, attributes);
    if (own === undefined) return undefined;
    const ahead = own === direction;
    if (forward !== undefined && forward !== ahead) return undefined;
    forward = ahead;
    at += 1;
  }
  return forward ?? true;
}
