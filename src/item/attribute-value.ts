import { own } from "../base/record.ts";

/**
 * Attribute values are kept as DynamoDB JSON, the form in which they arrive, are stored and leave.
 * Inside the program every value is canonical: numbers are normalised (`normaliseNumber`), binaries
 * are canonical base64, sets hold no duplicates, and each object has exactly one member.
 */
export type AttributeValue =
  | { readonly S: string }
  | { readonly N: string }
  | { readonly B: string }
  | { readonly SS: readonly string[] }
  | { readonly NS: readonly string[] }
  | { readonly BS: readonly string[] }
  | { readonly BOOL: boolean }
  | { readonly NULL: true }
  | { readonly L: readonly AttributeValue[] }
  | { readonly M: Item };

export type Item = Readonly<Record<string, AttributeValue>>;

export type AttributeType = "S" | "N" | "B" | "SS" | "NS" | "BS" | "BOOL" | "NULL" | "L" | "M";

/** The types that a key attribute may have. */
export type KeyType = "S" | "N" | "B";

export type KeyValue = { readonly S: string } | { readonly N: string } | { readonly B: string };

/** The one member name of a canonical value. */
export function typeOf(value: AttributeValue): AttributeType {
  for (const name in value) return name as AttributeType;
  throw new Error("an attribute value without a type");
}

/** An attribute by name; safe for names like `constructor`. */
export function attribute(item: Item, name: string): AttributeValue | undefined {
  return own(item, name);
}
