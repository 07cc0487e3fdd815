import type { Totals } from "../store.ts";

export function encodeTotals({ count, bytes }: Totals): Buffer {
  const encoded = Buffer.alloc(16);
  encoded.writeDoubleBE(count, 0);
  encoded.writeDoubleBE(bytes, 8);
  return encoded;
}

export function decodeTotals(encoded: Buffer | undefined): Totals {
  if (encoded === undefined) return { count: 0, bytes: 0 };
  return { count: encoded.readDoubleBE(0), bytes: encoded.readDoubleBE(8) };
}
