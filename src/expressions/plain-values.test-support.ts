import type { AttributeValue, Item } from "../item/attribute-value.ts";

/** Attribute values written as plain values, so that a table of cases stays readable. */
export type Plain =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | ReadonlySet<string | number | Uint8Array>
  | readonly Plain[]
  | { readonly [name: string]: Plain };

export function value(plain: Plain): AttributeValue {
  if (typeof plain === "string") return { S: plain };
  if (typeof plain === "number") return { N: String(plain) };
  if (typeof plain === "boolean") return { BOOL: plain };
  if (plain === null) return { NULL: true };
  if (plain instanceof Uint8Array) return { B: base64(plain) };
  if (plain instanceof Set) return setValue([...plain]);
  if (Array.isArray(plain)) return { L: plain.map(value) };
  return { M: item(plain as Readonly<Record<string, Plain>>) };
}

export function item(plain: Readonly<Record<string, Plain>>): Item {
  return Object.fromEntries(Object.entries(plain).map(([name, member]) => [name, value(member)]));
}

/** Members are to be given in the service's order. */
function setValue(members: readonly (string | number | Uint8Array)[]): AttributeValue {
  const [first] = members;
  if (typeof first === "string") return { SS: members.map(String) };
  if (typeof first === "number") return { NS: members.map(String) };
  return { BS: members.map((member) => base64(member as Uint8Array)) };
}

export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function base64(data: Uint8Array): string {
  return Buffer.from(data).toString("base64");
}

/** The message of what `run` throws; undefined if it does not throw. */
export function messageOf(run: () => unknown): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
