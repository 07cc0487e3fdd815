/** Bytes as text that can stand in an address: letters, digits, `-` and `_`. */

const base64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

export function toBase64Url(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(at, at + 3);
    const bits = (a << 16) | (b << 8) | c;
    const digits = [bits >> 18, (bits >> 12) & 63, (bits >> 6) & 63, bits & 63];
    const count = Math.min(3, bytes.length - at) + 1;
    for (const digit of digits.slice(0, count)) text += base64Digits.charAt(digit);
  }
  return text;
}

/** The bytes of a text; nothing if it is not what `toBase64Url` writes. */
export function fromBase64Url(text: string): Uint8Array | undefined {
  if (text.length % 4 === 1) return undefined;
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let bits = 0;
  let held = 0;
  let at = 0;
  for (const character of text) {
    const digit = base64Digits.indexOf(character);
    if (digit < 0) return undefined;
    bits = ((bits << 6) | digit) & 0xffff;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes[at] = (bits >> held) & 0xff;
    at += 1;
  }
  // Bits that stand for nothing are zero, so that no two texts mean the same.
  return (bits & ((1 << held) - 1)) === 0 ? bytes : undefined;
}
