/** Whole numbers in other bases than ten, with a fixed count of digits: they sort as texts the way they do as numbers. */

export function inDigits(number: bigint, digits: string, length: number): string {
  const base = BigInt(digits.length);
  let rest = number;
  let text = "";
  for (let count = 0; count < length; count += 1) {
    text = digits.charAt(Number(rest % base)) + text;
    rest /= base;
  }
  return text;
}

/** The number of a text; nothing if it has another length or other characters. */
export function fromDigits(text: string, digits: string, length: number): bigint | undefined {
  if (text.length !== length) return undefined;
  let number = 0n;
  for (const character of text) {
    const digit = digits.indexOf(character);
    if (digit < 0) return undefined;
    number = number * BigInt(digits.length) + BigInt(digit);
  }
  return number;
}

export function bytesAsNumber(bytes: Uint8Array): bigint {
  let number = 0n;
  for (const byte of bytes) number = (number << 8n) | BigInt(byte);
  return number;
}
