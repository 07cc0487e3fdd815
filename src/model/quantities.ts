import { sizeBytes } from "../document/measures.ts";
import type { Amount, BytesDocument, RateDocument } from "./document-parts.ts";

/** A number, and whether somebody gave it or it was assumed. */
export interface Quantity {
  readonly value: number;
  readonly assumed: boolean;
  readonly why?: string;
}

/** How large values are, in bytes. */
export type Distribution =
  | { readonly kind: "fixed"; readonly bytes: number }
  /** All sizes from min to max are as likely. */
  | { readonly kind: "uniform"; readonly min: number; readonly max: number }
  | {
      readonly kind: "shares";
      readonly shares: readonly { readonly bytes: number; readonly share: number }[];
    };

export interface Size {
  readonly distribution: Distribution;
  /** Where it is from: the document, the document's assumption, or the attribute's type and format. */
  readonly from: "given" | "assumed" | "derived";
  readonly why?: string;
}

/** Requests per second. What is missing is an open question. */
export interface Rate {
  readonly average: Quantity | undefined;
  readonly peak: Quantity | undefined;
}

export function quantity(amount: Amount): Quantity {
  if (typeof amount === "number") return { value: amount, assumed: false };
  const { assumed: value, why } = amount;
  return { value, assumed: true, ...(why !== undefined && { why }) };
}

export function quantityOf(amount: Amount | undefined): Quantity | undefined {
  return amount === undefined ? undefined : quantity(amount);
}

export function rateOf(document: RateDocument | undefined): Rate {
  if (document === undefined) return { average: undefined, peak: undefined };
  if (typeof document === "number" || "assumed" in document) {
    return { average: quantity(document), peak: undefined };
  }
  return { average: quantityOf(document.average), peak: quantityOf(document.peak) };
}

export function sizeOf(document: BytesDocument): Size {
  if (typeof document !== "object") return { distribution: fixed(document), from: "given" };
  if ("assumed" in document) {
    const { assumed, why } = document;
    return {
      distribution: fixed(assumed),
      from: "assumed",
      ...(why !== undefined && { why }),
    };
  }
  if ("shares" in document) {
    const shares = Object.entries(document.shares).map(([bytes, share]) => ({
      bytes: Number(bytes.replaceAll("_", "")),
      share,
    }));
    return { distribution: { kind: "shares", shares }, from: "given" };
  }
  const [min, max] = [sizeBytes(document.min), sizeBytes(document.max)];
  return { distribution: { kind: "uniform", min, max }, from: "given" };
}

function fixed(size: number | string): Distribution {
  return { kind: "fixed", bytes: sizeBytes(size) };
}

/** What makes 1, up to what rounding to a few digits takes away. */
export function makeOne(shares: Iterable<number>): boolean {
  let sum = 0;
  for (const share of shares) sum += share;
  return Math.abs(sum - 1) <= 0.001;
}
