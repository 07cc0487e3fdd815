import { textSize } from "../../item/size.ts";
import { formats, unitLength } from "../../model/formats.ts";
import type { KeyText, Transform } from "../../model/key-text.ts";
import type { Attribute } from "../../model/requirements.ts";
import { attributeBytes, numberText } from "./attribute-size.ts";
import { ByteDistribution } from "./distribution.ts";

export type Attributes = ReadonlyMap<string, Attribute>;

/** What a key's value is made of. Texts of attributes are as long as the attributes themselves. */
export interface KeySize {
  /** Literals, shards, times that are cut off, padded numbers. */
  readonly own: ByteDistribution;
  /** How often the bytes of an attribute's value are in it. */
  readonly repeats: ReadonlyMap<string, number>;
}

/** The bytes of a key's value, without the name of the key attribute. */
export function keyBytes(attributes: Attributes, text: KeyText): ByteDistribution | undefined {
  const size = keySize(attributes, text);
  if (size === undefined) return undefined;
  const parts = [size.own];
  for (const [name, times] of size.repeats) {
    const value = attributeBytes(attributes.get(name) as Attribute);
    if (value === undefined) return undefined;
    parts.push(value.scaled(times));
  }
  return ByteDistribution.sum(parts);
}

/** Nothing if an attribute in it has no size. */
export function keySize(attributes: Attributes, text: KeyText): KeySize | undefined {
  const repeats = new Map<string, number>();
  const repeat = (name: string): void => void repeats.set(name, (repeats.get(name) ?? 0) + 1);
  if (text.native !== undefined) {
    repeat(text.native);
    return { own: ByteDistribution.fixed(0), repeats };
  }
  const own: ByteDistribution[] = [];
  for (const segment of text.segments) {
    if (segment.kind === "text") own.push(ByteDistribution.fixed(textSize(segment.text)));
    else if (segment.kind === "shard") own.push(ByteDistribution.fixed(shardWidth(segment.count)));
    else {
      const attribute = attributes.get(segment.attribute);
      const bytes = attribute && renderedBytes(attribute, segment.transforms);
      if (bytes === undefined) return undefined;
      if (bytes === "as-it-is") repeat(segment.attribute);
      else own.push(bytes);
    }
  }
  return { own: ByteDistribution.sum(own), repeats };
}

/** Decimal, with zeros before it: all shards have the same width. */
export function shardWidth(count: number): number {
  return String(count - 1).length;
}

const assumedDigits = 10;

/** The digits of a number as it is written in a key. */
export function digitsOf({ digits, format }: Attribute): number {
  if (format === "epoch-milliseconds") return 13;
  return digits ?? assumedDigits;
}

function renderedBytes(
  attribute: Attribute,
  transforms: readonly Transform[],
): ByteDistribution | "as-it-is" | undefined {
  const { type, format, values } = attribute;
  const cut = transforms.findLast(({ kind }) => kind === "truncate");
  if (cut?.kind === "truncate") {
    const whole = type === "S" && format !== undefined ? formats[format].bytes.S : undefined;
    const length = unitLength[cut.unit];
    return ByteDistribution.fixed(Math.min(length, whole ?? length));
  }
  if (type !== "N") return attribute.size === undefined ? undefined : "as-it-is";
  const padded = transforms.reduce((width, transform) => {
    if (transform.kind === "pad") return Math.max(width, transform.digits);
    return transform.kind === "descending" ? Math.max(width, digitsOf(attribute)) : width;
  }, 0);
  if (values === undefined) return ByteDistribution.fixed(Math.max(digitsOf(attribute), padded));
  const known = ofNumbers.get(values) ?? new Map<number, ByteDistribution>();
  ofNumbers.set(values, known);
  const bytes =
    known.get(padded) ??
    ByteDistribution.shares(
      values.map(({ value, share }) => ({
        bytes: Math.max(numberText(Number(value)).length, padded),
        share,
      })),
    );
  known.set(padded, bytes);
  return bytes;
}

/** By the digits that they are padded to. */
const ofNumbers = new WeakMap<NonNullable<Attribute["values"]>, Map<number, ByteDistribution>>();
