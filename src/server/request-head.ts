import { headerBytesMax } from "./limits.ts";
import type { WireHeaders } from "./protocol.ts";

/** Where one request lies among the bytes of a connection. */
export interface RequestHead {
  readonly url: string;
  readonly headers: WireHeaders;
  /** The place of the body's first byte. */
  readonly bodyStart: number;
  readonly bodyLength: number;
}

const carriageReturn = 0x0d;
const lineFeed = 0x0a;
const blank = 0x20;
const tab = 0x09;
const colon = 0x3a;
const zero = 0x30;

/** The characters of a header's name, and those of its value. */
const inName = new Uint8Array(256);
for (const character of "!#$%&'*+-.^_`|~") inName[character.charCodeAt(0)] = 1;
for (let code = 0; code < 256; code += 1) {
  if (/[0-9A-Za-z]/.test(String.fromCharCode(code))) inName[code] = 1;
}
const inValue = new Uint8Array(256);
for (let code = 0; code < 256; code += 1) {
  if (code === tab || (code >= blank && code !== 0x7f)) inValue[code] = 1;
}
/** Of an address only what needs no thought. */
const inUrl = new Uint8Array(256);
for (let code = 0x21; code < 0x7f; code += 1) inUrl[code] = 1;

const start = Buffer.from("POST /");
const version = Buffer.from(" HTTP/1.1\r\n");

/**
 * The head of a request as the common clients send it: a POST with a length, all of its head there.
 * Undefined for everything else, which may be incomplete, malformed or merely rare (a chunked body,
 * `Expect`, `Connection: close`, a header given twice): that is left to Node's own parser, which then
 * decides what it is. So this one may be simple, but must never accept what that one would refuse.
 */
export function parseHead(bytes: Buffer, from: number): RequestHead | undefined {
  const urlStart = from + start.length - 1;
  if (!matches(bytes, from, start)) return undefined;
  let at = urlStart;
  while (inUrl[bytes[at] as number] === 1) at += 1;
  const urlEnd = at;
  if (!matches(bytes, at, version)) return undefined;
  at += version.length;

  const headers: Mutable<WireHeaders> = {
    "content-type": undefined,
    "x-amz-target": undefined,
    "x-amz-date": undefined,
    authorization: undefined,
    "accept-encoding": undefined,
    "content-encoding": undefined,
    date: undefined,
    origin: undefined,
  };
  let bodyLength = -1;
  let host = false;
  while (bytes[at] !== carriageReturn) {
    const nameStart = at;
    while (inName[bytes[at] as number] === 1) at += 1;
    const nameEnd = at;
    if (nameEnd === nameStart || bytes[at] !== colon) return undefined;
    at += 1;
    while (bytes[at] === blank || bytes[at] === tab) at += 1;
    const valueStart = at;
    while (inValue[bytes[at] as number] === 1) at += 1;
    if (bytes[at] !== carriageReturn || bytes[at + 1] !== lineFeed) return undefined;
    const known = knownName(bytes, nameStart, nameEnd);
    if (known !== undefined) {
      const valueEnd = withoutBlanks(bytes, valueStart, at);
      if (known === "content-length") {
        if (bodyLength !== -1) return undefined;
        bodyLength = lengthOf(bytes, valueStart, valueEnd);
        if (bodyLength === -1) return undefined;
      } else if (known === "host") {
        if (host) return undefined;
        host = true;
      } else if (known === "connection") {
        if (!isKeepAlive(bytes, valueStart, valueEnd)) return undefined;
      } else if (known === "rare" || headers[known] !== undefined) {
        return undefined;
      } else {
        headers[known] = bytes.toString("latin1", valueStart, valueEnd);
      }
    }
    at += 2;
  }
  if (bytes[at + 1] !== lineFeed) return undefined;
  if (!host || bodyLength === -1 || at - from > headerBytesMax) return undefined;
  const url = urlEnd - urlStart === 1 ? "/" : bytes.toString("latin1", urlStart, urlEnd);
  return { url, headers, bodyStart: at + 2, bodyLength };
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

type KnownName = keyof WireHeaders | "content-length" | "host" | "connection" | "rare";

const knownNames: readonly (readonly [string, KnownName])[] = [
  ["content-type", "content-type"],
  ["x-amz-target", "x-amz-target"],
  ["x-amz-date", "x-amz-date"],
  ["authorization", "authorization"],
  ["accept-encoding", "accept-encoding"],
  ["content-encoding", "content-encoding"],
  ["date", "date"],
  ["origin", "origin"],
  ["content-length", "content-length"],
  ["host", "host"],
  ["connection", "connection"],
  ["transfer-encoding", "rare"],
  ["expect", "rare"],
  ["upgrade", "rare"],
  ["trailer", "rare"],
  ["te", "rare"],
  ["keep-alive", "rare"],
  ["proxy-connection", "rare"],
];
/** Names by their length. */
const namesOfLength: (readonly { readonly bytes: Buffer; readonly name: KnownName }[])[] = [];
for (const [text, name] of knownNames) {
  const others = namesOfLength[text.length] ?? [];
  namesOfLength[text.length] = [...others, { bytes: Buffer.from(text), name }];
}
for (let length = 0; length < namesOfLength.length; length += 1) namesOfLength[length] ??= [];

function knownName(bytes: Buffer, from: number, to: number): KnownName | undefined {
  const candidates = namesOfLength[to - from];
  if (candidates === undefined) return undefined;
  for (let i = 0; i < candidates.length; i += 1) {
    const candidate = candidates[i] as (typeof candidates)[number];
    if (matchesAnyCase(bytes, from, candidate.bytes)) return candidate.name;
  }
  return undefined;
}

function matches(bytes: Buffer, from: number, expected: Buffer): boolean {
  for (let i = 0; i < expected.length; i += 1) {
    if (bytes[from + i] !== expected[i]) return false;
  }
  return true;
}

/** For text of small letters and hyphens: among the characters of a name, only these become them. */
function matchesAnyCase(bytes: Buffer, from: number, expected: Buffer): boolean {
  for (let i = 0; i < expected.length; i += 1) {
    if (((bytes[from + i] as number) | 0x20) !== expected[i]) return false;
  }
  return true;
}

const keepAlive = Buffer.from("keep-alive");

function isKeepAlive(bytes: Buffer, from: number, to: number): boolean {
  return to - from === keepAlive.length && matchesAnyCase(bytes, from, keepAlive);
}

/** -1 if it is no plain number of a sensible size. */
function lengthOf(bytes: Buffer, from: number, to: number): number {
  if (to === from || to - from > 12) return -1;
  let length = 0;
  for (let at = from; at < to; at += 1) {
    const digit = (bytes[at] as number) - zero;
    if (digit < 0 || digit > 9) return -1;
    length = length * 10 + digit;
  }
  return length;
}

function withoutBlanks(bytes: Buffer, from: number, to: number): number {
  let end = to;
  while (end > from && (bytes[end - 1] === blank || bytes[end - 1] === tab)) end -= 1;
  return end;
}
