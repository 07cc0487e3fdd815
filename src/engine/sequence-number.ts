/**
 * The store numbers the entries of logs with whole numbers from one on. The service's sequence numbers
 * are decimal texts of 21 digits at least, which order as numbers do; so a number is written behind a
 * leading 1.
 */
const base = 10n ** 20n;
const most = BigInt(Number.MAX_SAFE_INTEGER);

export function sequenceNumberText(number: number): string {
  return (base + BigInt(number)).toString();
}

/** Nothing if the text is no sequence number. One that was never given out may be below zero. */
export function readSequenceNumber(text: string): number | undefined {
  if (!/^[0-9]+$/.test(text)) return undefined;
  const number = BigInt(text) - base;
  if (number > most) return undefined;
  return number < 0n ? -1 : Number(number);
}
