import type { Quantity } from "../../model/quantities.ts";

/** Numbers and names as findings say them. A formatter takes longer to make than to use. */
const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const broken = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });
const short = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 3 });
const toTheCent = new Intl.NumberFormat("en-US", {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

export function numberText(value: number): string {
  const isWhole = Math.abs(value) >= 100 || Number.isInteger(value);
  return (isWhole ? whole : broken).format(value);
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
  return `${short.format(share * 100)} %`;
}

export function moneyText(dollars: number): string {
  return `$${toTheCent.format(dollars)}`;
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
