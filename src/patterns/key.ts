import {
  cutLength,
  descending,
  type PartFormat,
  type PartTransform,
  partText,
} from "./key-parts.ts";
import { type KeyRange, type RangeOperator, textRange } from "./key-range.ts";
import {
  type PartNames,
  parseTemplate,
  type TemplateSegment,
  type TextOfTemplate,
} from "./key-template.ts";
import { ValueError } from "./numbers.ts";
import { systemRandom, systemTime } from "./platform.ts";
import { allShards, calculatedShard, shardText, timeShard } from "./shard.ts";
import { type KeyValue, ownOf } from "./values.ts";

/** What is decided when an item is written. */
export interface KeyWriting {
  /** Draws the number of a shard, from 0 inclusive to `count` exclusive. */
  readonly shard: (count: number) => number;
  /** The time of writing, in milliseconds. */
  readonly now: number;
}

export interface CompositeKeyOptions<T extends string> {
  /** What cannot be seen from the values: what numbers mean, and how many digits they have. */
  readonly parts?: Readonly<Partial<Record<PartNames<T>, PartFormat>>>;
  /** Refuses values that hold the text which ends their part, so that every key can be read back. */
  readonly strict?: boolean;
}

export type PartValues<T extends string> = Readonly<Record<PartNames<T>, KeyValue>>;
export type SomePartValues<T extends string> = Readonly<
  Partial<Record<PartNames<T>, KeyValue | undefined>>
>;

/** A key from its template: `compositeKey("CUSTOMER#{customerId}#ORDER#{orderId|pad:8}")`. */
export function compositeKey<const T extends string>(
  template: T,
  options: CompositeKeyOptions<T> = {},
): CompositeKey<T> {
  return new CompositeKey(template, options);
}

type Lookup = Readonly<Record<string, KeyValue | undefined>>;

export class CompositeKey<T extends string> {
  readonly template: T;
  readonly #segments: readonly TemplateSegment[];
  readonly #formats: Readonly<Record<string, PartFormat | undefined>>;
  readonly #isStrict: boolean;

  constructor(template: T, options: CompositeKeyOptions<T> = {}) {
    this.template = template;
    this.#segments = parseTemplate(template);
    this.#formats = options.parts ?? {};
    this.#isStrict = options.strict ?? false;
  }

  /** The key of an item that is written. Shards that readers cannot know are drawn, or follow from the time. */
  of(values: PartValues<T>, writing: KeyWriting = writingNow()): TextOfTemplate<T> {
    const text = this.maybe(values as SomePartValues<T>, writing);
    if (text === undefined) throw new ValueError(`${this.template} lacks a value`);
    return text;
  }

  /** The key, or nothing if a value that it is made of is missing: for attributes that not every item has. */
  maybe(
    values: SomePartValues<T>,
    writing: KeyWriting = writingNow(),
  ): TextOfTemplate<T> | undefined {
    const { prefix, isWhole } = this.#beginning(values as Lookup, writing);
    return isWhole ? (prefix as TextOfTemplate<T>) : undefined;
  }

  /** All keys for what a reader knows: one for each shard that could have been written to. */
  all(values: PartValues<T>): readonly TextOfTemplate<T>[] {
    let texts: readonly string[] = [""];
    for (const [at, segment] of this.#segments.entries()) {
      const own = this.#textOf(segment, at, values, undefined);
      const parts =
        own === undefined && segment.kind === "shard" ? allShards(segment.count) : [own];
      texts = texts.flatMap((before) =>
        parts.map((part) => {
          if (part === undefined) throw new ValueError(`${this.template} lacks a value`);
          return before + part;
        }),
      );
    }
    return texts as readonly TextOfTemplate<T>[];
  }

  /**
   * The text up to the first part that is not known, with the separator before it: `begins_with` then
   * finds customer 1 and not customer 10.
   */
  prefix(values: SomePartValues<T>): string {
    return this.#beginning(values as Lookup, undefined).prefix;
  }

