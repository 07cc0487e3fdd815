import type { OracleTable } from "./oracle.ts";
import type { Item } from "./values.ts";

/** The attribute by which items of all histories expire, where that is enabled. */
export const expiryAttribute = "vexp";

/** When every history begins. */
export const beginning = Date.UTC(2026, 0, 1);

const hour = 3_600_000;
const fiveYears = 5 * 365 * 24 * hour;

function hasExpired(item: Item, now: number): boolean {
  const value = item[expiryAttribute];
  if (value === undefined || !("N" in value)) return false;
  const end = Number(value.N) * 1_000;
  const second = Math.floor(now / 1_000) * 1_000;
  return end < second && end >= second - fiveYears;
}

export function anyExpired({ expires, items }: OracleTable, now: number): boolean {
  if (!expires) return false;
  for (const item of items.values()) if (hasExpired(item, now)) return true;
  return false;
}

export function removeExpired({ expires, items }: OracleTable, now: number): void {
  if (!expires) return;
  for (const [key, item] of items) if (hasExpired(item, now)) items.delete(key);
}

/** False if the service refuses to change it, or to do so again so soon. */
export function setExpiry(table: OracleTable, enabled: boolean, now: number): boolean {
  if (table.expires === enabled || now < (table.expiryChangedAt ?? 0) + hour) return false;
  table.expires = enabled;
  table.expiryChangedAt = now;
  return true;
}
