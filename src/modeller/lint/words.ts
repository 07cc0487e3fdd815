import type { Quantity } from "../../model/quantities.ts";

/** Numbers and names as findings say them. */

export function numberText(value: number): string {
  const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : 2;
  return value.toLocaleString("en-US", { maximumFractionDigits: digits });
}

/** A number of the document, which says when it was assumed. */
export function amountText({ value, assumed }: Quantity): string {
  return `${numberText(value)}${assumed ? " (assumed)" : ""}`;
}

export function bytesText(bytes: number): string {
  if (bytes < 1_024) return `${numberText(Math.round(bytes))} B`;
  if (bytes < 1_024 ** 2) return `${numberText(bytes / 1_024)} KB`;
  if (bytes < 1_024 ** 3) return `${numberText(bytes / 1_024 ** 2)} MB`;
  return `${numberText(bytes / 1_024 ** 3)} GB`;
}

export function shareText(share: number): string {
  const percent = share * 100;
  return `${percent.toLocaleString("en-US", { maximumSignificantDigits: 3 })} %`;
}

export function moneyText(dollars: number): string {
  return `$${dollars.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}

/** "a", "a and b", "a, b and c". */
export function listText(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  if (names.length < 2) return last;
  return `${names.slice(0, -1).join(", ")} and ${last}`;
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${numberText(count)} ${count === 1 ? one : many}`;
}