  /**
   * The condition on a sort key for a range of the first part that `known` has no value for:
   * `key.range({ customerId }, "between", "2026-01-01", "2026-12-31")`.
   */
  range(known: SomePartValues<T>, operator: RangeOperator, ...bounds: KeyValue[]): KeyRange {
    const { prefix, isWhole, at } = this.#beginning(known as Lookup, undefined);
    const segment = this.#segments[at];
    if (isWhole || segment?.kind !== "part") {
      throw new ValueError(`${this.template} has no part left that a range could be of`);
    }
    const wanted = operator === "between" ? 2 : 1;
    if (bounds.length !== wanted) throw new ValueError(`'${operator}' takes ${wanted} bounds`);
    const { name, transforms } = segment;
    const format = ownOf(this.#formats, name);
    const next = this.#segments[at + 1];
    return textRange(operator, {
      prefix,
      texts: bounds.map((bound) => partText(bound, transforms, format)),
      hasMore: next !== undefined,
      separator: next?.kind === "text" ? next.text : "",
      isTurned: transforms.some(({ kind }) => kind === "descending"),
      isCoarse: transforms.some(({ kind }) => kind === "cut"),
    });
  }

  /**
   * The texts of the parts of a key, or nothing if it is not a key of this template. Each part ends where the
   * text after it is first found. Padding and `descending` are undone; case and what was cut off are lost.
   */
  parse(key: string): Readonly<Record<PartNames<T>, string>> | undefined {
    const found = new Map<string, string>();
    let rest = key;
    for (const [at, segment] of this.#segments.entries()) {
      const length = this.#lengthOf(segment, at, rest);
      if (length < 0 || length > rest.length) return undefined;
      const text = rest.slice(0, length);
      rest = rest.slice(length);
      if (segment.kind === "text" ? text !== segment.text : !this.#isRead(segment, text, found)) {
        return undefined;
      }
    }
    if (rest !== "") return undefined;
    return Object.fromEntries(found) as Record<PartNames<T>, string>;
  }

  /** Whether a part's text fits, and what it says of its value. */
  #isRead(
    segment: Exclude<TemplateSegment, { kind: "text" }>,
    text: string,
    found: Map<string, string>,
  ): boolean {
    if (segment.kind === "shard") return /^\d+$/.test(text) && Number(text) < segment.count;
    const { name, transforms } = segment;
    let value = text;
    for (const { kind } of [...transforms].reverse()) {
      if (kind === "descending") value = descending(value);
      // Numbers are padded to be turned round; who says how is known to have numbers.
      const isPadded = kind === "pad" || (kind === "descending" && ownOf(this.#formats, name));
      if (isPadded) value = value.replace(/^0+(?=\d)/, "");
    }
    const before = found.get(name);
    found.set(name, value);
    return before === undefined || before === value;
  }

  #lengthOf(segment: TemplateSegment, at: number, rest: string): number {
    if (segment.kind === "text") return segment.text.length;
    const fixed = fixedLength(segment);
    if (fixed !== undefined) return fixed;
    const next = this.#segments[at + 1];
    if (next === undefined) return rest.length;
    if (next.kind === "text") return rest.indexOf(next.text);
    throw new ValueError(`${this.template} cannot be read back: two parts touch`);
  }

  /** The text up to the first segment that is not known. */
  #beginning(
    values: Lookup,
    writing: KeyWriting | undefined,
  ): { readonly prefix: string; readonly isWhole: boolean; readonly at: number } {
    let prefix = "";
    for (const [at, segment] of this.#segments.entries()) {
      const text = this.#textOf(segment, at, values, writing);
      if (text === undefined) return { prefix, isWhole: false, at };
      prefix += text;
    }
    return { prefix, isWhole: true, at: this.#segments.length };
  }

  #textOf(
    segment: TemplateSegment,
    at: number,
    values: Lookup,
    writing: KeyWriting | undefined,
  ): string | undefined {
    if (segment.kind === "text") return segment.text;
    if (segment.kind === "part") {
      const text = this.#partOf(segment, values);
      if (text !== undefined && this.#isStrict) this.#check(segment.name, text, at);
      return text;
    }
    const { by, count } = segment;
    if (by.kind === "calculated") {
      const text = this.#partOf(by, values);
      return text === undefined ? undefined : calculatedShard(text, count);
    }
    if (writing === undefined) return undefined;
    if (by.kind === "time") return timeShard(by.unit, count, writing.now);
    return shardText(writing.shard(count), count);
  }

  #partOf(
    { name, transforms }: { readonly name: string; readonly transforms: readonly PartTransform[] },
    values: Lookup,
  ): string | undefined {
    const value = ownOf(values, name);
    return value === undefined
      ? undefined
      : partText(value, transforms, ownOf(this.#formats, name));
  }

  #check(name: string, text: string, at: number): void {
    const next = this.#segments[at + 1];
    if (next?.kind === "text" && text.includes(next.text)) {
      throw new ValueError(`'${name}' holds '${next.text}', which ends it in ${this.template}`);
    }
  }
}

function writingNow(): KeyWriting {
  return { shard: (count) => Math.floor(systemRandom() * count), now: systemTime() };
}

/** The length of shards and of times that are cut off: they need nothing after them to be found. */
function fixedLength(segment: TemplateSegment): number | undefined {
  if (segment.kind === "shard") return String(segment.count - 1).length;
  if (segment.kind === "text") return undefined;
  const cut = segment.transforms.find((transform) => transform.kind === "cut");
  return cut?.kind === "cut" ? cutLength[cut.unit] : undefined;
}
