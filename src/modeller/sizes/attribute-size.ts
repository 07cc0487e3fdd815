import { normaliseNumber } from "../../item/number.ts";
import { numberSize, textSize } from "../../item/size.ts";
import type { Attribute } from "../../model/requirements.ts";
import { ByteDistribution } from "./distribution.ts";

/** What a list and a map have besides their elements, and what each element has besides itself. */
const documentBytes = 3;
const elementBytes = 1;

/**
 * The bytes of an attribute's value where it is there: without its name, without `present`. Nothing
 * if the document does not say: that is an open question, and no number is put in its place.
 * An element of a map is its name and its value together.
 */
export function attributeBytes(attribute: Attribute): ByteDistribution | undefined {
  const { type, elements, values, size } = attribute;
  if (values !== undefined) {
    const known = ofValues.get(values);
    if (known !== undefined) return known;
    const bytes = ByteDistribution.shares(
      values.map(({ value, share }) => ({ bytes: constantBytes(value), share })),
    );
    ofValues.set(values, bytes);
    return bytes;
  }
  if (size === undefined) return undefined;
  const known = ofSizes.get(size);
  if (known !== undefined && known.elements === elements && known.type === type) return known.bytes;
  const bytes = sizedBytes(type, size, elements);
  ofSizes.set(size, { type, elements, bytes });
  return bytes;
}

/** Attributes are the same in all designs of a model, and are asked for again and again. */
const ofValues = new WeakMap<NonNullable<Attribute["values"]>, ByteDistribution>();
const ofSizes = new WeakMap<
  NonNullable<Attribute["size"]>,
  Pick<Attribute, "type" | "elements"> & { readonly bytes: ByteDistribution }
>();

function sizedBytes(
  type: Attribute["type"],
  size: NonNullable<Attribute["size"]>,
  elements: Attribute["elements"],
): ByteDistribution {
  const stated = ByteDistribution.stated(size.distribution);
  if (elements === undefined) return stated;
  const { value: average } = elements.average;
  if (type !== "L" && type !== "M") return stated.times(average);
  return stated.plus(elementBytes).times(average).plus(documentBytes);
}

/** The bytes of a constant as an attribute's value. */
export function constantBytes(value: string | number): number {
  return typeof value === "string" ? textSize(value) : numberSize(numberText(value));
}

/** A number as the service prints it. */
export function numberText(value: number): string {
  const normal = normaliseNumber(String(value));
  return typeof normal === "string" ? normal : String(value);
}
