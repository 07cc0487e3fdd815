import type { Attribute, Entity } from "../model/requirements.ts";

/** Which attribute of an entity with a retention holds its expiry time. Designer and checklist use the same answer. */

const expiryNames = /expir|^ttl$|until|purge|deleteA(t|fter)/i;

/** The attribute with the second at which an item of the entity expires. */
export function expiryAttributeOf({ retentionMs, attributes }: Entity): string | undefined {
  if (retentionMs === undefined) return undefined;
  return [...attributes.values()].find(isExpiry)?.name;
}

function isExpiry({ name, type, format }: Attribute): boolean {
  return type === "N" && format === "epoch-seconds" && isExpiryName(name);
}

/** Whether an attribute is called as what expires usually is. */
export function isExpiryName(name: string): boolean {
  return expiryNames.test(name);
}
