import { didYouMean } from "../document/nearest.ts";
import { type TimeUnit, timeUnits } from "./formats.ts";

/** What is done to the value of an attribute before it becomes a part of a key. */
export type Transform =
  /** A number with zeros before it, so that texts sort like numbers. */
  | { readonly kind: "pad"; readonly digits: number }
  | { readonly kind: "lower" }
  | { readonly kind: "upper" }
  /** A time without what is finer than the unit. */
  | { readonly kind: "truncate"; readonly unit: TimeUnit }
  /** Turned round, so that the greatest comes first. */
  | { readonly kind: "descending" };

export type Segment =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "attribute";
      readonly attribute: string;
      readonly transforms: readonly Transform[];
    }
  | { readonly kind: "shard"; readonly count: number; readonly by: ShardBy };

/** Where the number of a shard is from: a draw, a value that readers know too, or the time. */
export type ShardBy =
  | { readonly kind: "random" }
  | {
      readonly kind: "calculated";
      readonly attribute: string;
      readonly transforms: readonly Transform[];
    }
  | { readonly kind: "time"; readonly unit: TimeUnit };

export interface KeyText {
  readonly text: string;
  readonly segments: readonly Segment[];
  /** Where in the text each segment begins. */
  readonly offsets: readonly number[];
  /** The key is this attribute as it is, with its type. */
  readonly native: string | undefined;
}

export const shardsMax = 10_000;
const digitsMax = 38;
const transformWords = ["pad:8", "lower", "upper", ...timeUnits, "descending"];

/**
 * key-text = *( text / "{" part "}" ); part = attribute *( "|" transform ) / "shard:" count [ ":" by ]
 * A brace that is meant is written twice.
 */
export function parseKeyText(
  text: string,
  complain: (message: string, within: number) => void,
): KeyText {
  const segments: Segment[] = [];
  const offsets: number[] = [];
  let literal = "";
  let literalAt = 0;
  const push = (segment: Segment, at: number): void => {
    segments.push(segment);
    offsets.push(at);
  };
  const flush = (): void => {
    if (literal !== "") push({ kind: "text", text: literal }, literalAt);
    literal = "";
  };
  for (let at = 0; at < text.length; at += 1) {
    const here = text[at] as string;
    if (literal === "") literalAt = at;
    if ((here === "{" || here === "}") && text[at + 1] === here) {
      literal += here;
      at += 1;
    } else if (here === "}") {
      complain("has a '}' without its '{'; a brace that is meant is written twice", at);
    } else if (here === "{") {
      const end = text.indexOf("}", at);
      if (end < 0) {
        complain("has a '{' without its '}'; a brace that is meant is written twice", at);
        break;
      }
      flush();
      const segment = parsePart(text.slice(at + 1, end), at + 1, complain);
      if (segment !== undefined) push(segment, at);
      at = end;
    } else {
      literal += here;
    }
  }
  flush();
  const [only] = segments;
  const isNative =
    segments.length === 1 && only?.kind === "attribute" && only.transforms.length === 0;
  return { text, segments, offsets, native: isNative ? only.attribute : undefined };
}

type Complain = (message: string, within: number) => void;

function parsePart(part: string, at: number, complain: Complain): Segment | undefined {
  if (part === "shard" || part.startsWith("shard:")) return parseShard(part, at, complain);
  const value = parseValue(part, at, complain);
  return value && { kind: "attribute", ...value };
}

type Value = { readonly attribute: string; readonly transforms: readonly Transform[] };

function parseValue(part: string, at: number, complain: Complain): Value | undefined {
  const [attribute = "", ...words] = part.split("|");
  if (attribute === "") {
    complain("has braces without an attribute in them", at - 1);
    return undefined;
  }
  let wordAt = at + attribute.length + 1;
  const transforms: Transform[] = [];
  for (const word of words) {
    const transform = parseTransform(word);
    if (typeof transform === "string") complain(transform, wordAt);
    else transforms.push(transform);
    wordAt += word.length + 1;
  }
  return { attribute, transforms };
}

function parseTransform(word: string): Transform | string {
  const [name = "", ...rest] = word.split(":");
  const argument = rest.length === 0 ? undefined : rest.join(":");
  if (name === "pad") {
    const digits = Number(argument);
    if (/^\d+$/.test(argument ?? "") && digits >= 1 && digits <= digitsMax) {
      return { kind: "pad", digits };
    }
    return `has a '${word}' that should be like 'pad:8', with 1 to ${digitsMax} digits`;
  }
  if (argument === undefined) {
    if (name === "lower" || name === "upper" || name === "descending") return { kind: name };
    if (isTimeUnit(name)) return { kind: "truncate", unit: name };
  }
  return `has an unknown transform '${word}'${didYouMean(word, transformWords) || ";"} known: ${transformWords.join(", ")}`;
}

function parseShard(part: string, at: number, complain: Complain): Segment | undefined {
  const [, count = "", ...rest] = part.split(":");
  const number = Number(count);
  if (!/^\d+$/.test(count) || number < 2 || number > shardsMax) {
    complain(
      `has a shard that should be like {shard:10}, with 2 to ${shardsMax} shards`,
      at + "shard:".length,
    );
    return undefined;
  }
  if (rest.length === 0) return { kind: "shard", count: number, by: { kind: "random" } };
  const by = rest.join(":");
  if (isTimeUnit(by)) return { kind: "shard", count: number, by: { kind: "time", unit: by } };
  const value = parseValue(by, at + part.length - by.length, complain);
  return value && { kind: "shard", count: number, by: { kind: "calculated", ...value } };
}

function isTimeUnit(word: string): word is TimeUnit {
  return (timeUnits as readonly string[]).includes(word);
}

/** The attributes that a key text is made of, with where each is named. */
export function attributesOf(text: KeyText): readonly KeyAttribute[] {
  const known = keyAttributes.get(text) ?? findAttributes(text);
  keyAttributes.set(text, known);
  return known;
}

/** The names of the attributes that keys are made of, each once. */
export function attributeNames(keys: readonly { readonly text: KeyText }[]): readonly string[] {
  return [...new Set(keys.flatMap(({ text }) => attributesOf(text).map((one) => one.attribute)))];
}

/** The unit that a time is cut off after, before it becomes a part of a key. */
export function truncationOf(transforms: readonly Transform[]): TimeUnit | undefined {
  const [unit] = transforms.flatMap((one) => (one.kind === "truncate" ? [one.unit] : []));
  return unit;
}

interface KeyAttribute {
  readonly attribute: string;
  readonly transforms: readonly Transform[];
  readonly at: number;
}

/** The planner asks many times for each key of a design. */
const keyAttributes = new WeakMap<KeyText, readonly KeyAttribute[]>();

function findAttributes({ segments, offsets }: KeyText): readonly KeyAttribute[] {
  return segments.flatMap((segment, i) => {
    const at = (offsets[i] ?? 0) + 1;
    if (segment.kind === "attribute") return [{ ...segment, at }];
    if (segment.kind !== "shard" || segment.by.kind !== "calculated") return [];
    const { attribute, transforms } = segment.by;
    return [{ attribute, transforms, at: at + `shard:${segment.count}:`.length }];
  });
}
