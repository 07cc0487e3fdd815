import type { KeyType } from "../../model/document-design.ts";
import { formats } from "../../model/formats.ts";
import type { Attribute, Entity } from "../../model/requirements.ts";
import { isKeyType } from "./needs.ts";

/** A key attribute of a table, and the text that it is made of. */
export interface MadePart {
  readonly name: string;
  readonly type: KeyType;
  readonly text: string;
}

/** One attribute as it is, or several in one text; nothing if the text would not sort or not be told apart. */
export function partOf(
  entity: Entity,
  names: readonly string[],
  { lenient = false, isPartition = false } = {},
): MadePart | undefined {
  const [first = "", more] = names;
  const only = entity.attributes.get(first);
  if (only !== undefined && more === undefined) {
    return isFirm(only, entity) && isKeyType(only)
      ? { name: only.name, type: only.type as KeyType, text: `{${only.name}}` }
      : undefined;
  }
  const text = textOf(entity, names, { lenient, isPartition });
  const name = joinedName(names);
  // The name would be taken for the attribute that it is not.
  if (text === undefined || entity.attributes.has(name)) return undefined;
  return { name, type: "S", text };
}

/** Attributes in one text, each as it sorts; nothing if they do not, or may change or be missing. */
export function textOf(
  entity: Entity,
  names: readonly string[],
  { lenient = false, isPartition = false } = {},
): string | undefined {
  const attributes = names.flatMap((name) => entity.attributes.get(name) ?? []);
  if (attributes.length < names.length || names.length === 0) return undefined;
  // A table's key is there in every item and stays as it is.
  if (attributes.some((one) => !isFirm(one, entity))) return undefined;
  const texts = attributes.map(
    (one, i) =>
      segmentOf(one, lenient || i === attributes.length - 1) ??
      // A partition key has no order, so a number in it needs no zeros.
      (isPartition && one.type === "N" ? `{${one.name}}` : undefined),
  );
  return texts.some((text) => text === undefined) ? undefined : texts.join("#");
}

function isFirm({ name, mutable, isOptional }: Attribute, { id }: Entity): boolean {
  return (id.includes(name) || !mutable) && !isOptional;
}

/** An attribute inside a text; nothing if it has no fixed length and something follows. */
export function segmentOf(attribute: Attribute, isLast: boolean): string | undefined {
  const { name, type, format, digits, values, canBeNegative } = attribute;
  if (type === "N") {
    if (format === "epoch-seconds" || format === "epoch-milliseconds") return `{${name}}`;
    // A text sorts a minus wrongly, and zeros cannot stand before one.
    return digits === undefined || canBeNegative ? undefined : `{${name}|pad:${digits}}`;
  }
  if (type !== "S") return undefined;
  const isEven = format !== undefined && format in formats;
  const isListed = values?.every(({ value }) => !String(value).includes("#"));
  return isEven || isListed || isLast ? `{${name}}` : undefined;
}

/**
 * The same attributes, those of no fixed length last: where the order is free, a text can then be told apart. Of these
 * the ones come last that nobody gives out, and that may have the separator in them.
 */
export function evenFirst(
  { attributes }: Entity,
  names: readonly string[],
  given: ReadonlySet<string>,
): readonly string[] {
  const isEven = (name: string): boolean => {
    const attribute = attributes.get(name);
    return attribute !== undefined && segmentOf(attribute, false) !== undefined;
  };
  const open = names.filter((name) => !isEven(name));
  return [
    ...names.filter(isEven),
    ...open.filter((name) => given.has(name)),
    ...open.filter((name) => !given.has(name)),
  ];
}

/** The attributes that a key's text is made of. */
export function namedIn({ attributes }: Entity, text: string): readonly string[] {
  return [...attributes.keys()].filter((name) =>
    [`{${name}}`, `{${name}|`, `:${name}}`].some((part) => text.includes(part)),
  );
}

/** Attributes that something follows in a text, and that could hold what separates them. */
export function openTexts({ attributes }: Entity, names: readonly string[]): readonly string[] {
  return names.slice(0, -1).filter((name) => {
    const attribute = attributes.get(name);
    return attribute?.type === "S" && segmentOf(attribute, false) === undefined;
  });
}

/** `createdAt` and `orderId` together are `createdAtOrderId`. */
export function joinedName(names: readonly string[]): string {
  return names.map((name, i) => (i === 0 ? name : capital(name))).join("");
}

export function capital(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}

/** `Order` is kept in `Orders`. */
export function plural(name: string): string {
  if (/[^aeiou]y$/i.test(name)) return `${name.slice(0, -1)}ies`;
  return /(s|x|z|ch|sh)$/i.test(name) ? `${name}es` : `${name}s`;
}

/** `customerId` names a customer: in names the id is left out. */
export function spoken(name: string): string {
  return capital(name.length > 2 && name.endsWith("Id") ? name.slice(0, -2) : name);
}
