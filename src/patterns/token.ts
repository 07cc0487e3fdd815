import { fromBase64Url, toBase64Url } from "./base64.ts";
import { PatternError } from "./errors.ts";
import { isNumberLike, numberText } from "./numbers.ts";
import { hmacSha256, utf8Bytes, utf8Text } from "./platform.ts";
import { shardHash } from "./shard.ts";
import { type Attributes, bareRecord, isKeyValue, keyIdentity, ownOf } from "./values.ts";

/**
 * Positions as texts that clients carry from page to page. A token belongs to a scope, a text that says what is
 * paged through and for whom; a token of another scope is refused.
 */

/** A text that is no token of this scope. */
export class TokenError extends PatternError {
  override readonly name = "TokenError";
}

/** Where to go on: a key, or the keys of several sources by their names; null stands for what is read to its end. */
export type TokenContent =
  | { readonly kind: "key"; readonly key: Attributes }
  | { readonly kind: "sources"; readonly sources: ReadonlyMap<string, Attributes | null> };

export interface TokenOptions {
  /** What the position must hold: the partition key that is queried. Without it a made-up position is as good as a true one. */
  readonly fixed?: Attributes | undefined;
  /** Makes the client's `NumberValue`, for positions that hold one. */
  readonly wrapNumber?: ((value: string) => unknown) | undefined;
}

const tokenVersion = 1;

export function encodeToken(key: Attributes, scope: string): string {
  return encodeContent({ kind: "key", key }, scope);
}

/** The position in a token. Throws a TokenError if it is none, or not one of this scope. */
export function decodeToken(
  token: string,
  scope: string,
  options: TokenOptions = {},
): Record<string, unknown> {
  const content = decodeContent(token, scope, options);
  if (content.kind !== "key") throw new TokenError("this is the token of another kind of list");
  return { ...content.key };
}

export function encodeContent(content: TokenContent, scope: string): string {
  const body =
    content.kind === "key"
      ? { k: writtenKey(content.key) }
      : { s: [...content.sources].map(([name, key]) => [name, key && writtenKey(key)]) };
  return toBase64Url(utf8Bytes(JSON.stringify([tokenVersion, scopeMark(scope), body])));
}

export function decodeContent(
  token: string,
  scope: string,
  options: TokenOptions = {},
): TokenContent {
  const [version, mark, body] = listIn(token);
  if (version !== tokenVersion || typeof body !== "object" || body === null) throw noToken();
  if (mark !== scopeMark(scope)) throw new TokenError("this is a token of something else");
  if ("k" in body) return { kind: "key", key: readKey(body.k, options) };
  if (!("s" in body) || !Array.isArray(body.s)) throw noToken();
  const sources = new Map<string, Attributes | null>();
  for (const one of body.s as readonly unknown[]) {
    const [name, key] = Array.isArray(one) ? (one as readonly unknown[]) : [];
    if (typeof name !== "string" || sources.has(name)) throw noToken();
    sources.set(name, key === null ? null : readKey(key, { ...options, fixed: undefined }));
  }
  return { kind: "sources", sources };
}

function noToken(): TokenError {
  return new TokenError("this is no token");
}

function listIn(token: string): readonly unknown[] {
  const bytes = fromBase64Url(token);
  if (bytes === undefined) throw noToken();
  try {
    const read: unknown = JSON.parse(utf8Text(bytes));
    if (Array.isArray(read)) return read;
  } catch {
    // What is not UTF-8 or not JSON is no token either.
  }
  throw noToken();
}

/** The scope itself may be secret, or long. Two hashes that begin differently: one alone would be met by chance too soon. */
function scopeMark(scope: string): string {
  return [scope, `\u0000${scope}`].map((text) => shardHash(text).toString(36)).join(".");
}

/** Types must survive: 1 and "1" are different keys, and so are a number and a BigInt for the client. */
function writtenKey(key: Attributes): readonly (readonly [string, string, string])[] {
  return Object.entries(key).map(([name, value]) => {
    if (typeof value === "string") return [name, "s", value];
    if (value instanceof Uint8Array) return [name, "b", toBase64Url(value)];
    if (typeof value === "bigint") return [name, "i", String(value)];
    if (typeof value === "number") return [name, "n", String(value)];
    if (isNumberLike(value)) return [name, "w", numberText(value)];
    throw new TokenError(`'${name}' has no value that a key can have`);
  });
}

function readKey(written: unknown, options: TokenOptions): Record<string, unknown> {
  if (!Array.isArray(written)) throw noToken();
  const key = bareRecord<unknown>();
  for (const one of written as readonly unknown[]) {
    const [name, type, text] = Array.isArray(one) ? (one as readonly unknown[]) : [];
    if (typeof name !== "string" || typeof text !== "string" || Object.hasOwn(key, name)) {
      throw noToken();
    }
    key[name] = readValue(type, text, options);
  }
  if (options.fixed !== undefined) checkFixed(key, options.fixed);
  return key;
}

/** Throws a TokenError if a position does not hold what it must. */
export function checkFixed(position: Attributes, fixed: Attributes): void {
  for (const [name, value] of Object.entries(fixed)) {
    const own = ownOf(position, name);
    const isSame = isKeyValue(own) && keyIdentity({ own }) === keyIdentity({ own: value });
    if (!isSame) throw new TokenError("this is a token of something else");
  }
}

function readValue(type: unknown, text: string, { wrapNumber }: TokenOptions): unknown {
  if (type === "s") return text;
  if (type === "b") {
    const bytes = fromBase64Url(text);
    if (bytes !== undefined) return bytes;
  }
  if (type === "i" && /^-?\d{1,126}$/.test(text)) return BigInt(text);
  if (type === "n" && text.trim() !== "" && Number.isFinite(Number(text))) return Number(text);
  if (type === "w" && /^-?\d{1,126}(\.\d{1,168})?$/.test(text)) {
    if (wrapNumber === undefined) throw new TokenError("a wrapped number needs `wrapNumber`");
    return wrapNumber(text);
  }
  throw noToken();
}

/** A token with a seal that only who knows the secret can make: clients can neither read another's into theirs nor make one up. */
export async function sealToken(token: string, scope: string, secret: string): Promise<string> {
  return `${token}.${await sealOf(token, scope, secret)}`;
}

/** The token that was sealed. Throws a TokenError if the seal is not right. */
export async function openToken(sealed: string, scope: string, secret: string): Promise<string> {
  const dot = sealed.lastIndexOf(".");
  const [token, seal] = [sealed.slice(0, Math.max(0, dot)), sealed.slice(dot + 1)];
  const right = await sealOf(token, scope, secret);
  // Every character is looked at, so that the time taken tells nothing of where they differ.
  let difference = right.length ^ seal.length;
  for (let at = 0; at < right.length; at += 1) {
    difference |= right.charCodeAt(at) ^ (seal.charCodeAt(at) || 0);
  }
  if (dot < 0 || difference !== 0) throw new TokenError("this token was not sealed here");
  return token;
}

async function sealOf(token: string, scope: string, secret: string): Promise<string> {
  const data = utf8Bytes(JSON.stringify([token, scope]));
  return toBase64Url(await hmacSha256(utf8Bytes(secret), data));
}
