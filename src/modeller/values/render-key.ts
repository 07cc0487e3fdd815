import type { AttributeValue, KeyValue } from "../../item/attribute-value.ts";
import type { TimeUnit } from "../../model/formats.ts";
import type { KeyText, Segment, Transform } from "../../model/key-text.ts";
import type { Entity } from "../../model/requirements.ts";
import { shardOf } from "./shard-hash.ts";
import { transformed } from "./transform.ts";

/** The values of one entity by attribute; what it does not have is not in it. */
export type EntityValues = ReadonlyMap<string, AttributeValue>;

/** What is decided when an item is written. */
export interface Writing {
  /** Draws the number of a shard, from 0 inclusive to `count` exclusive. */
  readonly shard: (count: number) => number;
  /** The time of writing, in milliseconds. */
  readonly now: number;
}

/** What is known when a key is made. Readers know nothing of the writing, so they look at all shards. */
export interface Known {
  readonly entity: Pick<Entity, "attributes">;
  readonly values: EntityValues;
  readonly writing?: Writing;
}

/** The value of a key attribute; nothing if an attribute that it is made of is missing. */
export function renderKey(text: KeyText, known: Known): KeyValue | undefined {
  if (text.native !== undefined) return nativeValue(text.native, known);
  const parts = text.segments.map((segment) => segmentText(segment, known));
  return parts.every((part) => part !== undefined) ? { S: parts.join("") } : undefined;
}

/** All values that the key can have for what is known: one for each shard that is not known. */
export function gatheredKeys(text: KeyText, known: Known): readonly KeyValue[] | undefined {
  if (text.native !== undefined) {
    const value = nativeValue(text.native, known);
    return value && [value];
  }
  let texts: readonly string[] = [""];
  for (const segment of text.segments) {
    const own = segmentText(segment, known);
    const parts = own === undefined ? shardTexts(segment) : [own];
    if (parts === undefined) return undefined;
    texts = texts.flatMap((before) => parts.map((part) => before + part));
  }
  return texts.map((S) => ({ S }));
}

/** The text up to the first segment that is not known, and whether that is all of it. */
export function prefixOf(
  text: KeyText,
  known: Known,
): { readonly prefix: string; readonly whole: boolean } {
  let prefix = "";
  for (const segment of text.segments) {
    const part = segmentText(segment, known);
    if (part === undefined) return { prefix, whole: false };
    prefix += part;
  }
  return { prefix, whole: true };
}

/** A shard's number has as many digits as the last one. */
export function shardText(number: number, count: number): string {
  return String(number).padStart(String(count - 1).length, "0");
}

function nativeValue(name: string, { values }: Known): KeyValue | undefined {
  const value = values.get(name);
  return value !== undefined && ("S" in value || "N" in value || "B" in value) ? value : undefined;
}

function segmentText(segment: Segment, known: Known): string | undefined {
  if (segment.kind === "text") return segment.text;
  if (segment.kind === "attribute") return valueText(segment, known);
  const { by, count } = segment;
  if (by.kind === "calculated") {
    const value = valueText(by, known);
    return value === undefined ? undefined : shardText(shardOf(value, count), count);
  }
  const { writing } = known;
  if (writing === undefined) return undefined;
  const number =
    by.kind === "random" ? writing.shard(count) : unitsSinceEpoch(writing.now, by.unit) % count;
  return shardText(number, count);
}

function valueText(
  { attribute, transforms }: { attribute: string; transforms: readonly Transform[] },
  { entity, values }: Known,
): string | undefined {
  const value = values.get(attribute);
  const described = entity.attributes.get(attribute);
  if (value === undefined || described === undefined) return undefined;
  return transformed(described, transforms, value);
}

function shardTexts(segment: Segment): readonly string[] | undefined {
  if (segment.kind !== "shard") return undefined;
  const { count } = segment;
  return Array.from({ length: count }, (_, number) => shardText(number, count));
}

const unitMs = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

/** How many whole minutes, hours, … there were since 1970; months and years are those of the calendar. */
function unitsSinceEpoch(time: number, unit: TimeUnit): number {
  const date = new Date(time);
  if (unit === "year") return date.getUTCFullYear() - 1970;
  if (unit === "month") return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
  return Math.floor(time / unitMs[unit]);
}
