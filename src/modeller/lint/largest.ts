import { textSize } from "../../item/size.ts";
import type { Model } from "../../model/model.ts";
import type { Attribute, Entity, Relation } from "../../model/requirements.ts";
import type { StoredAttribute, StoredRecord } from "../records/record.ts";
import { ByteDistribution } from "../sizes/distribution.ts";
import { keyBytes } from "../sizes/key-size.ts";

/** How large an item can become, and what of it has no bound or no stated size. */
export interface Largest {
  readonly bytes: number;
  /** The largest part and what it weighs at most. */
  readonly part: string;
  readonly partBytes: number;
  /** Some size or bound in it was assumed. */
  readonly assumed: boolean;
}

/** With all attributes there, each at its largest. What grows without bound counts with its average. */
export function largestItem(model: Model, record: StoredRecord): Largest {
  let [bytes, part, partBytes, assumed] = [0, "", 0, false];
  for (const stored of record.attributes) {
    const own = textSize(stored.name) + contentMax(model, record, stored);
    bytes += own;
    assumed ||= stored.content.kind === "attribute" && isAssumed(stored.content.attribute);
    if (own > partBytes) [part, partBytes] = [stored.name, own];
  }
  return { bytes, part, partBytes, assumed };
}

function contentMax(model: Model, { entity }: StoredRecord, { content }: StoredAttribute): number {
  if (content.kind === "attribute") return attributeMax(content.attribute);
  if (content.kind === "text") return textSize(content.text);
  if (content.kind === "key") return keyBytes(entity.attributes, content.text)?.max ?? 0;
  if (content.one) return embeddedMax(content.entity);
  const relation = relationTo(model, entity, content.entity);
  const count = relation?.max ?? relation?.average;
  const by = content.entity.attributes.get(content.by ?? "");
  const named = by === undefined ? 0 : Math.max(by.digits ?? 0, attributeMax(by));
  return 3 + (count?.value ?? 0) * (embeddedMax(content.entity) + named);
}

/** One entity inside of another: a map in a list. */
export function embeddedMax({ attributes }: Entity): number {
  return [...attributes.values()].reduce(
    (sum, attribute) => sum + 1 + textSize(attribute.name) + attributeMax(attribute),
    1 + 3,
  );
}

export function attributeMax(attribute: Attribute): number {
  const { size, elements, type, values } = attribute;
  if (size === undefined) return 0;
  const one = ByteDistribution.stated(size.distribution).max;
  if (elements === undefined || values !== undefined) return one;
  const count = (elements.max ?? elements.average).value;
  return type === "L" || type === "M" ? 3 + count * (1 + one) : count * one;
}

/** The bytes of one element of a list, set or map. */
export function elementBytes({ size, type }: Attribute): number | undefined {
  if (size === undefined) return undefined;
  const { mean } = ByteDistribution.stated(size.distribution);
  return type === "L" || type === "M" ? 1 + mean : mean;
}

function isAssumed({ size, elements }: Attribute): boolean {
  return size?.from === "assumed" || elements?.max?.assumed === true;
}

/** The relation that puts many of the one into the other. */
export function relationTo(model: Model, host: Entity, inner: Entity): Relation | undefined {
  return model.relations.find(
    ({ from, to, via }) => from === host.name && (to === inner.name || via === inner.name),
  );
}
