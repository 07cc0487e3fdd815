/**
 * What the helpers take from where they run: time, randomness, rest and UTF-8. Everything is asked of the
 * global object by a type of its own, so that these files compile in projects with or without the types of
 * Node or of a browser.
 */

/** Milliseconds since 1970. */
export type TimeSource = () => number;
/** A number from 0 inclusive to 1 exclusive. */
export type RandomSource = () => number;
/** So many random bytes. */
export type ByteSource = (length: number) => Uint8Array;
/** Rests for so many milliseconds. */
export type Sleep = (milliseconds: number) => Promise<void>;

interface HashingKey {
  readonly type: string;
}

interface PlatformGlobals {
  readonly crypto: {
    getRandomValues(bytes: Uint8Array): Uint8Array;
    readonly subtle: {
      importKey(
        format: "raw",
        key: Uint8Array,
        algorithm: { readonly name: "HMAC"; readonly hash: "SHA-256" },
        extractable: boolean,
        usages: readonly ["sign"],
      ): Promise<HashingKey>;
      sign(algorithm: "HMAC", key: HashingKey, data: Uint8Array): Promise<ArrayBuffer>;
    };
  };
  readonly TextEncoder: new () => { encode(text: string): Uint8Array };
  readonly TextDecoder: new (
    label: "utf-8",
    options: { readonly fatal: boolean; readonly ignoreBOM: boolean },
  ) => { decode(bytes: Uint8Array): string };
  setTimeout(call: () => void, milliseconds: number): unknown;
}

const platform = globalThis as unknown as PlatformGlobals;

export const systemTime: TimeSource = () => Date.now();

export const systemRandom: RandomSource = () => Math.random();

export const systemBytes: ByteSource = (length) =>
  platform.crypto.getRandomValues(new Uint8Array(length));

export const systemSleep: Sleep = (milliseconds) =>
  new Promise((resolve) => {
    platform.setTimeout(resolve, milliseconds);
  });

export function utf8Bytes(text: string): Uint8Array {
  return new platform.TextEncoder().encode(text);
}

/** Throws if the bytes are not UTF-8. */
export function utf8Text(bytes: Uint8Array): string {
  return new platform.TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

export async function hmacSha256(secret: Uint8Array, data: Uint8Array): Promise<Uint8Array> {
  const { subtle } = platform.crypto;
  const algorithm = { name: "HMAC", hash: "SHA-256" } as const;
  const key = await subtle.importKey("raw", secret, algorithm, false, ["sign"]);
  return new Uint8Array(await subtle.sign("HMAC", key, data));
}
